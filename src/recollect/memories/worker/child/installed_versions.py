"""Prints, as JSON, the packages of this Python, and which lines of requirement files they do not meet."""

from __future__ import annotations

import json
import platform
import re
import sys
from importlib import metadata
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement  # type: ignore[import-untyped, unused-ignore]


def look(files: list[str]) -> dict[str, object]:
    """Installed packages, and what is wrong with them."""
    named, wrong = {}, []
    lines = [line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    for line in [re.sub(r"(^|\s)#.*", "", line).strip() for line in lines]:
        if not line or line.startswith("-"):
            continue
        wanted = Requirement(line)
        if wanted.marker is not None and not wanted.marker.evaluate():
            continue
        try:
            found = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{line!r} is not installed")
            continue
        named[wanted.name] = found
        if not wanted.specifier.contains(found, prereleases=True):
            wrong.append(f"{line!r} was asked for, {found} is installed")
    every = {package.metadata["Name"]: package.version for package in metadata.distributions()}
    return {"python": platform.python_version(), "named": named, "all": dict(sorted(every.items())), "wrong": wrong}


if __name__ == "__main__":
    print(json.dumps(look(sys.argv[1:])))

"""Prints, as JSON, what is installed beside this Python, and which lines of requirement files that does not keep."""

from __future__ import annotations

import json
import platform
import re
import sys
from importlib import metadata
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement  # type: ignore[import-untyped, unused-ignore]


def asked(files: list[str]) -> list[str]:
    """The requirements in *files*, without comments and options."""
    lines = [line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    bare = [re.sub(r"(^|\s)#.*", "", line).strip() for line in lines]
    return [line for line in bare if line and not line.startswith("-")]


def look(files: list[str]) -> dict[str, object]:
    """What is there, and what is wrong with it."""
    named, wrong = {}, []
    for line in asked(files):
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
    there = {one.metadata["Name"]: one.version for one in metadata.distributions()}
    return {"python": platform.python_version(), "named": named, "all": dict(sorted(there.items())), "wrong": wrong}


if __name__ == "__main__":
    print(json.dumps(look(sys.argv[1:])))

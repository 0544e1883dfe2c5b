"""What an environment holds now, read from its files: whether it is still what was installed, and as it was published.

Nothing is started for it. An installer notes where a package came from (PEP 610) and the size of each of its files;
a package from a folder of this machine, or one whose files were replaced, is something in the system's place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

_LOCAL = ("file:", "link:")
_HAS_NO_SIZE_OF_ITS_OWN = ("/__pycache__/", ".dist-info/", "../")
"""Files that are made or rewritten after the package was unpacked."""


def versions_now(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Version of each of *names* that is in the environment now, of Python or of node."""
    found = {name: _version(folder, name) for name in names}
    return {name: version for name, version in found.items() if version is not None}


def stand_ins(folder: Path, names: Iterable[str], requirements: Path | None) -> dict[str, str]:
    """Those of *names* that are not what their publisher offers, with what was seen of each.

    What *requirements* itself asks for from a local folder is what was asked for.
    """
    wanted = _asked_locally(requirements)
    seen = {name: _seen(folder, name) for name in names if name.lower() not in wanted}
    return {name: why for name, why in seen.items() if why}


def _version(folder: Path, name: str) -> str | None:
    here = _distribution(folder, name)
    if here is not None:
        return here.version
    node = _json(folder / "node_modules" / name / "package.json")
    return str(node["version"]) if "version" in node else None


def _seen(folder: Path, name: str) -> str:
    here = _distribution(folder, name)
    return _seen_of_node(folder, name) if here is None else _seen_of_python(here)


def _seen_of_python(here: Distribution) -> str:
    url = str(_object(here.read_text("direct_url.json")).get("url", ""))
    if url.startswith(_LOCAL):
        return f"it was installed from {url}"
    other = next(_replaced(here), None)
    return "" if other is None else f"its file {other} is not the one that was installed"


def _replaced(here: Distribution) -> Iterator[str]:
    """Files whose size is not the one that the installer noted, and those that are gone."""
    for file in here.files or ():
        if file.size is None or any(part in str(file) for part in _HAS_NO_SIZE_OF_ITS_OWN):
            continue
        there = Path(str(here.locate_file(file)))
        if not there.is_file() or there.stat().st_size != file.size:
            yield str(file)


def _seen_of_node(folder: Path, name: str) -> str:
    place = folder / "node_modules" / name
    noted = _json(folder / "node_modules" / ".package-lock.json").get("packages", {}).get(f"node_modules/{name}", {})
    url = str(noted.get("resolved", ""))
    if place.is_symlink() or noted.get("link"):
        return f"it is a link to {place.resolve()}"
    return f"it was installed from {url}" if url.startswith(_LOCAL) else ""


def _distribution(folder: Path, name: str) -> Distribution | None:
    sites = [str(site) for site in sorted(folder.glob("lib/python*/site-packages"))]
    return next(iter(distributions(name=name, path=sites)), None)


def _asked_locally(requirements: Path | None) -> frozenset[str]:
    text = "" if requirements is None else requirements.read_text(encoding="utf-8")
    return frozenset(name.lower() for name in re.findall(r"(?m)^\s*([\w.-]+)(?:\[[^]]*\])?\s*@\s*file:", text))


def _json(file: Path) -> Mapping[str, Any]:
    return _object(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _object(text: str | None) -> Mapping[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

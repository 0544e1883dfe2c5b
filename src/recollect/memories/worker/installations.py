"""Environments of systems: made once from a requirement file, apart from everything else, and named by its content.

An environment is whole when its stamp is there, which is written last; what has none is made anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from recollect.contracts.systems import Environment
from recollect.domain.errors import MissingExtraError, UsageError
from recollect.records.digests import digest
from recollect.store.locks import hold

HOME = "RECOLLECT_HOME"
_STAMP = "recollect.json"
_LOOK = Path(__file__).with_name("child") / "installed_versions.py"
_LINES = 15
"""Of an installer's complaint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What an environment holds."""

    folder: str
    python: str
    """Its version."""
    named: Mapping[str, str]
    """What the requirement files name, with versions."""
    others: Mapping[str, str]
    """What came with it."""


def home() -> Path:
    """Where environments are: `RECOLLECT_HOME`, or `.recollect` in the current folder."""
    return Path(os.environ.get(HOME) or ".recollect")


def folder_of(environment: Environment) -> Path:
    """Where the environment is, or would be."""
    said = [path.read_text(encoding="utf-8") for path in _files(environment)]
    name = re.sub(r"[^\w.-]+", "-", Path(environment.name).stem)
    return home() / "envs" / f"{name}-{digest(said)[3:11]}"


def python_of(environment: Environment) -> Path:
    """The Python of the environment.

    Raises:
        MissingExtraError: It is not there, or not whole.
    """
    _stamp(environment)
    return folder_of(environment).absolute() / "bin" / "python"


def versions_of(environment: Environment) -> Mapping[str, str]:
    """Package -> version, of all that the requirement files name.

    Raises:
        MissingExtraError: The environment is not there, or holds other versions than were installed.
    """
    named, folder = _stamp(environment).named, folder_of(environment)
    now = versions_now(folder, named)
    gone = "gone"
    changed = [
        f"{name} is {now.get(name, gone)}, was {version}" for name, version in named.items() if now.get(name) != version
    ]
    if changed:
        what = f"memory `{environment.name}`, whose environment was changed since it was made ({'; '.join(changed)}),"
        raise MissingExtraError(what, _wanted(environment), f"rm -r {folder} && recollect install {environment.name}")
    return named


def stand_in_of(environment: Environment) -> str:
    """What in the environment is not as its publisher offers it, and so stands in the system's place; empty if nothing.

    Raises:
        MissingExtraError: The environment is not there.
    """
    named = _stamp(environment).named
    seen = stand_ins(folder_of(environment), named, environment.requirements)
    return "; ".join(f"`{name}` is not the published package: {why}" for name, why in sorted(seen.items()))


def install(environment: Environment, python: str | None, say: Callable[[str], None]) -> Installed:
    """Make the environment, or leave the one that is there.

    Raises:
        UsageError: It cannot be made; with the end of what the installer said.
        BusyError: Another process is making it.
    """
    folder = folder_of(environment)
    with hold(folder.with_name(f"{folder.name}.lock"), f"environment {folder}"):
        if (folder / _STAMP).is_file():
            return _stamp(environment)
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(environment, folder.absolute(), python or sys.executable, say)
        made = _look(environment, folder.absolute())
        (folder / _STAMP).write_text(json.dumps(asdict(made), indent=1), encoding="utf-8")
    return made


def _make(environment: Environment, folder: Path, python: str, say: Callable[[str], None]) -> None:
    say(f"making {folder.name}; this may take some minutes")
    _done([python, "-m", "venv", str(folder)], folder.parent)
    if environment.requirements is not None:
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        _done([*pip, "-r", str(environment.requirements.resolve())], folder)
    if environment.node is not None:
        shutil.copyfile(environment.node, folder / "package.json")
        _done(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], folder)


def _look(environment: Environment, folder: Path) -> Installed:
    """What is installed now; refused where it is not what was asked for, whatever the installer said."""
    asked = [] if environment.requirements is None else [str(environment.requirements.resolve())]
    found: dict[str, Any] = json.loads(_done([str(folder / "bin" / "python"), str(_LOOK), *asked], folder))
    if found["wrong"]:
        raise UsageError(f"{folder}: {'; '.join(found['wrong'])}. Nothing of it is used; install again.")
    named = {**found["named"], **_node_versions(environment, folder)}
    others = {name: version for name, version in found["all"].items() if name not in named}
    return Installed(folder=str(folder), python=found["python"], named=named, others=others)


def _node_versions(environment: Environment, folder: Path) -> dict[str, str]:
    if environment.node is None:
        return {}
    asked = json.loads(environment.node.read_text(encoding="utf-8")).get("dependencies", {})
    files = {name: folder / "node_modules" / name / "package.json" for name in asked}
    return {name: str(json.loads(file.read_text(encoding="utf-8"))["version"]) for name, file in files.items()}


def _stamp(environment: Environment) -> Installed:
    file = folder_of(environment) / _STAMP
    if not file.is_file():
        install = f"recollect install {environment.name}"
        raise MissingExtraError(f"memory `{environment.name}`", _wanted(environment), install)
    return Installed(**json.loads(file.read_text(encoding="utf-8")))


def _wanted(environment: Environment) -> str:
    what = environment.requirements or environment.node
    return "" if what is None else f"what {what.parent.name}/{what.name} names"


def _files(environment: Environment) -> list[Path]:
    return [path for path in (environment.requirements, environment.node) if path is not None]


def _done(command: Sequence[str], folder: Path) -> str:
    """What *command* prints.

    Raises:
        UsageError: It failed.
    """
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    except (FileNotFoundError, PermissionError) as error:
        raise UsageError(f"`{command[0]}` cannot be started ({error.strerror}). Is it installed?") from None
    if ended.returncode:
        told = "\n".join((ended.stdout + ended.stderr).strip().splitlines()[-_LINES:])
        raise UsageError(f"`{' '.join(command[:4])} …` failed with exit code {ended.returncode}:\n{told}")
    return ended.stdout


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

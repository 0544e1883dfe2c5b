"""Environments of systems: each made once from a requirement file, and named by its content.

An environment is complete when it has its stamp, which is written last; one without a stamp is made again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
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
"""Of an installer's output in an error."""
_LOCAL = ("file:", "link:")
_WITHOUT_SIZE = ("/__pycache__/", ".dist-info/", "../")
"""Files that are made or rewritten after the package was unpacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The content of an environment."""

    folder: str
    python: str
    """Its version."""
    named: Mapping[str, str]
    """Packages in the requirement files -> versions."""
    others: Mapping[str, str]
    """All other packages -> versions."""


def home() -> Path:
    """Where environments are: `RECOLLECT_HOME`, or `.recollect` in the current folder."""
    return Path(os.environ.get(HOME) or ".recollect")


def folder_of(environment: Environment) -> Path:
    """Where the environment is, or would be."""
    files = (environment.requirements, environment.node)
    texts = [path.read_text(encoding="utf-8") for path in files if path is not None]
    name = re.sub(r"[^\w.-]+", "-", Path(environment.name).stem)
    return home() / "envs" / f"{name}-{digest(texts)[3:11]}"


def python_of(environment: Environment) -> Path:
    """The Python of the environment."""
    _stamp(environment)
    return folder_of(environment).absolute() / "bin" / "python"


def versions_of(environment: Environment) -> Mapping[str, str]:
    """Package -> version, of all packages in the requirement files.

    Raises:
        MissingExtraError: The environment is not there, or was changed since it was made.
    """
    named, folder = _stamp(environment).named, folder_of(environment)
    changed = []
    for name, version in named.items():
        now = _version_now(folder, name)
        if now != version:
            changed.append(f"{name} is {now or 'gone'}, was {version}")
    if changed:
        what = f"memory `{environment.name}`, whose environment was changed since it was made ({'; '.join(changed)}),"
        raise MissingExtraError(what, _wanted(environment), f"rm -r {folder} && recollect install {environment.name}")
    return named


def stand_in_of(environment: Environment) -> str:
    """Which packages of the environment are not the published ones; empty if none.

    A package that the requirements name from a local folder is no stand-in.

    Raises:
        MissingExtraError: The environment is not there.
    """
    named, folder, file = _stamp(environment).named, folder_of(environment), environment.requirements
    text = "" if file is None else file.read_text(encoding="utf-8")
    local = {name.lower() for name in re.findall(r"(?m)^\s*([\w.-]+)(?:\[[^]]*\])?\s*@\s*file:", text)}
    seen = {name: _stands_in(folder, name) for name in sorted(named) if name.lower() not in local}
    return "; ".join(f"`{name}` is not the published package: {why}" for name, why in seen.items() if why)


def install(environment: Environment, python: str | None, say: Callable[[str], None]) -> Installed:
    """Make the environment, unless it is there.

    Raises:
        UsageError: It cannot be made; with the end of the installer's output.
        BusyError: Another process is making it.
    """
    folder = folder_of(environment)
    with hold(folder.with_name(f"{folder.name}.lock"), f"environment {folder}"):
        if (folder / _STAMP).is_file():
            return _stamp(environment)
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        say(f"making {folder.name}; this may take some minutes")
        installed = _make(environment, folder.absolute(), python or sys.executable)
        (folder / _STAMP).write_text(json.dumps(asdict(installed), indent=1), encoding="utf-8")
    return installed


def _make(environment: Environment, folder: Path, python: str) -> Installed:
    """Install, and check what is installed, whatever the installer reports."""
    _output_of([python, "-m", "venv", str(folder)], folder.parent)
    python = str(folder / "bin" / "python")
    requirements = [] if environment.requirements is None else [str(environment.requirements.resolve())]
    if requirements:
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        _output_of([*pip, "-r", *requirements], folder)
    node_versions = {}
    if environment.node is not None:
        shutil.copyfile(environment.node, folder / "package.json")
        _output_of(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
        for name in json.loads(environment.node.read_text(encoding="utf-8")).get("dependencies", {}):
            package = folder / "node_modules" / name / "package.json"
            node_versions[name] = str(json.loads(package.read_text(encoding="utf-8"))["version"])
    found: dict[str, Any] = json.loads(_output_of([python, str(_LOOK), *requirements], folder))
    if found["wrong"]:
        raise UsageError(f"{folder}: {'; '.join(found['wrong'])}. Nothing of it is used; install again.")
    named = {**found["named"], **node_versions}
    others = {name: version for name, version in found["all"].items() if name not in named}
    return Installed(folder=str(folder), python=found["python"], named=named, others=others)


def _stamp(environment: Environment) -> Installed:
    file = folder_of(environment) / _STAMP
    if not file.is_file():
        install = f"recollect install {environment.name}"
        raise MissingExtraError(f"memory `{environment.name}`", _wanted(environment), install)
    return Installed(**json.loads(file.read_text(encoding="utf-8")))


def _wanted(environment: Environment) -> str:
    file = environment.requirements or environment.node
    return "" if file is None else f"what {file.parent.name}/{file.name} names"


def _output_of(command: Sequence[str], folder: Path) -> str:
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    except (FileNotFoundError, PermissionError) as error:
        raise UsageError(f"`{command[0]}` cannot be started ({error.strerror}). Is it installed?") from None
    if ended.returncode:
        output = "\n".join((ended.stdout + ended.stderr).strip().splitlines()[-_LINES:])
        raise UsageError(f"`{' '.join(command[:4])} …` failed with exit code {ended.returncode}:\n{output}")
    return ended.stdout


def _version_now(folder: Path, name: str) -> str | None:
    """The installed version of a Python or node package; `None` if there is none."""
    installed = _distribution(folder, name)
    if installed is not None:
        return installed.version
    package = _json(folder / "node_modules" / name / "package.json")
    return str(package["version"]) if "version" in package else None


def _stands_in(folder: Path, name: str) -> str:
    """Why an installed package is not the published one; empty if it is."""
    installed = _distribution(folder, name)
    if installed is None:
        package = folder / "node_modules" / name
        packages = _json(folder / "node_modules" / ".package-lock.json").get("packages", {})
        locked = packages.get(f"node_modules/{name}", {})
        if package.is_symlink() or locked.get("link"):
            return f"it is a link to {package.resolve()}"
        url = str(locked.get("resolved", ""))
    else:
        url = str(_object(installed.read_text("direct_url.json")).get("url", ""))
    if url.startswith(_LOCAL):
        return f"it was installed from {url}"
    for file in (installed.files if installed is not None else None) or ():
        if file.size is not None and not any(part in str(file) for part in _WITHOUT_SIZE):
            path = Path(str(file.locate()))
            if not path.is_file() or path.stat().st_size != file.size:
                return f"its file {file} is not the one that was installed"
    return ""


def _distribution(folder: Path, name: str) -> Distribution | None:
    sites = [str(site) for site in sorted(folder.glob("lib/python*/site-packages"))]
    return next(iter(distributions(name=name, path=sites)), None)


def _json(file: Path) -> Mapping[str, Any]:
    return _object(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _object(text: str | None) -> Mapping[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

"""An environment is made once, holds what was asked for, and is whole or not there."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from recollect.contracts.systems import Environment
from recollect.domain.errors import MissingExtraError, UsageError
from recollect.memories.worker import installations


def wheel(folder: Path, version: str) -> None:
    """A package called `tiny`, which a requirement file can name without a network."""
    folder.mkdir(exist_ok=True)
    info = f"tiny-{version}.dist-info"
    with zipfile.ZipFile(folder / f"tiny-{version}-py3-none-any.whl", "w") as out:
        out.writestr("tiny.py", f"VERSION = '{version}'\n")
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n")
        out.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        out.writestr(f"{info}/RECORD", "")


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    wheel(tmp_path / "wheels", "1.4")
    file = tmp_path / "requirements.txt"
    file.write_text(f"# ours\n--no-index\n--find-links {tmp_path / 'wheels'}\ntiny>=1.2 # a comment\n")
    return Environment(name="tiny-memory", requirements=file)


@pytest.mark.full
def test_it_is_made_once_and_tells_what_it_holds(environment: Environment) -> None:
    with pytest.raises(MissingExtraError, match="recollect install tiny-memory"):
        installations.python_of(environment)
    said: list[str] = []
    made = installations.install(environment, None, said.append)
    assert made.named == installations.versions_of(environment) == {"tiny": "1.4"}
    assert "pip" in made.others
    code = "import tiny; print(tiny.VERSION)"
    python = str(installations.python_of(environment))
    assert subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout == "1.4\n"
    installations.install(environment, None, said.append)
    assert len(said) == 1, "what is there is left"
    stamp = installations.folder_of(environment) / "recollect.json"
    assert json.loads(stamp.read_text())["named"] == {"tiny": "1.4"}
    stamp.unlink()
    with pytest.raises(MissingExtraError):
        installations.python_of(environment)


@pytest.mark.full
def test_what_cannot_be_installed_leaves_nothing_that_counts(environment: Environment, tmp_path: Path) -> None:
    file = environment.requirements
    assert file is not None
    file.write_text(f"--no-index\n--find-links {tmp_path / 'wheels'}\ntiny>=2\n")
    with pytest.raises(UsageError, match="tiny>=2"):
        installations.install(environment, None, lambda _: None)
    with pytest.raises(MissingExtraError):
        installations.versions_of(environment)


def test_another_requirement_is_another_environment(environment: Environment) -> None:
    before, file = installations.folder_of(environment), environment.requirements
    assert file is not None
    file.write_text(file.read_text() + "\n# changed\n")
    assert installations.folder_of(environment) != before


def test_what_is_installed_is_held_against_what_was_asked(tmp_path: Path) -> None:
    """An installer that goes back to an old version in silence is found out."""
    import sys

    file = tmp_path / "requirements.txt"
    file.write_text(
        "pytest>=999\nno-such-package\nmissing>=1; python_version < '3'\n-c constraints.txt\npip>=1  # here\n"
    )
    look = Path(installations.__file__).with_name("child") / "installed_versions.py"
    done = subprocess.run([sys.executable, str(look), str(file)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert len(found["wrong"]) == 2
    assert "'pytest>=999' was asked for" in found["wrong"][0]
    assert "'no-such-package' is not installed" in found["wrong"][1]
    assert set(found["named"]) == {"pytest", "pip"}

"""What is in an environment is what was installed, as it was published; else it is something in the system's place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from recollect.contracts.systems import Environment
from recollect.domain.errors import MissingExtraError
from recollect.memories.worker import installations
from recollect.memories.worker.adapter import AdapterSystem

CODE = "VERSION = 1\n"


def site(folder: Path) -> Path:
    return folder / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"


def unpack(folder: Path, version: str, url: str = "") -> None:
    """A package `tiny` as an installer leaves it: its file, and the notes beside."""
    info = site(folder) / "tiny.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (site(folder) / "tiny.py").write_text(CODE)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n")
    (info / "RECORD").write_text(f"tiny.py,sha256=x,{len(CODE)}\ntiny.dist-info/RECORD,,\n")
    if url:
        (info / "direct_url.json").write_text(json.dumps({"url": url, "dir_info": {}}))


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """`tiny` 1.4, installed as it is published."""
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    file = tmp_path / "requirements.txt"
    file.write_text("tiny>=1.2\n")
    made = Environment(name="tiny-memory", requirements=file)
    unpack(installations.folder_of(made), "1.4")
    stamp(made, {"tiny": "1.4"})
    return made


def stamp(environment: Environment, named: dict[str, str]) -> None:
    said = {"folder": "", "python": "3", "named": named, "others": {}}
    folder = installations.folder_of(environment)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recollect.json").write_text(json.dumps(said))


def test_a_package_as_it_is_published_stands_for_itself(environment: Environment) -> None:
    assert installations.versions_of(environment) == {"tiny": "1.4"}
    assert installations.stand_in_of(environment) == ""


def test_a_package_from_a_folder_of_this_machine_is_a_stand_in(environment: Environment) -> None:
    unpack(installations.folder_of(environment), "1.4", url="file:///srv/me/fake")
    assert "it was installed from file:///srv/me/fake" in installations.stand_in_of(environment)


def test_a_package_from_a_repository_is_none(environment: Environment) -> None:
    unpack(installations.folder_of(environment), "1.4", url="https://example.org/tiny.git")
    assert installations.stand_in_of(environment) == ""


def test_a_folder_that_was_asked_for_is_none(environment: Environment) -> None:
    """A system of the user's own is what it is, wherever it is from."""
    file = environment.requirements
    assert file is not None
    file.write_text("tiny @ file:///srv/me/mine\n")
    unpack(installations.folder_of(environment), "1.4", url="file:///srv/me/mine")
    stamp(environment, {"tiny": "1.4"})
    assert installations.stand_in_of(environment) == ""


@pytest.mark.parametrize("code", ["VERSION = 'a fake'\n", None])
def test_a_file_that_was_put_in_its_place_is_noticed(code: str | None, environment: Environment) -> None:
    file = site(installations.folder_of(environment)) / "tiny.py"
    file.unlink() if code is None else file.write_text(code)
    assert "`tiny` is not the published package: its file tiny.py" in installations.stand_in_of(environment)


@pytest.mark.parametrize(("version", "seen"), [("1.5", "tiny is 1.5, was 1.4"), (None, "tiny is gone, was 1.4")])
def test_an_environment_that_was_changed_is_not_used(version: str | None, seen: str, environment: Environment) -> None:
    """Its old versions would name what the new ones made."""
    folder = installations.folder_of(environment)
    if version:
        unpack(folder, version)
    else:
        (site(folder) / "tiny.dist-info" / "METADATA").unlink()
        (site(folder) / "tiny.dist-info").rename(folder / "elsewhere")
    with pytest.raises(MissingExtraError, match=seen) as caught:
        installations.versions_of(environment)
    assert "rm -r" in str(caught.value)


@pytest.mark.parametrize(
    ("noted", "seen"),
    [
        ({}, ""),
        ({"resolved": "https://registry.example/tiny.tgz"}, ""),
        ({"resolved": "file:../fake"}, "it was installed from file:../fake"),
        ({"link": True}, "it is a link to"),
    ],
)
def test_a_package_of_node_is_looked_at_too(
    noted: dict[str, object], seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    file = tmp_path / "package.json"
    file.write_text('{"dependencies": {"tiny": "^1"}}')
    made = Environment(name="tiny-node", node=file)
    modules = installations.folder_of(made) / "node_modules"
    (modules / "tiny").mkdir(parents=True)
    (modules / "tiny" / "package.json").write_text('{"version": "1.4"}')
    (modules / ".package-lock.json").write_text(json.dumps({"packages": {"node_modules/tiny": noted}}))
    stamp(made, {"tiny": "1.4"})
    assert installations.versions_of(made) == {"tiny": "1.4"}
    assert seen in installations.stand_in_of(made)
    assert bool(seen) is bool(installations.stand_in_of(made))


def test_another_adapter_names_other_records(tmp_path: Path) -> None:
    """Its own file, and what it stands on; what lies beside and is no part of it changes nothing."""
    adapter, beside, other = (tmp_path / name for name in ("adapter.py", "adapter_support.py", "notes.txt"))
    for file in (adapter, beside, other):
        file.write_text("1\n")
    adapted = AdapterSystem(who="mine", adapter=adapter, files=(beside,))
    seen = [adapted.inputs()]
    for file in (other, adapter, beside):
        file.write_text("2\n")
        seen.append(adapted.inputs())
    assert seen[0] == seen[1]
    assert len({one["adapter"] for one in seen}) == 3

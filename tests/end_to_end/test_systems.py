"""All systems in one table, whatever is installed: each says whether it ran, and only one that ran has a score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import registry

from tests.end_to_end.test_cli import OWN, recollect, said
from tests.fakes.workers import OVERLAP

WORDS = {"ran", "ran against a fake", "not run here"}
ALL = f"recollect run own --data {OWN} --memory all --name all"


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of all, where none of the systems is installed."""
    cwd = tmp_path_factory.mktemp("nothing")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECOLLECT_HOME", str(cwd / "home"))
        recollect(ALL, cwd)
    return cwd


def rows(cwd: Path, run: str) -> dict[str, Any]:
    return {row["row"]: row for row in said(f"recollect score {run}", cwd)["summary"]["rows"]}


def test_every_registered_memory_has_a_row_and_what_is_not_installed_says_how_to_get_it(nothing: Path) -> None:
    found = rows(nothing, "all")
    assert set(found) == {*registry.MEMORIES, *registry.SYSTEMS, "oracle"}
    for name in registry.SYSTEMS:
        assert (found[name]["ran"], "recollect install" in found[name]["ran_why"]) == ("not run here", True)
    assert found["bm25"]["ran"] == "ran"
    printed = recollect("recollect score all", nothing).stdout
    assert "not run here: mem0: " in printed
    table = [line.split() for line in printed.splitlines() if " mem0 " in line]
    assert table[0][1:6] == ["mem0", "not", "run", "here", "-"]
    page = (nothing / "runs/all/report/index.html").read_text()
    assert page.count("recollect install mem0") >= 2
    lines = (nothing / "runs/all/report/scores.csv").read_text().splitlines()
    assert any(",mem0,score," in line and "not run here" in line for line in lines)


def test_a_plan_names_what_it_cannot_run(nothing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(nothing / "home"))
    plan = said(f"{ALL} --dry-run", nothing)
    assert set(plan["not_run_here"]) == set(registry.SYSTEMS)
    assert plan["ran_against_a_fake"] == {}


def test_going_on_needs_no_more_than_there_was(nothing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(nothing / "home"))
    before = said("recollect score all", nothing)["identity"]
    recollect("recollect resume all", nothing)
    assert said("recollect score all", nothing)["identity"] == before
    assert recollect("recollect verify all", nothing).returncode == 0


def test_a_system_that_is_asked_for_by_name_and_missing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who names it wants it; `all` takes what there is."""
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    done = recollect(f"recollect run own --data {OWN} --memory mem0 --memory bm25", tmp_path, code=2)
    assert "recollect install mem0" in done.stderr
    done = recollect(f"recollect run own --data {OWN} --memory all:takes=pair", tmp_path, code=2)
    assert "takes no settings" in done.stderr


def stand_in(folder: Path) -> Path:
    """A YAML file of an adapter that says that it stands in for a system."""
    (folder / "adapter.py").write_text(OVERLAP.read_text() + '\nSTANDS_IN = "a list of ours answers for far.example"\n')
    file = folder / "far.yaml"
    file.write_text("kind: python\nadapter: adapter.py\n")
    return file


def test_a_stand_in_runs_and_its_score_shows_nowhere(tmp_path: Path) -> None:
    """The plumbing is tried; the number that came of it is no number of the system."""
    (tmp_path / "overlap.py").write_text(OVERLAP.read_text())
    (tmp_path / "real.yaml").write_text("kind: python\nadapter: overlap.py\n")
    recollect(f"recollect run own --data {OWN} --memory real.yaml --name real", tmp_path)
    done = recollect(f"recollect run own --data {OWN} --memory {stand_in(tmp_path)} --memory bm25 --name f", tmp_path)
    assert "ran against a fake: far: a list of ours answers for far.example" in done.stdout
    real, fake = (
        {(n["row"], n["arm"]): n for n in said(f"recollect score {run}", tmp_path)["summary"]["numbers"]}
        for run in ("real", "f")
    )
    assert real["real", "system"]["score"]["estimate"] > 0.5
    for arm in ("system", "readback"):
        assert fake["far", arm]["score"].get("estimate") is None
        assert fake["far", arm].get("strict") is None
        assert fake["far", arm]["counts"] == {"planned": 6, "not_available": 6}
    cells = (tmp_path / "runs/f/report/cells.csv").read_text().splitlines()
    mine = [line for line in cells if ",far," in line]
    assert len(mine) == 18
    assert all("not_available" in line and "ran against a fake" in line for line in mine)
    done = recollect("recollect compare f:far f:bm25", tmp_path, code=2)
    assert "no score to compare: ran against a fake" in done.stderr
    recollect("recollect export f --to longmemeval --out out", tmp_path)
    written = {file.name: len(file.read_text().splitlines()) for file in (tmp_path / "out").glob("*far*")}
    assert not sum(written.values())


def test_a_file_that_goes_by_the_name_of_a_system_is_not_that_system(tmp_path: Path) -> None:
    """Whatever it says of itself."""
    (tmp_path / "overlap.py").write_text(OVERLAP.read_text())
    (tmp_path / "mine.yaml").write_text("kind: python\nname: mem0\nadapter: overlap.py\n")
    recollect(f"recollect run own --data {OWN} --memory mine.yaml --name f", tmp_path)
    mine = rows(tmp_path, "f")["mem0"]
    assert (mine["ran"], mine["ran_why"]) == ("ran against a fake", "`mine.yaml` goes by the name of `mem0`")
    assert json.loads((tmp_path / "runs/f/run.json").read_text())["ran"]["mem0"]["word"] == "ran against a fake"


def test_an_adapter_that_changed_starts_other_records(tmp_path: Path) -> None:
    """A run is not gone on with under another adapter."""
    (tmp_path / "overlap.py").write_text(OVERLAP.read_text())
    (tmp_path / "mine.yaml").write_text("kind: python\nadapter: overlap.py\n")
    line = f"recollect run own --data {OWN} --memory mine.yaml --name f"
    recollect(line, tmp_path)
    (tmp_path / "overlap.py").write_text(OVERLAP.read_text() + "\n# changed\n")
    assert "source" in recollect(line, tmp_path, code=3).stderr


def test_the_list_says_what_can_be_run_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    here = said("recollect list", tmp_path)["systems here"]
    assert set(here) == set(registry.SYSTEMS)
    assert here["mem0-raw"] == "not run here: `recollect install mem0`"
    assert "not run here: `recollect install amem`" in recollect("recollect list", tmp_path).stdout


@pytest.mark.systems
def test_whatever_is_installed_runs_and_nothing_else_has_a_score(tmp_path: Path) -> None:
    """On this machine as it is: with all systems, with some, with none."""
    from recollect.memories.worker import installations

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(installations.HOME, str(installations.home().resolve()))
        done = recollect(f"{ALL} --no-references", tmp_path)
        found = rows(tmp_path, "all")
        scored = {
            number["row"]
            for number in said("recollect score all", tmp_path)["summary"]["numbers"]
            if number["score"].get("estimate") is not None
        }
    ran = {name for name, row in found.items() if row["ran"] == "ran"}
    assert {row["ran"] for row in found.values()} <= WORDS
    assert scored <= ran
    asking = [name for name in ("amem", "langmem", "mem0") if name in ran]
    assert all(name in done.stdout.split("plumbing: ")[1].split(":")[0] for name in asking)

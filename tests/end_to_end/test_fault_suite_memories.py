"""Memories that are silently broken, run as a user runs them: the cause is named, and no cell of theirs is scored."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
RECOLLECT = Path(sys.executable).parent / "recollect"
THINGS = ("router", "printer", "camera", "kettle")
FILE = """
import os, sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, {root!r})
from recollect.contracts.traits import Capability
from tests.fakes import broken_memories as broken

TRAITS = replace(broken.KEEPS_ALL, **{more})
{body}
KIND = broken.kind_of({twin}, TRAITS, {name!r})
"""
NO_LISTING = "{'can': frozenset({Capability.READBACK, Capability.SNAPSHOT})}"
IN_ORDER = "{'can': frozenset({Capability.LISTING}), 'writes_when_asked': True}"
STOPS_ONCE = """
class Stopped(broken.{twin}):
    def search(self, cue):
        mark = Path({mark!r})
        if not mark.exists():
            mark.touch()
            os._exit(9)
        return super().search(cue)
"""


class Case(NamedTuple):
    """A twin under some traits, and the cause by which it must be known."""

    twin: str
    cause: str
    more: str = "{}"

    @property
    def name(self) -> str:
        """A row's label: no two are alike."""
        return f"{self.twin}{CASES.index(self) if self in CASES else HONEST.index(self)}"


CASES = (
    Case("ReturnsEverything", "limit_ignored"),
    Case("DropsTheAssistant", "turns_dropped"),
    Case("DropsTheAssistant", "turns_dropped", IN_ORDER),
    Case("HalfIngests", "half_ingested"),
    Case("CutsLongWrites", "half_ingested", "{'takes': 'session'}"),
    Case("CutsLongWrites", "half_ingested", "{'takes': 'whole_history'}"),
    Case("StampsByTheWall", "wall_clock"),
    Case("StampsWhatItFinds", "wall_clock", NO_LISTING),
    Case("SettlesTooEarly", "not_visible"),
    Case("NeverIndexes", "not_visible", NO_LISTING),
    Case("IndexesOnceOnly", "not_visible", "{'keeps': 'some'}"),
    Case("ServesAnotherUser", "wrong_scope"),
    Case("HoldsAnotherUser", "wrong_scope", "{'keeps': 'some'}"),
    Case("LoadsNothing", "state_lost", "{'writes_when_asked': True}"),
    Case("LoadsHalf", "state_lost", "{'writes_when_asked': True}"),
)
HONEST = tuple(
    Case("HonestTwin", "", more)
    for more in sorted(
        {case.more for case in CASES}
        | {"{'takes': 'pair'}", "{'takes': 'tokens', 'unit_size': 5}", "{'provenance': 'none', 'keeps': 'all'}"}
    )
)


@dataclass(frozen=True)
class Done:
    """A run that has ended."""

    folder: Path
    code: int
    summary: dict[str, Any]

    def cells(self, row: str) -> list[dict[str, str]]:
        """Each cell of a row in the arm `system`, in the order of asking."""
        with (self.folder / "runs" / "x" / "report" / "cells.csv").open(newline="") as file:
            return [cell for cell in csv.DictReader(file) if cell["row"] == row and cell["arm"] == "system"]

    def causes(self, row: str) -> set[str]:
        """The causes of the faults of a row."""
        return {group["cause"] for group in self.summary.get("faults", ()) if group["row"] == row}

    def withheld(self, row: str) -> str:
        """Why a row has no headline; empty where it has one."""
        return next(str(one.get("withheld", "")) for one in self.summary["headlines"] if one["row"] == row)


def run(folder: Path, data: Path, files: Iterable[Path]) -> Done:
    """Run memories' files with the command line."""
    named = [word for file in files for word in ("--memory", str(file))]
    line = [str(RECOLLECT), "run", "own", "--data", str(data), *named, "--name", "x", "--json"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    summary = json.loads(done.stdout)["summary"] if done.stdout else {}
    return Done(folder=folder, code=done.returncode, summary=summary)


def memory_file(folder: Path, case: Case, body: str = "") -> Path:
    """A file with a memory of one's own."""
    file = folder / f"{case.name}.py"
    twin = "Stopped" if body else f"broken.{case.twin}"
    file.write_text(FILE.format(root=str(ROOT), more=case.more, body=body, twin=twin, name=case.name))
    return file


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two histories of four sessions with six turns of each side; asked after the second and at the end."""
    folder = tmp_path_factory.mktemp("data")
    sessions, questions = [], []
    for history in ("ann", "bo"):
        for day, thing in enumerate(THINGS, start=4):
            session = f"{history}-{day}"
            sessions.append({"history": history, "session": session, "messages": _talk(session, day, thing)})
            asked = {"history": history, "question": f"What is the {thing} model?", "answers": [f"Lumen {day}"]}
            questions.append({**asked, "evidence": [f"{session}-0"], "after": f"{history}-5" if day < 6 else None})
    for name, rows in (("sessions", sessions), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _talk(session: str, day: int, thing: str) -> list[dict[str, str]]:
    """The first line is the fact; all lines share a word with every question."""
    rows = []
    for turn in range(12):
        who = {"speaker": "Desk", "role": "assistant"} if turn % 2 else {"speaker": "Ann"}
        other = f"Line {turn} of day {day} tells no more of the {' and the '.join(THINGS)}."
        text = f"The {thing} model is Lumen {day}." if turn == 0 else other
        rows.append({"id": f"{session}-{turn}", **who, "text": text, "time": f"2024-03-{day:02d}T09:{turn:02d}"})
    return rows


@pytest.fixture(scope="module")
def broken_run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """All broken twins in one run, beside the memories of the card."""
    folder = tmp_path_factory.mktemp("broken")
    return run(folder, data, [memory_file(folder, case) for case in CASES])


@pytest.fixture(scope="module")
def honest_run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The honest twin under all their traits."""
    folder = tmp_path_factory.mktemp("honest")
    return run(folder, data, [memory_file(folder, case) for case in HONEST])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.cause}")
def test_a_silently_broken_memory_is_a_fault_with_a_cause_and_never_a_wrong_answer(
    case: Case, broken_run: Done
) -> None:
    """None of its cells is scored, so none as wrong; it has no headline, and the run does not succeed."""
    assert broken_run.code == 1
    assert broken_run.causes(case.name) == {case.cause}
    assert broken_run.withheld(case.name)
    lost = broken_run.cells(case.name)
    if case.twin == "IndexesOnceOnly":  # what was asked before it broke stays sound
        assert {cell["value"] for cell in lost[0:2] + lost[4:6]} == {"1.0"}
        lost = lost[2:4] + lost[6:8]
    assert {(cell["status"], cell["value"]) for cell in lost} == {("fault", "")}


def test_the_memories_beside_them_are_none_the_worse(broken_run: Done) -> None:
    """A fault of one row costs no other its score."""
    for row in ("bm25", "files", "full", "window", "none", "oracle"):
        assert broken_run.causes(row) == set()
        assert {cell["status"] for cell in broken_run.cells(row)} <= {"scored", "abstained"}


def test_the_causes_are_told_in_words(broken_run: Done) -> None:
    """Also by `diagnose`, which works from the folder alone."""
    line = [str(RECOLLECT), "diagnose", "x"]
    told = subprocess.run(line, cwd=broken_run.folder, capture_output=True, text=True, timeout=60, check=True)
    assert all(case.cause in told.stdout for case in CASES)


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.more)
def test_the_honest_twin_raises_no_alarm(case: Case, honest_run: Done) -> None:
    """Under the same traits the same checks find nothing."""
    assert honest_run.code == 0
    assert honest_run.causes(case.name) == set()
    found = honest_run.cells(case.name)
    assert {cell["status"] for cell in found} == {"scored"}
    if "tokens" not in case.more:  # a fact that was cut into pieces may be lost by right
        assert {cell["value"] for cell in found} == {"1.0"}


def test_one_broken_memory_is_enough_for_exit_code_1(data: Path, tmp_path: Path) -> None:
    """All its cells are lost, which is more than a hundredth of the run's."""
    done = run(tmp_path, data, [memory_file(tmp_path, CASES[3])])
    assert done.code == 1
    assert done.summary["fault_share"] > 0.01


def test_a_state_that_is_lost_on_resume_is_made_again_and_told(data: Path, tmp_path: Path) -> None:
    """Killed at a question and run again: what was saved comes back empty, so all is fed anew, and nothing is wrong."""
    body = STOPS_ONCE.format(twin="LoadsNothing", mark=str(tmp_path / "mark"))
    file = memory_file(tmp_path, HONEST[0]._replace(more="{}"), body)
    assert run(tmp_path, data, [file]).code == 9
    done = run(tmp_path, data, [file])
    assert done.code == 0
    assert [cell["value"] for cell in done.cells(file.stem)] == ["1.0"] * 8
    assert "state_lost" in {one["stage"] for one in done.summary["timings"] if one["row"] == file.stem}


def test_a_state_that_is_lost_for_good_is_a_fault(data: Path, tmp_path: Path) -> None:
    """After the kill nothing is taken in any more: an empty system is asked nothing."""
    mark = str(tmp_path / "mark")
    body = STOPS_ONCE.format(twin="LoadsNothing", mark=mark) + (
        "    def write(self, batch):\n"
        f"        return broken.Receipt.stored() if Path({mark!r}).exists() else super().write(batch)\n"
    )
    file = memory_file(tmp_path, HONEST[0]._replace(more="{}"), body)
    assert run(tmp_path, data, [file]).code == 9
    done = run(tmp_path, data, [file])
    assert done.code == 1
    assert done.causes(file.stem) == {"nothing_stored"}
    assert {cell["status"] for cell in done.cells(file.stem)} == {"fault"}
    assert done.withheld(file.stem)

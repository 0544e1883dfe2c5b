"""Only a system that itself ran is measured; what stood in its place, or never ran, shows no number at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect.cli.inspect.headline import headline_table
from recollect.diagnose.compare.pairs import compare, sides_of
from recollect.diagnose.records.identity import identity
from recollect.diagnose.summary import findings
from recollect.domain.errors import UsageError
from recollect.domain.steps import Arm
from recollect.records.codec import encode
from recollect.report.writer import files_of
from recollect.store.run_folder import RunFolder

from tests.fakes.run_builder import (
    BENCHMARK,
    Case,
    RowSpec,
    Said,
    build,
    floor_row,
    make_history,
    oracle_row,
    right,
    wrong,
)

SHOWN = ("0.714", "71.4")
"""Five of seven: no other row has that score."""


def five_of_seven(case: Case) -> Said:
    return right(case) if case.number < 5 else wrong(case)


def made(path: Path, standings: object) -> RunFolder:
    """A run with a row `mine` that has five of seven right, and a row `other` that has all."""
    arms = (Arm.SYSTEM, Arm.READBACK)
    rows = [
        RowSpec(label="mine", says=five_of_seven, arms=arms),
        RowSpec(label="other", says=right),
        floor_row(),
        oracle_row(),
    ]
    folder = build(path, rows, [make_history(number, questions=7) for number in range(2)])
    file = folder.path / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "ran": standings}))
    return folder


def told(folder: RunFolder, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """All that is said of a run, by where."""
    found = findings(folder, BENCHMARK)
    headline_table(found.summary)
    files = files_of(folder, found.summary, found.cells, card=BENCHMARK.card, identity="r1:0")
    text = {"terminal": capsys.readouterr().out, "json": json.dumps(encode(found.summary))}
    return {**text, **{name: content.decode() for name, content in files.items()}}


FAKE = {"mine": {"word": "ran against a fake", "why": "a server of ours stood in"}}


def test_the_score_of_a_row_that_ran_shows_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The control: what is looked for below is there otherwise."""
    said = told(made(tmp_path / "run", {"mine": {"word": "ran", "why": ""}}), capsys)
    for place in ("terminal", "json", "report.json", "scores.csv", "index.html"):
        assert any(number in said[place] for number in SHOWN), place
        assert "ran" in said[place]


@pytest.mark.parametrize("standing", [FAKE, {"mine": {"word": "sort of ran"}}, {"mine": "ran"}, {"mine": {}}])
def test_the_score_of_a_stand_in_shows_nowhere(
    standing: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor that of a row of which nobody can read how it stood."""
    said = told(made(tmp_path / "run", standing), capsys)
    assert not [place for place, text in said.items() if any(number in text for number in SHOWN)]
    assert "ran against a fake" in said["terminal"]
    assert "ran against a fake" in said["index.html"]


def test_nothing_of_a_stand_in_is_measured(tmp_path: Path) -> None:
    """No mean, no mean with zeros in it, no part, no recall, no waterfall, no label of a loss."""
    found = findings(made(tmp_path / "run", FAKE), BENCHMARK)
    mine = [one for one in found.summary.numbers if one.row == "mine"]
    assert {(one.arm, one.score.estimate, one.strict, one.counts.not_available) for one in mine} == {
        (Arm.SYSTEM, None, None, 14),
        (Arm.READBACK, None, None, 14),
    }
    assert not [part for one in mine for part in one.parts if part.score.estimate is not None]
    (lift,) = [one for one in found.summary.headlines if one.row == "mine"]
    assert (lift.lift.estimate, bool(lift.withheld)) == (None, True)
    (searched,) = [one for one in found.summary.retrieval if one.row == "mine"]
    assert (searched.points, searched.foreign.estimate) == ((), None)
    assert not [one for one in found.summary.waterfalls if one.row == "mine" and one.preservation.estimate is not None]
    cells = [cell for cell in found.cells if cell.row == "mine"]
    assert {(cell.value, cell.answer, cell.recall, cell.verdict, cell.failure) for cell in cells} == {(None,) * 5}
    assert all("ran against a fake" in cell.why for cell in cells)


def test_other_rows_are_as_they_were(tmp_path: Path) -> None:
    plain, faked = (findings(made(tmp_path / name, said), BENCHMARK) for name, said in (("plain", {}), ("faked", FAKE)))
    for table in ("numbers", "headlines", "retrieval", "waterfalls"):
        one, other = (
            [line for line in getattr(found.summary, table) if line.row != "mine"] for found in (plain, faked)
        )
        assert one == other


def test_a_row_that_is_not_run_here_is_in_every_table_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was never planned, so it has no cells; it is there all the same."""
    why = "memory `far` needs package `far`. Install it with `recollect install far`."
    folder = made(tmp_path / "run", {"far": {"word": "not run here", "why": why}})
    found, said = findings(folder, BENCHMARK), told(folder, capsys)
    assert {row.row: row.ran for row in found.summary.rows} == {
        "mine": "ran",
        "other": "ran",
        "far": "not run here",
        "none": "ran",
        "oracle": "ran",
    }
    assert "recollect install far" in said["terminal"]
    assert [
        line for line in said["scores.csv"].splitlines() if line.startswith("facts,far,score,") and "not run" in line
    ]
    assert "recollect install far" in said["index.html"]
    assert found.summary.total.planned == len(found.cells)


def test_a_system_that_says_that_it_cannot_start_was_not_run_here(tmp_path: Path) -> None:
    """Its cells stay the faults that they are."""
    rows = [
        RowSpec(label="mine", says=right, broken=("state", "not_available", 0), writes={}),
        floor_row(),
        oracle_row(),
    ]
    folder = build(tmp_path / "run", rows, [make_history(0)])
    summary = findings(folder, BENCHMARK).summary
    (mine,) = [row for row in summary.rows if row.row == "mine"]
    assert (mine.ran, mine.ran_why.startswith("it could not start: ")) == ("not run here", True)
    assert summary.total.fault == 4


@pytest.mark.parametrize(("cause", "writes"), [("worker_died", {}), ("not_available", {"stored": 2})])
def test_a_system_that_broke_has_run(cause: str, writes: dict[str, int], tmp_path: Path) -> None:
    rows = [RowSpec(label="mine", says=right, broken=("state", cause, 1), writes=writes), floor_row(), oracle_row()]
    summary = findings(build(tmp_path / "run", rows, [make_history(0)]), BENCHMARK).summary
    assert {row.row: row.ran for row in summary.rows}["mine"] == "ran"


def test_a_stand_in_is_not_compared(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", {**FAKE, "far": {"word": "not run here", "why": "no far"}})
    for row in ("mine", "far"):
        with pytest.raises(UsageError, match="has no score to compare"):
            compare(*sides_of(folder, [row, "other"], BENCHMARK))


def test_why_a_row_did_not_run_is_no_part_of_a_runs_identity(tmp_path: Path) -> None:
    """It names folders of the machine; the word itself decides what is shown, and is part of it."""
    said = [{"mine": {"word": "ran against a fake", "why": why}} for why in ("a", "b")]
    names = []
    for number, standing in enumerate([*said, {}]):
        folder = made(tmp_path / str(number), standing)
        names.append(identity(folder, findings(folder, BENCHMARK).summary))
    assert names[0] == names[1] != names[2]

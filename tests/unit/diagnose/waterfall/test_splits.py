"""The waterfall of each value of a label, and the right answers that its nested shares leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.summary import Findings, findings
from recollect.domain.steps import Arm
from recollect.records.tables.supplement import SplitPart, SplitRow

from tests.fakes.run_builder import BENCHMARK, TASKS, Case, RowSpec, Said, build, lost, make_history, oracle_row, right

CORNERS = {"sun": ("+++", "++-", "+--", "--+"), "rain": ("---", "+-+", "-++", "-+-")}
"""Kind -> oracle, readback and system of the questions 0, 2, 4, 6; of `rain` those of 1, 3, 5, 7."""
ARMS = {Arm.ORACLE: 0, Arm.READBACK: 1, Arm.SYSTEM: 2}
SPLIT = replace(
    BENCHMARK, card=replace(BENCHMARK.card, tasks={**TASKS, "facts": replace(TASKS["facts"], split_by="kind")})
)


def kind(number: int) -> dict[str, str]:
    return {"kind": "rain" if number % 2 else "sun"}


def planted(case: Case) -> Said:
    corner = CORNERS[kind(case.number)["kind"]][case.number // 2]
    return right(case) if corner[ARMS[case.arm]] == "+" else lost(case)


def found(path: Path, *rows: RowSpec, benchmark: Benchmark = SPLIT) -> Findings:
    history = make_history(0, questions=8, labels=kind)
    return findings(build(path / "run", rows, [history]), benchmark)


def parts_of(row: SplitRow) -> Mapping[str | None, SplitPart]:
    return {part.value: part for part in row.parts}


BOTH = (Arm.SYSTEM, Arm.READBACK)
BM25 = RowSpec(label="bm25", says=planted, arms=BOTH)


def test_each_value_has_its_own_shares_with_their_denominators(tmp_path: Path) -> None:
    """By hand from `CORNERS`: of sun 3 are read, 2 of 3 kept, 1 of 2 found; of rain 1 is read and 0 of 1 kept."""
    (row,) = found(tmp_path, BM25, oracle_row(planted)).beside.splits
    parts = parts_of(row)
    assert list(parts) == [None, "rain", "sun"]
    shares = {
        value: [(one.estimate, one.n) for one in (fall.reading, fall.preservation, fall.retrieval)]
        for value, fall in ((value, part.waterfall) for value, part in parts.items())
    }
    assert shares["sun"] == [(0.75, 4), (pytest.approx(2 / 3), 3), (0.5, 2)]
    assert shares["rain"] == [(0.25, 4), (0.0, 1), (None, 0)]
    assert shares[None] == [(0.5, 8), (0.5, 4), (0.5, 2)]
    assert parts["rain"].waterfall.retrieval.why == "nothing is right under readback"
    assert parts["sun"].waterfall.preservation.low is not None
    assert parts["sun"].score.estimate == 0.5


def test_the_corners_of_the_values_add_up_to_those_of_the_whole(tmp_path: Path) -> None:
    (row,) = found(tmp_path, BM25, oracle_row(planted)).beside.splits
    counts = {value: [cell.count for cell in part.waterfall.table] for value, part in parts_of(row).items()}
    assert counts["sun"] == [1, 1, 0, 1, 0, 0, 1, 0]
    assert counts[None] == [a + b for a, b in zip(counts["sun"], counts["rain"], strict=True)]


def test_leaks_that_run_the_other_way_are_named_with_their_questions(tmp_path: Path) -> None:
    """Right without the oracle: `--+` (question 6) and `-++` (5); right without readback: `--+` and `+-+` (3)."""
    (row,) = found(tmp_path, BM25, oracle_row(planted)).beside.splits
    leaks = {leak.name: [one.question for one in leak.questions] for leak in parts_of(row)[None].leaks}
    assert leaks == {
        "right_without_oracle": ["q-facts-0-5", "q-facts-0-6"],
        "right_without_readback": ["q-facts-0-3", "q-facts-0-6"],
    }
    assert [leak.count for leak in parts_of(row)["rain"].leaks] == [1, 1]


def test_rows_stand_by_their_score_and_the_oracle_is_none(tmp_path: Path) -> None:
    rows = (RowSpec(label="a", says=lost, arms=BOTH), BM25, RowSpec(label="c", says=right, arms=BOTH))
    assert [row.row for row in found(tmp_path, *rows, oracle_row(planted)).beside.splits] == ["c", "bm25", "a"]


def test_without_readback_the_score_of_each_value_remains(tmp_path: Path) -> None:
    row = found(tmp_path, RowSpec(label="bm25", says=planted), oracle_row(planted)).beside.splits[0]
    part = parts_of(row)["sun"]
    assert (part.score.estimate, part.waterfall.why, part.leaks) == (0.5, "the arm `readback` was not asked", ())


def test_a_card_that_names_no_label_has_none(tmp_path: Path) -> None:
    assert found(tmp_path, BM25, oracle_row(planted), benchmark=BENCHMARK).beside.splits == ()

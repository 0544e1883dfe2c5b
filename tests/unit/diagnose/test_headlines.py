"""No floor, no ceiling or too many faults: no headline, and the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.diagnose import headlines as module
from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.headlines import headlines
from recollect.diagnose.records.join import read_run
from recollect.domain.histories import Keyed
from recollect.records.tables.summary import Headline

from tests.fakes.run_builder import (
    BENCHMARK,
    Case,
    RowSpec,
    Said,
    build,
    floor_row,
    lost,
    make_history,
    oracle_row,
    right,
    wrong,
)

HUNDRED = [make_history(number, questions=10) for number in range(10)]


def headline(path: Path, *rows: RowSpec, histories: Sequence[Keyed] | None = None) -> Headline:
    grid = grid_of(read_run(build(path / "run", rows, histories), BENCHMARK).cells)
    return next(one for one in headlines(grid, BENCHMARK.card.tasks, Estimator(seed=7)) if one.row == "bm25")


def row(says: Callable[[Case], Said]) -> RowSpec:
    return RowSpec(label="bm25", says=says)


def upto(share: int, says: Callable[[Case], Said], other: Callable[[Case], Said] = right) -> Callable[[Case], Said]:
    """*says* for the first *share* of 100 questions, spread over the histories, *other* for the rest."""
    return lambda case: says(case) if case.number * 10 + int(case.keyed.history.history_id[-1]) < share else other(case)


def test_the_lift_is_the_share_of_the_way_from_floor_to_ceiling(tmp_path: Path) -> None:
    """Floor 0.2, ceiling 0.9, score 0.55: half of the way."""
    rows = (
        row(upto(55, right, lost)),
        floor_row(upto(20, right, lost)),
        oracle_row(upto(90, right, wrong)),
    )
    found = headline(tmp_path, *rows, histories=HUNDRED)
    assert (found.score.estimate, found.floor.estimate, found.ceiling.estimate) == (0.55, 0.2, 0.9)
    assert found.lift.estimate == pytest.approx(0.5)
    assert found.lift.low is not None
    assert (found.lift.n, found.lift.clusters, found.withheld, found.saturated) == (100, 10, "", False)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        pytest.param((row(right), oracle_row()), "the run has no row `none`, which is the floor", id="no-floor"),
        pytest.param((row(right), floor_row()), "the run has no row `oracle`, which is the ceiling", id="no-ceiling"),
        pytest.param(
            (row(lambda case: Said()), floor_row(), oracle_row()),
            "row `bm25`: 8 of 8 answers are still to come",
            id="not-finished",
        ),
        pytest.param(
            (row(lambda case: Said(unavailable="cannot")), floor_row(), oracle_row()),
            "row `bm25`: no answer counts",
            id="nothing-counts",
        ),
    ],
)
def test_without_floor_ceiling_or_answers_it_is_withheld_with_the_reason(
    tmp_path: Path, rows: tuple[RowSpec, ...], why: str
) -> None:
    found = headline(tmp_path, *rows)
    assert (found.withheld, found.lift.estimate, found.lift.why) == (why, None, why)


def broken(share: int) -> RowSpec:
    return row(upto(share, lambda case: Said(fault=("answer", "timeout"))))


def test_one_percent_of_faults_is_allowed_and_two_are_not(tmp_path: Path) -> None:
    rows = (floor_row(), oracle_row())
    assert headline(tmp_path / "a", broken(1), *rows, histories=HUNDRED).withheld == ""
    withheld = headline(tmp_path / "b", broken(2), *rows, histories=HUNDRED).withheld
    assert withheld == "row `bm25`: 2 of 100 answers are faults (2.0 %)"


def test_a_bound_that_lets_faults_through_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above."""
    monkeypatch.setattr(module, "MOST_FAULTS", 1.0)
    assert headline(tmp_path, broken(2), floor_row(), oracle_row(), histories=HUNDRED).withheld == ""


@pytest.mark.parametrize("part", ["none", "oracle"])
def test_a_floor_or_ceiling_full_of_faults_holds_up_no_headline(tmp_path: Path, part: str) -> None:
    faulty = replace(broken(50), label=part)
    arms = oracle_row().arms if part == "oracle" else faulty.arms
    bad = replace(faulty, kind="oracle" if part == "oracle" else "memory", arms=arms, reference=True)
    other = floor_row() if part == "oracle" else oracle_row()
    assert f"`{part}`: 50 of 100" in headline(tmp_path, row(right), bad, other, histories=HUNDRED).withheld


def test_the_lift_is_taken_on_the_questions_that_all_three_have(tmp_path: Path) -> None:
    found = headline(tmp_path, broken(1), floor_row(), oracle_row(), histories=HUNDRED)
    assert (found.score.n, found.floor.n, found.lift.n) == (99, 100, 99)


@pytest.mark.parametrize(("share", "saturated"), [(92, True), (91, False)])
def test_within_two_standard_errors_of_the_ceiling_is_saturated(tmp_path: Path, share: int, saturated: bool) -> None:
    """Ceiling 0.95 with history means 1.0 and 0.9, five each: standard error 0.0167, so the border is 0.9167."""
    rows = (row(upto(share, right, lost)), floor_row(), oracle_row(upto(95, right, wrong)))
    assert headline(tmp_path, *rows, histories=HUNDRED).saturated is saturated


def test_a_ceiling_that_is_not_above_the_floor_has_no_lift_and_says_so(tmp_path: Path) -> None:
    found = headline(tmp_path, row(right), floor_row(right), oracle_row(lost))
    assert found.lift.estimate is None
    assert "not above the floor" in found.lift.why


def test_floor_and_ceiling_have_no_headline_of_their_own(tmp_path: Path) -> None:
    grid = grid_of(read_run(build(tmp_path / "run", [row(right), floor_row(), oracle_row()]), BENCHMARK).cells)
    assert [one.row for one in headlines(grid, BENCHMARK.card.tasks, Estimator(seed=7))] == ["bm25"]

"""The full table of oracle, readback and system, and the nested shares beside it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.records.join import read_run
from recollect.diagnose.waterfall import arms as module
from recollect.diagnose.waterfall.arms import waterfalls
from recollect.domain.histories import Keyed
from recollect.domain.steps import Arm
from recollect.records.tables.summary import Waterfall
from recollect.stats.significance import mcnemar_p

from tests.fakes.run_builder import BENCHMARK, Case, RowSpec, Said, build, lost, make_history, oracle_row, right, wrong

CORNERS = tuple(product((True, False), repeat=3))
HISTORY = make_history(0, questions=36)
SIZES = (8, 7, 6, 5, 4, 3, 2, 1)
"""Questions in each corner; they sum to 36, and no two corners have the same."""
PLACE = [corner for corner, size in zip(CORNERS, SIZES, strict=True) for _ in range(size)]
ARMS = {Arm.ORACLE: 0, Arm.READBACK: 1, Arm.SYSTEM: 2, Arm.READBACK_PURE: 2}


def planted(case: Case) -> Said:
    """Each question is right in the arms of its corner."""
    return right(case) if PLACE[case.number][ARMS[case.arm]] else lost(case)


BOTH = (Arm.SYSTEM, Arm.READBACK)


def found(path: Path, *rows: RowSpec, history: Keyed = HISTORY) -> list[Waterfall]:
    grid = grid_of(read_run(build(path / "run", rows, [history]), BENCHMARK).cells)
    return list(waterfalls(grid, BENCHMARK.card.tasks, Estimator(seed=7)))


def test_all_eight_corners_are_counted_and_the_shares_are_nested(tmp_path: Path) -> None:
    one = found(tmp_path, RowSpec(label="bm25", says=planted, arms=BOTH), oracle_row(planted))[0]
    assert [((c.oracle, c.readback, c.system), c.count) for c in one.table] == list(zip(CORNERS, SIZES, strict=True))
    assert (one.n, one.dropped) == (36, 0)
    assert one.reading.estimate == pytest.approx(26 / 36)
    assert one.preservation.estimate == pytest.approx(15 / 26)
    assert one.retrieval.estimate == pytest.approx(8 / 15)
    assert (one.reading.n, one.preservation.n, one.retrieval.n) == (36, 26, 15)
    assert one.retrieval.low is not None


def test_oracle_and_system_are_tested_against_each_other(tmp_path: Path) -> None:
    one = found(tmp_path, RowSpec(label="bm25", says=planted, arms=BOTH), oracle_row(planted))[0].fourfold
    assert one is not None
    assert (one.both, one.oracle_only, one.system_only, one.neither) == (14, 12, 6, 4)
    assert one.p == mcnemar_p(12, 6)


def test_a_cell_that_lacks_an_arm_is_dropped_and_counted(tmp_path: Path) -> None:
    def faulty(case: Case) -> Said:
        fault = case.arm is Arm.READBACK and case.number < 5
        return Said(fault=("answer", "timeout")) if fault else planted(case)

    one = found(tmp_path, RowSpec(label="bm25", says=faulty, arms=BOTH), oracle_row(planted))[0]
    assert (one.n, one.dropped, one.table[0].count) == (31, 5, 3)


def test_a_table_that_takes_a_missing_arm_for_wrong_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above."""
    monkeypatch.setattr(module, "counted_value", lambda cell: cell.value or 0.0)
    test = test_a_cell_that_lacks_an_arm_is_dropped_and_counted
    with pytest.raises(AssertionError):
        test(tmp_path)


def test_without_readback_the_reading_ceiling_and_the_test_remain(tmp_path: Path) -> None:
    one = found(tmp_path, RowSpec(label="bm25", says=planted), oracle_row(planted))[0]
    assert (one.table, one.n, one.why) == ((), 0, "the arm `readback` was not asked")
    assert one.reading.estimate == pytest.approx(26 / 36)
    assert (one.preservation.estimate, one.preservation.why) == (None, "the arm `readback` was not asked")
    assert one.fourfold is not None


def test_a_readback_that_the_system_cannot_do_names_its_reason(tmp_path: Path) -> None:
    def says(case: Case) -> Said:
        return Said(unavailable="`bm25` cannot tell") if case.arm is Arm.READBACK else planted(case)

    one = found(tmp_path, RowSpec(label="bm25", says=says, arms=BOTH), oracle_row(planted))[0]
    assert one.why == "the arm `readback` has no outcome: `bm25` cannot tell"


def test_without_an_oracle_there_is_no_table(tmp_path: Path) -> None:
    one = found(tmp_path, RowSpec(label="bm25", says=planted, arms=BOTH))[0]
    assert (one.why, one.reading.estimate, one.fourfold) == ("the arm `oracle` was not asked", None, None)


def test_a_graded_task_has_no_table(tmp_path: Path) -> None:
    rows = (RowSpec(label="bm25", says=right, arms=BOTH), oracle_row())
    one = found(tmp_path, *rows, history=make_history(0, task="graded"))[0]
    assert (one.why, one.fourfold) == ("the task is graded, not right or wrong", None)


def test_the_pure_readback_is_a_table_of_its_own(tmp_path: Path) -> None:
    row = RowSpec(label="bm25", says=planted, arms=(*BOTH, Arm.READBACK_PURE))
    first, second = found(tmp_path, row, oracle_row(planted))
    assert (first.variant, second.variant) == ("readback", "readback_pure")
    assert second.table[1].count == 0  # planted so that the pure readback is right exactly where the system is


def test_an_agent_is_held_against_its_own_oracle(tmp_path: Path) -> None:
    agent = RowSpec(label="agent", kind="agent", says=planted, arms=(Arm.SYSTEM, Arm.READBACK, Arm.ORACLE))
    assert found(tmp_path, agent, oracle_row(wrong))[0].reading.estimate == pytest.approx(26 / 36)


def test_replicates_are_cells_of_the_table_but_no_questions_of_their_own(tmp_path: Path) -> None:
    rows = (RowSpec(label="bm25", says=planted, arms=BOTH, replicates=2), replace(oracle_row(planted), replicates=2))
    one = found(tmp_path, *rows)[0]
    assert (one.n, one.reading.n) == (72, 36)


def test_nothing_right_under_oracle_leaves_the_later_shares_undefined(tmp_path: Path) -> None:
    one = found(tmp_path, RowSpec(label="bm25", says=planted, arms=BOTH), oracle_row(wrong))[0]
    assert (one.reading.estimate, one.preservation.estimate) == (0.0, None)
    assert one.preservation.why == "nothing is right under oracle"

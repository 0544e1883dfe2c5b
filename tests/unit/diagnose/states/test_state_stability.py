"""How stable a memory score is over runs; every expected number is computed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

import pytest

from recollect.diagnose.estimates import Estimator
from recollect.diagnose.grid import grid_of
from recollect.diagnose.states.summary import states
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.states import Stability

from tests.fakes.state_cells import gold_of, oracle, scored

ANSWERS: Mapping[int, Sequence[Sequence[bool]]] = {
    0: ((True, False), (True, True)),
    1: ((True, True), (True, True)),
    2: ((False, False), (True, False)),
}
"""Run -> period -> answers of two questions of one user, four choices each; the oracle is always right."""


def _of_run(replicate: int) -> list[CellOutcome]:
    return [
        scored("u", period, f"q{at}", right, replicate=replicate)
        for period, answers in enumerate(ANSWERS[replicate])
        for at, right in enumerate(answers)
    ]


def _oracles() -> list[CellOutcome]:
    return [oracle("u", period, f"q{at}", True) for period in range(2) for at in range(2)]


def _stability(cells: Sequence[CellOutcome]) -> Stability | None:
    return states(grid_of(cells), gold_of, Estimator(seed=0))[0].stability


def _runs(*replicates: int) -> list[CellOutcome]:
    return [cell for replicate in replicates for cell in _of_run(replicate)]


def test_each_run_is_scored_by_itself_and_then_the_runs_are_compared() -> None:
    """Right: 3/4, 1, 1/4. Memory of a period with share s is (s - 1/4) / (3/4): (1/3 + 1) / 2, 1, (-1/3 + 1/3) / 2."""
    found = _stability([*_runs(0, 1, 2), *_oracles()])
    assert found is not None
    assert (found.runs, found.why) == (3, "")
    assert found.overall is not None
    assert found.overall.values == (0.75, 1.0, 0.25)
    assert found.overall.mean == pytest.approx(2 / 3)
    assert found.memory is not None
    assert found.memory.values == pytest.approx((2 / 3, 1.0, 0.0))
    assert found.memory.mean == pytest.approx(5 / 9)
    assert found.memory.sd == pytest.approx(sqrt(((2 / 3 - 5 / 9) ** 2 + (1 - 5 / 9) ** 2 + (5 / 9) ** 2) / 2))


def test_a_row_that_ran_once_has_no_spread() -> None:
    assert _stability([*_runs(0), *_oracles()]) is None


def test_runs_that_do_not_differ_have_no_deviation() -> None:
    again = [replace(cell, replicate=1) for cell in _runs(0)]
    found = _stability([*_runs(0), *again, *_oracles()])
    assert found is not None
    assert found.memory is not None
    assert found.memory.sd == 0.0


def test_a_run_that_lacks_too_many_scores_is_left_out_and_told_of() -> None:
    """One of its four answers is a fault: 25 %, where a headline bears 1 %."""
    broken = [replace(cell, status="fault", value=None) if not at else cell for at, cell in enumerate(_of_run(2))]
    found = _stability([*_runs(0, 1), *broken, *_oracles()])
    assert found is not None
    assert found.overall is not None
    assert found.overall.values == (0.75, 1.0)
    assert found.why == "1 of 3 runs lack too many scores, and are left out"


def test_one_run_that_is_left_is_no_spread() -> None:
    broken = [replace(cell, status="fault", value=None) for cell in _of_run(1)]
    found = _stability([*_runs(0), *broken, *_oracles()])
    assert found is not None
    assert (found.overall, found.memory) == (None, None)
    assert found.why


def test_without_an_upper_bound_there_is_no_memory_score_and_a_reason() -> None:
    found = _stability(_runs(0, 1))
    assert found is not None
    assert found.overall is not None
    assert (found.memory, found.why) == (None, "no run has a memory score")


def test_the_upper_bound_is_of_all_runs() -> None:
    """An oracle that is right in the first run alone: both runs are held against one half, in each period."""
    bounds = [oracle("u", p, f"q{at}", not run, replicate=run) for p in range(2) for at in range(2) for run in (0, 1)]
    again = [replace(cell, replicate=1) for cell in _runs(0)]
    found = _stability([*_runs(0), *again, *bounds])
    assert found is not None
    assert found.memory is not None
    assert found.memory.values == pytest.approx((2.0, 2.0))

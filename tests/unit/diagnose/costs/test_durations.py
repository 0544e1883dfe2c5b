"""Construction and query by one definition, whatever a system calls its stages."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.contracts.traits import Traits
from recollect.diagnose.costs.durations import durations
from recollect.diagnose.records.trials import Measure
from recollect.diagnose.summary import findings
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.supplement import RowTime

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, memory_row
from tests.fakes.run_builder import (
    BENCHMARK,
    CONFIG,
    Case,
    RowSpec,
    Said,
    build,
    floor_row,
    make_history,
    oracle_row,
    task,
)
from tests.fakes.toy_protocols import EPISODES, PROTOCOLS


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> tuple[CellOutcome, ...]:
    """Two histories of four questions, a second each."""

    def slow(case: Case) -> Said:
        return Said(text=case.gold, seconds=1.0 + case.number)

    rows = [RowSpec(label="bm25", says=slow, arms=(Arm.SYSTEM, Arm.READBACK)), floor_row(), oracle_row()]
    folder = build(tmp_path_factory.mktemp("run") / "r", rows, [make_history(0), make_history(1)])
    return findings(folder, BENCHMARK).cells


def _of(found: tuple[RowTime, ...], row: str) -> RowTime:
    return next(one for one in found if one.row == row)


def test_construction_is_all_writing_and_settling_of_a_context(cells: tuple[CellOutcome, ...]) -> None:
    """Two contexts: (1 + 2 + 3) seconds of writing and 0.5 of settling are 3.25 each."""
    told = [Measure("state", None, seconds) for seconds in (1.0, 2.0, 3.0)] + [Measure("settle", None, 0.5)]
    other = [Measure("recall", Arm.SYSTEM, 100.0), Measure("state_lost", None, 100.0)]
    found = _of(durations(cells, [("facts", "bm25", one) for one in [*told, *other]]), "bm25")
    assert (found.contexts, found.construction_s) == (2, 3.25)


def test_a_row_whose_writing_was_never_measured_has_no_time_and_not_zero(cells: tuple[CellOutcome, ...]) -> None:
    assert _of(durations(cells, []), "bm25").construction_s is None


def test_the_oracle_is_no_system_and_has_no_line(cells: tuple[CellOutcome, ...]) -> None:
    assert {one.row for one in durations(cells, [])} == {"bm25", "none"}


def test_the_peak_is_the_highest_of_all_contexts_and_else_says_why_not(cells: tuple[CellOutcome, ...]) -> None:
    told = [("facts", "bm25", Measure("settle", None, 0.1, peak)) for peak in (5, 9, None, 7)]
    found = durations(cells, told)
    assert _of(found, "bm25").peak_bytes == 9
    assert _of(found, "bm25").peak_why == ""
    assert _of(found, "none").peak_bytes is None
    assert "process" in _of(found, "none").peak_why


class Slow(toy.ToyMemory):
    """Settles in a tenth of a second, and tells of its memory as a worker would."""

    peak_bytes = 7

    def settle(self) -> None:
        time.sleep(0.1)
        super().settle()


def test_what_the_engine_measures_comes_out_by_its_definition(tmp_path: Path) -> None:
    """Waiting until all can be found is construction; a query holds its search."""
    harness = Harness(tmp_path / "run")
    harness.folder.create({"config": {**CONFIG, "judge": "rules"}})
    made = {keyed.history.history_id: (keyed, list(steps)) for keyed, steps in map(PROTOCOLS["observe_all"], EPISODES)}
    harness.folder.write_data([keyed for keyed, _ in made.values()], {}, {})
    row = memory_row(Slow, Traits(can=toy.ALL))
    harness.run([harness.trial(keyed, steps, row) for keyed, steps in made.values()])
    tasks = {keyed.task: task(keyed.task, judged=True) for keyed, _ in made.values()}
    card = replace(BENCHMARK.card, tasks=tasks)
    benchmark = replace(BENCHMARK, card=card, steps=lambda history, *_: made[history.history_id][1])
    found = findings(harness.folder, benchmark)
    (line,) = found.beside.times
    assert line.construction_s is not None
    assert line.construction_s >= 0.1
    assert line.search_s is not None
    assert line.query_s is not None
    assert 0 < line.search_s <= line.query_s < line.construction_s
    assert line.peak_bytes == 7

"""All tables together: the same for the same folder, and true of what the engine records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.benchmark import Benchmark
from recollect.contracts.traits import Capability, Traits
from recollect.diagnose.records.identity import identity
from recollect.diagnose.summary import findings, summarise
from recollect.domain.histories import Keyed
from recollect.domain.steps import Arm, Step
from recollect.engine.rows import Row
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Summary
from recollect.store.run_folder import RunFolder

from tests.fakes import toy_systems as toy
from tests.fakes.harness import Harness, agent_row, memory_row, oracle
from tests.fakes.run_builder import (
    BENCHMARK,
    CONFIG,
    RowSpec,
    Said,
    build,
    floor_row,
    make_history,
    oracle_row,
    right,
    task,
)
from tests.fakes.toy_protocols import EPISODES, PROTOCOLS

BOTH = (Arm.SYSTEM, Arm.READBACK)


def test_a_summary_is_the_same_every_time(tmp_path: Path) -> None:
    folder = build(tmp_path / "run", [floor_row(), oracle_row(), RowSpec(label="bm25", says=right, arms=BOTH)])
    assert summarise(folder, BENCHMARK) == summarise(folder, BENCHMARK)


def test_totals_are_of_all_cells_and_systems_come_before_references(tmp_path: Path) -> None:
    def says(case: Any) -> Said:
        return Said(fault=("answer", "timeout")) if case.number == 0 else right(case)

    folder = build(tmp_path / "run", [floor_row(), oracle_row(), RowSpec(label="zep", says=says)])
    summary = summarise(folder, BENCHMARK)
    assert [row.row for row in summary.rows] == ["zep", "none", "oracle"]
    assert (summary.total.planned, summary.total.fault) == (24, 2)
    assert summary.fault_share == pytest.approx(2 / 24)
    assert [(f.row, f.stage, f.cause, f.cells, f.example) for f in summary.faults] == [
        ("zep", "answer", "timeout", 2, "ToyError: it broke")
    ]
    facts = summary.tasks[0]
    assert (facts.questions, facts.histories, facts.measure) == (8, 2, "accuracy")
    assert summary.conditions["reader"] == "rules"
    assert summary.rows[0].writes == {"stored": 8}  # two writes in each of two steps of two histories


def test_an_order_dependent_row_says_so_even_before_it_was_asked(tmp_path: Path) -> None:
    row = RowSpec(label="zep", says=lambda case: Said(), state="order_dependent", broken=("state", "raised", 0))
    assert summarise(build(tmp_path / "run", [row], [make_history(0)]), BENCHMARK).rows[0].marks == ("order_dependent",)


def test_a_collector_that_was_on_is_on_again_and_one_that_was_off_stays_off(tmp_path: Path) -> None:
    import gc

    folder = build(tmp_path / "run", [RowSpec(label="bm25", says=right)])
    summarise(folder, BENCHMARK)
    assert gc.isenabled()
    gc.disable()
    try:
        summarise(folder, BENCHMARK)
        assert not gc.isenabled()
    finally:
        gc.enable()


STEPS: dict[str, dict[str, tuple[Keyed, list[Step]]]] = {
    protocol: {keyed.history.history_id: (keyed, list(steps)) for keyed, steps in map(make, EPISODES)}
    for protocol, make in PROTOCOLS.items()
}


def engine_run(path: Path, protocol: str, *table: Row) -> tuple[Summary, tuple[CellOutcome, ...]]:
    """A protocol run by the real engine, with toy systems, and what is made of its folder."""
    harness = Harness(path)
    harness.folder.create({"config": {**CONFIG, "judge": "rules"}})
    made = STEPS[protocol]
    harness.folder.write_data([keyed for keyed, _ in made.values()], {}, {})
    harness.run([harness.trial(keyed, steps, row) for keyed, steps in made.values() for row in table])
    found = findings(harness.folder, toy_benchmark(made))
    return found.summary, found.cells


def toy_benchmark(made: dict[str, tuple[Keyed, list[Step]]]) -> Benchmark:
    names = {keyed.task for keyed, _ in made.values()}
    card = replace(BENCHMARK.card, tasks={name: task(name, judged=True) for name in names})
    return replace(BENCHMARK, card=card, steps=lambda history, *_: made[history.history_id][1])


def rows() -> list[Row]:
    """The oracle, a memory that can all, and an agent."""
    every = Traits(can=toy.ALL)
    talking = Traits(can=frozenset({Capability.LISTING, Capability.SNAPSHOT, Capability.POLICY}))
    return [
        oracle(),
        memory_row(toy.ToyMemory, every, arms=(Arm.SYSTEM, Arm.READBACK, Arm.READBACK_PURE)),
        agent_row(toy.BufferAgent, talking, arms=(Arm.SYSTEM, Arm.ORACLE)),
    ]


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_every_cell_that_the_engine_finished_has_an_outcome(tmp_path: Path, protocol: str) -> None:
    """Whatever the protocol: nothing is unfinished, nothing is a fault, and all that counts was scored."""
    summary, cells = engine_run(tmp_path / "run", protocol, *rows())
    by_status = Counter(cell.status for cell in cells)
    assert set(by_status) <= {"scored", "abstained", "not_available"}, by_status
    assert by_status["scored"] > 0
    assert summary.total.planned == len(cells)
    assert {row.row for row in summary.rows} == {"oracle", "toy", "agent"}


@pytest.mark.parametrize(
    ("memory", "stage", "cause"),
    [
        pytest.param(toy.FailingWrite, "state", "timeout", id="write"),
        pytest.param(partial(toy.FailingSearch, word="river"), "recall", "unreachable", id="search"),
        pytest.param(toy.SecretWriter, "check", "state_changed", id="writes-when-asked"),
        pytest.param(toy.ForgetfulListing, "check", "nothing_stored", id="stores-nothing"),
    ],
)
def test_what_the_engine_records_as_a_fault_is_no_score(
    tmp_path: Path, memory: Callable[[], toy.ToyMemory], stage: str, cause: str
) -> None:
    summary, cells = engine_run(tmp_path / "run", "observe_all", oracle(), memory_row(memory, Traits(can=toy.ALL)))
    faults = [cell for cell in cells if cell.status == "fault"]
    assert {(group.row, group.stage, group.cause) for group in summary.faults} == {("toy", stage, cause)}
    assert sum(group.cells for group in summary.faults) == len(faults)
    assert all(cell.value is None for cell in faults)


@dataclass
class LateSettler(toy.ToyMemory):
    """Takes everything in, and cannot be brought to rest while the test says so."""

    @property
    def is_down(self) -> bool:
        return bool(DOWN)

    def settle(self) -> None:
        if self.is_down:
            raise TimeoutError("not yet")


DOWN: list[bool] = []


def test_a_run_that_recovered_from_a_fault_is_the_run_that_never_had_one(tmp_path: Path) -> None:
    """The fault of a settle stands under a key whose record is there; it must not outlive its cause."""
    row = memory_row(LateSettler, Traits(can=toy.ALL))
    DOWN.append(True)
    broken, cells = engine_run(tmp_path / "broken", "checkpoints", oracle(), row)
    DOWN.clear()
    assert {cell.status for cell in cells if cell.row == "toy"} == {"fault"}
    mended, _ = engine_run(tmp_path / "broken", "checkpoints", oracle(), row)
    whole, _ = engine_run(tmp_path / "whole", "checkpoints", oracle(), row)
    assert (mended.faults, mended.total) == ((), whole.total)
    folders = RunFolder(tmp_path / "broken"), RunFolder(tmp_path / "whole")
    assert identity(folders[0], mended) == identity(folders[1], whole)
    assert identity(folders[0], broken) != identity(folders[0], mended)

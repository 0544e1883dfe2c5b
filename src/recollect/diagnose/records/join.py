"""Joins plan, records and keys: every planned cell with what became of it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.benchmark import Benchmark, TaskCard
from recollect.contracts.verdicts import JUDGE_CHECK, UNCALIBRATED
from recollect.diagnose.records.conditions import StepsOf, has_judge, seed_of, steps_as_configured
from recollect.diagnose.records.outcomes import CellMaker, Scoring
from recollect.diagnose.records.plan import Episode, PlannedTrial, episode_of, planned_trials
from recollect.diagnose.records.policy_versions import Adopted
from recollect.diagnose.records.provenance import provenance_of_rows, unmeasured
from recollect.diagnose.records.trials import Measure, TrialRecords, read_trial
from recollect.diagnose.waterfall.evidence import ReadDepth
from recollect.diagnose.waterfall.failures import label_failures
from recollect.domain.errors import DataError
from recollect.domain.ids import HistoryId
from recollect.records.memory_card import CARDS
from recollect.records.provenance import PROVENANCE, Ran, decode_provenance
from recollect.records.tables.summary import CellOutcome
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedRun:
    """A run as read from its folder."""

    name: str
    config: Mapping[str, Any]
    episodes: Mapping[HistoryId, Episode]
    shared: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]]
    """Row -> what its trials say of it."""
    cells: tuple[CellOutcome, ...]
    """Every planned cell, ordered by task, row, replicate, history, and as they were asked, take after take."""
    writes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Row -> receipts by status."""
    measures: tuple[tuple[str, str, Measure], ...] = ()
    """Task, row and measure of each call that was timed."""
    standings: Mapping[str, Ran] = field(default_factory=dict)
    """Row -> whether the system itself ran; also of rows that are not run here and have no cells."""
    adopted: tuple[Adopted, ...] = ()
    """Every policy that an agent adopted."""

    @property
    def seed(self) -> int:
        """The seed of every resample."""
        return seed_of(self.config)


def join(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> tuple[CellOutcome, ...]:
    """Every planned cell of a run with what became of it; wrong answers say where they were lost.

    Args:
        folder: Only read.
        benchmark: That of the run; its score weighs the answers.
        steps_of: How the run made its steps, where more than the preset decides that.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    with without_garbage_collection():
        return read_run(folder, benchmark, steps_of).cells


def read_run(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> JoinedRun:
    """The cells as `join` gives them, with all that the tables need beside them."""
    from recollect.text.tokens import count

    settings = folder.settings()
    config = settings["config"]
    make = steps_of or steps_as_configured(benchmark, config, folder.talks())
    episodes = {keyed.history.history_id: episode_of(keyed, make) for keyed in folder.histories()}
    desk = _Desk(folder=folder, benchmark=benchmark, episodes=episodes, shared=folder.shared(), config=config)
    judged = {name for name, card in benchmark.card.tasks.items() if card.judged} if has_judge(config) else set()
    for plan in planned_trials(folder.trials(), episodes, config, judged):
        desk.take(plan)
    said = decode_provenance(settings.get(PROVENANCE))
    ordered = sorted(unmeasured(desk.cells, said), key=lambda cell: (cell.task, cell.row, cell.replicate, cell.history))
    return JoinedRun(
        name=folder.name,
        config={**config, JUDGE_CHECK: settings.get(JUDGE_CHECK, UNCALIBRATED), CARDS: settings.get(CARDS, {})},
        episodes=episodes,
        shared=desk.shared,
        rows=desk.rows,
        cells=tuple(label_failures(ordered, benchmark.card.tasks, ReadDepth(count=count))),
        writes={row: dict(sorted(counts.items())) for row, counts in sorted(desk.writes.items())},
        measures=tuple(desk.measures),
        adopted=tuple(sorted(desk.adopted)),
        standings=provenance_of_rows(ordered, said, {row: bool(counts) for row, counts in desk.writes.items()}),
    )


@dataclass(slots=True, kw_only=True)
class _Desk:
    """Takes in one trial after the other."""

    folder: RunFolder
    benchmark: Benchmark
    episodes: Mapping[HistoryId, Episode]
    shared: Mapping[str, Any]
    config: Mapping[str, Any]
    cells: list[CellOutcome] = field(default_factory=list)
    rows: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    writes: dict[str, Counter[str]] = field(default_factory=dict)
    measures: list[tuple[str, str, Measure]] = field(default_factory=list)
    adopted: list[Adopted] = field(default_factory=list)

    def take(self, plan: PlannedTrial) -> None:
        """Make the cells of one trial."""
        records, row = self._records(plan), plan.facts["row"]
        episode = self.episodes[plan.facts["history"]]
        maker = CellMaker(plan=plan, records=records, episode=episode, scoring=self._scoring(plan))
        self.cells.extend(maker.make(name) for name in plan.cells)
        self.rows.setdefault(row, plan.facts)
        self.measures.extend((plan.facts["task"], row, measure) for measure in records.measures)
        receipts = self.writes.setdefault(row, Counter())
        for state in records.states:
            receipts.update(state.writes)
            if state.policy is not None:
                facts = plan.facts
                whose = (facts["task"], row, facts["history"], facts["replicate"])
                self.adopted.append(Adopted(*whose, state.step, state.policy))

    def _records(self, plan: PlannedTrial) -> TrialRecords:
        history = plan.facts["history"]
        if history not in self.episodes:
            fix = "Restore data/, or run again."
            raise DataError(f"trial of unknown history `{history}`", self.folder.path, fix=fix)
        if not plan.begun:
            return TrialRecords(facts=plan.facts, where=str(self.folder.path))
        return read_trial(self.folder, plan.facts)

    def _scoring(self, plan: PlannedTrial) -> Scoring:
        task = plan.facts["task"]
        judged = task_card(self.benchmark, task, str(self.folder.path)).judged and has_judge(self.config)
        return Scoring(score=self.benchmark.score, shared=self.shared.get(task, {}), judged=judged)


def task_card(benchmark: Benchmark, task: str, where: str) -> TaskCard:
    """The card of a task.

    Raises:
        DataError: The benchmark has no such task.
    """
    card = benchmark.card.tasks.get(task)
    if card is None:
        known = ", ".join(sorted(benchmark.card.tasks))
        raise DataError(
            f"`{benchmark.card.name}` has no task `{task}`", where, fix=f"Name the run's own benchmark; known: {known}."
        )
    return card


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Hold the garbage collector, if it was on; nothing made inside may be cyclic and large."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

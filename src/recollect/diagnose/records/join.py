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
from recollect.diagnose.records.conditions import has_judge, seed_of, steps_as_configured
from recollect.diagnose.records.outcomes import CellMaker
from recollect.diagnose.records.plan import Episode, PlannedTrial, episode_of, planned_trials
from recollect.diagnose.records.policy_versions import Adopted
from recollect.diagnose.records.provenance import provenance_of_rows, unmeasured
from recollect.diagnose.records.trials import Measure, TrialRecords, read_trial
from recollect.diagnose.waterfall.failures import label_failures
from recollect.domain.errors import DataError
from recollect.domain.ids import HistoryId
from recollect.records.memory_card import CARDS
from recollect.records.provenance import PROVENANCE, Ran, decode_provenance
from recollect.records.tables.cells import CellOutcome, ReadDepth
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedRun:
    """A run as read from its folder."""

    name: str
    config: Mapping[str, Any]
    episodes: Mapping[HistoryId, Episode]
    shared: Mapping[str, Any]
    rows: Mapping[str, Mapping[str, Any]]
    """Row -> the facts in its trials."""
    cells: tuple[CellOutcome, ...]
    """Every planned cell, ordered by task, row, replicate, history, and as they were asked, take after take."""
    writes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Row -> receipts by status."""
    measures: tuple[tuple[str, str, Measure], ...] = ()
    """Task, row and measure of each timed call."""
    standings: Mapping[str, Ran] = field(default_factory=dict)
    """Row -> whether the system itself ran; also of rows without cells, which are not run here."""
    adopted: tuple[Adopted, ...] = ()

    @property
    def seed(self) -> int:
        return seed_of(self.config)


def read_run(folder: RunFolder, benchmark: Benchmark) -> JoinedRun:
    """Every planned cell of a run with its outcome, and all else that the tables need; wrong answers are labelled.

    Args:
        folder: Only read.
        benchmark: That of the run; its score weighs the answers.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    from recollect.text.tokens import count

    settings = folder.settings()
    config = settings["config"]
    make = steps_as_configured(benchmark, config, folder.talks())
    episodes = {keyed.history.history_id: episode_of(keyed, make) for keyed in folder.histories()}
    found = _Joining(folder=folder, benchmark=benchmark, episodes=episodes, shared=folder.shared(), config=config)
    judged = {name for name, card in benchmark.card.tasks.items() if card.judged} if has_judge(config) else set()
    for plan in planned_trials(folder.trials(), episodes, config, judged):
        found.add(plan)
    standings = decode_provenance(settings.get(PROVENANCE))
    cells = sorted(
        unmeasured(found.cells, standings), key=lambda cell: (cell.task, cell.row, cell.replicate, cell.history)
    )
    return JoinedRun(
        name=folder.name,
        config={**config, JUDGE_CHECK: settings.get(JUDGE_CHECK, UNCALIBRATED), CARDS: settings.get(CARDS, {})},
        episodes=episodes,
        shared=found.shared,
        rows=found.rows,
        cells=tuple(label_failures(cells, benchmark.card.tasks, ReadDepth(count=count))),
        writes={row: dict(sorted(counts.items())) for row, counts in sorted(found.writes.items())},
        measures=tuple(found.measures),
        adopted=tuple(sorted(found.adopted)),
        standings=provenance_of_rows(cells, standings, {row: bool(counts) for row, counts in found.writes.items()}),
    )


@dataclass(slots=True, kw_only=True)
class _Joining:
    """Collects trial after trial."""

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

    def add(self, plan: PlannedTrial) -> None:
        facts = plan.facts
        task, row, history = facts["task"], facts["row"], facts["history"]
        if history not in self.episodes:
            fix = "Restore data/, or run again."
            raise DataError(f"trial of unknown history `{history}`", self.folder.path, fix=fix)
        where = str(self.folder.path)
        records = read_trial(self.folder, facts) if plan.begun else TrialRecords(facts=facts, where=where)
        judged = task_card(self.benchmark, task, where).judged and has_judge(self.config)
        score, shared = self.benchmark.score, self.shared.get(task, {})
        maker = CellMaker(plan, records, self.episodes[history], score, shared, judged)
        self.cells.extend(maker.make(name) for name in plan.cells)
        self.rows.setdefault(row, facts)
        self.measures.extend((task, row, measure) for measure in records.measures)
        receipts = self.writes.setdefault(row, Counter())
        for state in records.states:
            receipts.update(state.writes)
            if state.policy is not None:
                self.adopted.append(Adopted(task, row, history, facts["replicate"], state.step, state.policy))


def task_card(benchmark: Benchmark, task: str, where: str) -> TaskCard:
    card = benchmark.card.tasks.get(task)
    if card is None:
        known = ", ".join(sorted(benchmark.card.tasks))
        raise DataError(
            f"`{benchmark.card.name}` has no task `{task}`", where, fix=f"Name the run's own benchmark; known: {known}."
        )
    return card


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector; nothing made inside may be cyclic and large."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

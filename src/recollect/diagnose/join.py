"""Joins plan, records and keys: every planned cell with what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.contracts.benchmark import Benchmark, TaskCard
from recollect.diagnose.conditions import StepsOf, has_judge, seed_of, steps_as_configured
from recollect.diagnose.outcomes import CellMaker, Scoring
from recollect.diagnose.planning import Episode, PlannedTrial, episode_of, planned_trials
from recollect.diagnose.trial_records import Measure, TrialRecords, read_trial
from recollect.domain.errors import DataError
from recollect.domain.ids import HistoryId
from recollect.records.summary import CellOutcome
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedRun:
    """A run as read from its folder."""

    name: str
    config: Mapping[str, Any]
    episodes: Mapping[HistoryId, Episode]
    shared: Mapping[str, Any]
    trials: tuple[Mapping[str, Any], ...]
    """What each trial that has begun is."""
    cells: tuple[CellOutcome, ...]
    """Every planned cell, ordered by task, row, replicate, history, and as they were asked."""
    writes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Row -> receipts by status."""
    measures: tuple[tuple[str, str, Measure], ...] = ()
    """Task, row and measure of each call that was timed."""

    @property
    def seed(self) -> int:
        """The seed of every resample."""
        return seed_of(self.config)


def join(folder: RunFolder, benchmark: Benchmark, steps_of: StepsOf | None = None) -> JoinedRun:
    """Read a run folder.

    Args:
        folder: Only read.
        benchmark: That of the run; its score weighs the answers.
        steps_of: How the run made its steps, where more than the preset decides that.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    config = folder.settings()["config"]
    make = steps_of or steps_as_configured(benchmark, config)
    episodes = {keyed.history.history_id: episode_of(keyed, make) for keyed in folder.histories()}
    shared, trials = folder.shared(), folder.trials()
    cells: list[CellOutcome] = []
    measures: list[tuple[str, str, Measure]] = []
    writes: dict[str, Counter[str]] = {}
    for plan in planned_trials(trials, episodes):
        records = _records(folder, plan, episodes)
        scoring = _scoring(plan, benchmark, shared, judge=has_judge(config))
        cells.extend(_cells(plan, records, episodes, scoring))
        task, row = plan.facts["task"], plan.facts["row"]
        measures.extend((task, row, measure) for measure in records.measures)
        writes.setdefault(row, Counter()).update(_receipts(records))
    return JoinedRun(
        name=folder.name,
        config=config,
        episodes=episodes,
        shared=shared,
        trials=tuple(trials),
        cells=tuple(sorted(cells, key=lambda c: (c.task, c.row, c.replicate, c.history))),
        writes={row: dict(sorted(counts.items())) for row, counts in sorted(writes.items())},
        measures=tuple(measures),
    )


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


def _records(folder: RunFolder, plan: PlannedTrial, episodes: Mapping[HistoryId, Episode]) -> TrialRecords:
    history = plan.facts["history"]
    if history not in episodes:
        raise DataError(f"trial of unknown history `{history}`", folder.path, fix="Restore data/, or run again.")
    if not plan.begun:
        return TrialRecords(facts=plan.facts, where=str(folder.path))
    return read_trial(folder, plan.facts, episodes[history].asked_at)


def _scoring(plan: PlannedTrial, benchmark: Benchmark, shared: Mapping[str, Any], *, judge: bool) -> Scoring:
    task = plan.facts["task"]
    judged = judge and task_card(benchmark, task, str(plan.facts["trial"])).judged
    return Scoring(score=benchmark.score, shared=shared.get(task, {}), judged=judged)


def _cells(
    plan: PlannedTrial, records: TrialRecords, episodes: Mapping[HistoryId, Episode], scoring: Scoring
) -> Iterator[CellOutcome]:
    maker = CellMaker(plan=plan, records=records, episode=episodes[plan.facts["history"]], scoring=scoring)
    return (maker.make(name) for name in plan.cells)


def _receipts(records: TrialRecords) -> Counter[str]:
    total: Counter[str] = Counter()
    for state in records.states:
        total.update(state.writes)
    return total

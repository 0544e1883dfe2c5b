"""Ranks the same rows in two runs: does it matter who talked?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from recollect.diagnose.compare.knobs import ABSENT, Knob, knobs
from recollect.diagnose.estimates import as_estimate, nothing, question_means, rounded, rounded_p
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.headlines import is_broken
from recollect.diagnose.records.conditions import seed_of
from recollect.diagnose.summary import Findings
from recollect.domain.errors import UsageError
from recollect.domain.ids import HistoryId
from recollect.domain.steps import Arm
from recollect.records.tables.cells import Estimate
from recollect.records.tables.multi_run import Concordance, RankChange, RankedRow, RankTable
from recollect.records.tables.summary import Number
from recollect.stats.clusters import infer_means
from recollect.stats.correlation import kendall

WHO_TALKED = frozenset({"talk_digest", "user", "user_fingerprint"})
NO_NUMBER = frozenset({"fresh", "judge_check", "left_out", "ran", "references"})
"""Knobs that change no number of a row that both runs have."""
MEMORY = "memory score"
_RATIOS = (-1.0, 1.0)


class Unit(NamedTuple):
    """What two rows are paired on: a question that was asked, or a user in a period."""

    history: HistoryId
    name: str


Values = Mapping[Unit, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    score: Estimate
    values: Values
    """What the score is a mean of; empty where it is withheld."""


class Ranked(NamedTuple):
    """One task by one measure in one run."""

    rows: Mapping[str, Scored]
    bounds: tuple[float, float] | None
    """Of the differences between values."""
    seed: int


def rank_change(first: tuple[Findings, Mapping[str, Any]], second: tuple[Findings, Mapping[str, Any]]) -> RankChange:
    """The ranks of all rows that both runs have; each run with its settings.

    Args:
        first: For example agents that held the dialogues themselves.
        second: For example the same agents, shown the dialogues of another agent.

    Raises:
        UsageError: The runs differ in more than who talked, or share fewer than two rows; every knob is named.
    """
    (one, settings), (other, other_settings) = first, second
    labels, other_labels = (
        [str(row["label"]) for row in run["config"].get("rows", ())] for run in (settings, other_settings)
    )
    alone = {label: "the second run has no such row" for label in labels if label not in other_labels}
    alone |= {label: "the first run has no such row" for label in other_labels if label not in labels}
    found = knobs(settings, other_settings)
    names = f"`{one.summary.run}` and `{other.summary.run}`"
    blocking = "; ".join(
        f"{knob.name}: {knob.first} and {knob.second}" for knob in found if not _is_harmless(knob, alone)
    )
    if blocking:
        raise UsageError(
            f"{names} differ in more than who talked: {blocking}. "
            "Run both under the same settings; otherwise a changed rank says nothing about the dialogues."
        )
    ours, theirs = measures(one), measures(other)
    tables = tuple(_table(name, ours[name], theirs[name], one) for name in ours if name in theirs)
    if not any(len(table.rows) > 1 for table in tables):
        raise UsageError(f"{names} share fewer than two rows: nothing to rank.")
    return RankChange(
        first=one.summary.run,
        second=other.summary.run,
        knobs=tuple(knob.name for knob in found),
        left_out=alone,
        tables=tables,
    )


def _is_harmless(knob: Knob, alone: Mapping[str, str]) -> bool:
    root, _, rest = knob.name.partition(".")
    return root in WHO_TALKED | NO_NUMBER or (root == "rows" and rest in alone and ABSENT in (knob.first, knob.second))


def measures(found: Findings) -> dict[tuple[str, str], Ranked]:
    """Task and measure -> the rows: the primary measure of each task, then memory scores where a task has them."""
    grid, seed = grid_of(found.cells), seed_of(found.summary.config)
    numbers = [
        number
        for number in found.summary.numbers
        if number.purpose == "score" and number.arm is Arm.SYSTEM and grid.kinds.get(number.row, "oracle") != "oracle"
    ]
    ranked: dict[tuple[str, str], Ranked] = {}
    for task in found.summary.tasks:
        rows = {number.row: _scored(number, grid) for number in numbers if number.task == task.task}
        ranked[task.task, task.measure] = Ranked(rows, _RATIOS, seed)
        memory = dict(_memory_scores(found, task.task))
        if memory:
            ranked[task.task, MEMORY] = Ranked(memory, None, seed)
    return ranked


def ranks(rows: Mapping[str, Values], bounds: tuple[float, float] | None, *, seed: int) -> dict[str, int]:
    """One more than the number of rows that are significantly better, by the interval of the paired difference.

    So rows that are not significantly different may share a rank, and a rank never rests on chance alone.
    """
    better = dict.fromkeys(rows, 0)
    for one, other in combinations(rows, 2):
        interval = difference(rows[one], rows[other], bounds, seed=seed)
        if interval.low is not None and interval.low > 0:
            better[other] += 1
        elif interval.high is not None and interval.high < 0:
            better[one] += 1
    return {name: 1 + count for name, count in better.items()}


def difference(first: Values, second: Values, bounds: tuple[float, float] | None, *, seed: int) -> Estimate:
    """First minus second over the units that both have, clustered by history."""
    shared = sorted(first.keys() & second.keys())
    if not shared:
        return nothing("nothing that both have a value for")
    differences = [first[unit] - second[unit] for unit in shared]
    found = infer_means(differences, [unit.history for unit in shared], rng_seed=seed, bounds=bounds)
    return as_estimate(found[0].interval)


def _scored(number: Number, grid: Grid) -> Scored:
    if number.counts.unfinished or is_broken(number.counts):
        return Scored(score=nothing("unfinished, or too many faults"), values={})
    values = question_means(grid.block(number.task, number.row, Arm.SYSTEM))
    units = {Unit(asked.history, f"{asked.checkpoint} {asked.question}"): value for asked, value in values.items()}
    return Scored(score=number.score, values=units)


def _memory_scores(found: Findings, task: str) -> Iterator[tuple[str, Scored]]:
    for row in found.beside.states:
        if row.task != task:
            continue
        known = {Unit(one.history, f"{one.period:04d}"): one.memory for one in row.users if one.memory is not None}
        if row.withheld:
            yield row.row, Scored(score=nothing(row.withheld), values={})
        elif known:
            yield row.row, Scored(score=row.whole.scores.memory, values=known)


def _table(name: tuple[str, str], ours: Ranked, theirs: Ranked, found: Findings) -> RankTable:
    shared = [facts for facts in found.summary.rows if facts.row in ours.rows and facts.row in theirs.rows]
    first_ranks, second_ranks = (
        ranks(
            {facts.row: side.rows[facts.row].values for facts in shared if side.rows[facts.row].values},
            side.bounds,
            seed=side.seed,
        )
        for side in (ours, theirs)
    )
    rows = []
    for facts in shared:
        first, second = first_ranks.get(facts.row), second_ranks.get(facts.row)
        one, other = ours.rows[facts.row], theirs.rows[facts.row]
        ranked = RankedRow(
            row=facts.row,
            kind=facts.kind,
            reference=facts.reference,
            first=one.score,
            second=other.score,
            difference=difference(one.values, other.values, ours.bounds, seed=ours.seed),
            first_rank=first,
            second_rank=second,
            change=None if first is None or second is None else second - first,
        )
        rows.append(ranked)
    rows.sort(key=lambda row: (row.first_rank is None, -(row.first.estimate or 0.0), row.row))
    both = [row for row in rows if row.change is not None]
    return RankTable(
        task=name[0],
        measure=name[1],
        rows=tuple(rows),
        of_scores=_concordance([(row.first.estimate, row.second.estimate) for row in both]),
        of_ranks=_concordance([(row.first_rank, row.second_rank) for row in both]),
    )


def _concordance(pairs: Sequence[tuple[float | None, float | None]]) -> Concordance:
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    found = kendall([one for one, _ in known], [other for _, other in known])
    return Concordance(tau=rounded(found.coefficient), p=rounded_p(found.p), n=found.n, why=found.why or "")

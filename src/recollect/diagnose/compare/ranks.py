"""Ranks the same rows in two runs: does it matter who talked?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.diagnose.compare.knobs import ABSENT, Knob, knobs
from recollect.diagnose.estimates import (
    Asked,
    as_estimate,
    by_question,
    counted_value,
    nothing,
    per_question,
    rounded,
    rounded_p,
)
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.headlines import MOST_FAULTS
from recollect.diagnose.records.conditions import seed_of
from recollect.diagnose.summary import Findings
from recollect.domain.errors import UsageError
from recollect.domain.ids import HistoryId
from recollect.domain.steps import Arm
from recollect.records.tables.multi_run import Concordance, RankChange, RankedRow, RankTable
from recollect.records.tables.summary import Estimate, Number
from recollect.stats.clusters import infer_means
from recollect.stats.correlation import Correlation, kendall

WHO_TALKED = frozenset({"talk_digest", "user", "user_fingerprint"})
NO_NUMBER = frozenset({"fresh", "judge_check", "left_out", "ran", "references"})
"""Knobs that change no number of a row that both runs have."""
MEMORY = "memory score"
_RATIOS = (-1.0, 1.0)
"""Between which a difference of two ratios lies."""


class Unit(NamedTuple):
    """What two rows are paired on: a question that was asked, or a user in a period."""

    history: HistoryId
    name: str


Values = Mapping[Unit, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One row by one measure in one run."""

    score: Estimate
    values: Values
    """What the score is a mean of; empty where it is not to be shown."""


class Ranked(NamedTuple):
    """One task by one measure in one run."""

    rows: Mapping[str, Scored]
    bounds: tuple[float, float] | None
    """Of differences between values."""
    seed: int


Measures = Mapping[tuple[str, str], Ranked]
"""Task and measure -> the rows."""


def rank_change(
    first: tuple[Findings, Mapping[str, Any]], second: tuple[Findings, Mapping[str, Any]], *, level: float = 0.95
) -> RankChange:
    """The ranks of all rows that both runs have; each run with its settings.

    Args:
        first: Such as agents that talked themselves.
        second: Such as the same agents, told what another one talked.
        level: Coverage of all intervals; ties go by it.

    Raises:
        UsageError: The runs differ in more than who talked, or share fewer than two rows; every knob is named.
    """
    (one, said), (other, said_too) = first, second
    found = knobs(said, said_too)
    alone = _alone(said, said_too)
    _check(one, other, [knob for knob in found if not _is_harmless(knob, alone)])
    ours, theirs = measures(one, level), measures(other, level)
    shared = [name for name in ours if name in theirs]
    tables = tuple(_table(name, ours[name], theirs[name], (one, level)) for name in shared)
    if not any(len(table.rows) > 1 for table in tables):
        raise UsageError(f"`{one.summary.run}` and `{other.summary.run}` share fewer than two rows: nothing to rank.")
    return RankChange(
        first=one.summary.run,
        second=other.summary.run,
        knobs=tuple(knob.name for knob in found),
        left_out=alone,
        tables=tables,
    )


def measures(found: Findings, level: float = 0.95) -> Measures:
    """The primary measure of each task, then memory scores where a task has them."""
    grid, seed = grid_of(found.cells), seed_of(found.summary.config)
    kept = {name for name, kind in grid.kinds.items() if kind != "oracle"}
    mine = [one for one in found.summary.numbers if one.purpose == "score" and one.arm is Arm.SYSTEM]
    made: dict[tuple[str, str], Ranked] = {}
    for task in found.summary.tasks:
        rows = {one.row: _scored(one, grid) for one in mine if one.task == task.task and one.row in kept}
        made[task.task, task.measure] = Ranked(rows, _RATIOS, seed)
        remembered = dict(_remembered(found, task.task, level))
        if remembered:
            made[task.task, MEMORY] = Ranked(remembered, None, seed)
    return made


def ranks(rows: Mapping[str, Values], bounds: tuple[float, float] | None, *, seed: int, level: float) -> dict[str, int]:
    """One more than the rows that are clearly better: the interval of the paired difference lies above 0.

    So rows that cannot be told apart may share a rank, and a rank never rests on chance alone.
    """
    beaten = dict.fromkeys(rows, 0)
    names = list(rows)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            apart = difference(rows[one], rows[other], bounds, seed=seed, level=level)
            if apart.low is not None and apart.low > 0:
                beaten[other] += 1
            elif apart.high is not None and apart.high < 0:
                beaten[one] += 1
    return {name: 1 + many for name, many in beaten.items()}


def difference(
    first: Values, second: Values, bounds: tuple[float, float] | None, *, seed: int, level: float
) -> Estimate:
    """First minus second over what both have, clustered on histories."""
    shared = sorted(first.keys() & second.keys())
    if not shared:
        return nothing("nothing that both have a value for", level)
    apart = [first[unit] - second[unit] for unit in shared]
    found = infer_means(apart, [unit.history for unit in shared], rng_seed=seed, level=level, bounds=bounds)
    return as_estimate(found[0].interval)


def _alone(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, str]:
    labels = [[str(row["label"]) for row in said["config"].get("rows", ())] for said in (first, second)]
    missing = {label: "the second run has no such row" for label in labels[0] if label not in labels[1]}
    return missing | {label: "the first run has no such row" for label in labels[1] if label not in labels[0]}


def _is_harmless(knob: Knob, alone: Mapping[str, str]) -> bool:
    root, _, rest = knob.name.partition(".")
    return root in WHO_TALKED | NO_NUMBER or (root == "rows" and rest in alone and ABSENT in (knob.first, knob.second))


def _check(first: Findings, second: Findings, differing: Sequence[Knob]) -> None:
    if differing:
        told = "; ".join(f"{knob.name}: {knob.first} and {knob.second}" for knob in differing)
        raise UsageError(
            f"`{first.summary.run}` and `{second.summary.run}` differ in more than who talked: {told}. "
            "Run both under the same settings; else a changed rank says nothing about the dialogues."
        )


def _scored(number: Number, grid: Grid) -> Scored:
    counts = number.counts
    if counts.unfinished or counts.fault > MOST_FAULTS * counts.planned:
        return Scored(score=nothing("unfinished, or too many faults"), values={})
    cells = grid.block(number.task, number.row, Arm.SYSTEM)
    values = per_question(by_question(cells), counted_value)
    return Scored(score=number.score, values={_unit(asked): value for asked, value in values.items()})


def _unit(asked: Asked) -> Unit:
    return Unit(asked.history, f"{asked.checkpoint} {asked.question}")


def _remembered(found: Findings, task: str, level: float) -> Iterator[tuple[str, Scored]]:
    for row in found.beside.states:
        if row.task != task:
            continue
        known = {Unit(one.history, f"{one.period:04d}"): one.memory for one in row.users if one.memory is not None}
        if row.withheld:
            yield row.row, Scored(score=nothing(row.withheld, level), values={})
        elif known:
            yield row.row, Scored(score=row.whole.scores.memory, values=known)


def _table(name: tuple[str, str], ours: Ranked, theirs: Ranked, about: tuple[Findings, float]) -> RankTable:
    found, level = about
    shared = [row for row in ours.rows if row in theirs.rows]
    places = [_ranks(side, shared, level) for side in (ours, theirs)]
    rows = []
    for facts in found.summary.rows:
        if facts.row not in shared:
            continue
        first, second = places[0].get(facts.row), places[1].get(facts.row)
        one, other = ours.rows[facts.row], theirs.rows[facts.row]
        made = RankedRow(
            row=facts.row,
            kind=facts.kind,
            reference=facts.reference,
            first=one.score,
            second=other.score,
            difference=difference(one.values, other.values, ours.bounds, seed=ours.seed, level=level),
            first_rank=first,
            second_rank=second,
            change=None if first is None or second is None else second - first,
        )
        rows.append(made)
    rows.sort(key=lambda row: (row.first_rank is None, -(row.first.estimate or 0.0), row.row))
    both = [row for row in rows if row.change is not None]
    return RankTable(
        task=name[0],
        measure=name[1],
        rows=tuple(rows),
        of_scores=_concordance([(row.first.estimate, row.second.estimate) for row in both]),
        of_ranks=_concordance([(row.first_rank, row.second_rank) for row in both]),
    )


def _ranks(side: Ranked, rows: Sequence[str], level: float) -> dict[str, int]:
    known = {row: side.rows[row].values for row in rows if side.rows[row].values}
    return ranks(known, side.bounds, seed=side.seed, level=level)


def _concordance(pairs: Sequence[tuple[float | None, float | None]]) -> Concordance:
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    found: Correlation = kendall([one for one, _ in known], [other for _, other in known])
    return Concordance(tau=rounded(found.coefficient), p=rounded_p(found.p), n=found.n, why=found.why or "")

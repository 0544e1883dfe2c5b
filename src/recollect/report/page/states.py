"""States on the page: the table of each task, heat maps by period, where answers were lost, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.cells import Estimate
from recollect.records.tables.states import BoundSource, Stability, StateNumbers, StateRow
from recollect.report.charts import bars
from recollect.report.charts.curves import PeriodCurve, Spot, curves_over_periods
from recollect.report.charts.heat import heat_map
from recollect.report.tables import Record, Value

BOUNDS: Mapping[BoundSource, str] = {
    "choices": "the harness's reader, told the states of each choice outright",
    "oracle": "the oracle's answer to the same question",
    "none": "not known: this run has neither an oracle nor questions that tell the states of a choice",
}
ENDINGS: Mapping[str, tuple[str, str]] = {
    "right": ("right", "right, and every state known"),
    "lucky": ("partly", "right, though a state was not known"),
    "write": ("lost-write", "wrong: a state was not known even right after it was told"),
    "read": ("lost-retrieval", "wrong: a state was known then, and is not now"),
    "utilisation": ("lost-use", "wrong, though every state was known"),
    "undecided": ("not-available", "not available: an answer or a probe is missing"),
}
"""Ending -> its class in charts, and its meaning."""
Measure = Callable[[StateNumbers], Estimate]
MEASURES: Mapping[str, Measure] = {
    "overall": lambda one: one.scores.overall,
    "hamming": lambda one: one.scores.hamming,
    "jaccard": lambda one: one.scores.jaccard,
    "upper_bound": lambda one: one.scores.upper_bound,
    "memory_score": lambda one: one.scores.memory,
    "ratio_of_means": lambda one: one.scores.ratio_of_means,
    "states write": lambda one: one.losses.write,
    "states read": lambda one: one.losses.read,
    "utilisation_when_known": lambda one: one.losses.utilisation_when_known,
}
_SCORE = "Right answers"
_CURVES: Mapping[str, Measure] = {
    _SCORE: MEASURES["overall"],
    "States never written": MEASURES["states write"],
    "States written and not read": MEASURES["states read"],
    "Wrong answers with every state known": lambda one: one.losses.shares["utilisation"],
    "Right answers without knowing": lambda one: one.losses.shares["lucky"],
}


class StateLine(NamedTuple):
    row: StateRow
    group: str
    chart: Markup
    remarks: Sequence[str]


class StateSection(NamedTuple):
    task: str
    lines: Sequence[StateLine]
    bounds: Sequence[tuple[str, Sequence[str]]]
    """Source of upper bounds -> its rows."""
    heats: Sequence[tuple[str, Markup]]
    curves: Sequence[PeriodCurve]
    diagnosed: bool
    method: str
    """How the intervals of memory scores were computed."""
    repeated: bool


def state_sections(rows: Sequence[StateRow]) -> tuple[StateSection, ...]:
    """One for each task."""
    tasks = dict.fromkeys(row.task for row in rows)
    return tuple(_section(task, [row for row in rows if row.task == task]) for task in tasks)


def _section(task: str, rows: Sequence[StateRow]) -> StateSection:
    memory = [row.whole.scores.memory for row in rows]
    lines, heats = [], []
    for row in rows:
        endings = row.whole.losses.endings
        pieces = [
            bars.Segment(look, endings[name], "not available" if name == "undecided" else name)
            for name, (look, _) in ENDINGS.items()
        ]
        group = "reference" if row.reference else "system"
        lines.append(StateLine(row, group, bars.stacked_bar(row.row, pieces), remarks(row)))
    for name, measure in (("Memory score", MEASURES["memory_score"]), (_SCORE, MEASURES["overall"])):
        known = [row for row in rows if not row.withheld and measure(row.whole).estimate is not None]
        spots = {row.row: [*_spots(row, measure), Spot("all", measure(row.whole))] for row in known}
        if spots:
            heats.append((name, heat_map(f"{name} by row and period", spots)))
    drawn = (
        (name, {row.row: _spots(row, measure) for row in rows if name != _SCORE or not row.withheld})
        for name, measure in _CURVES.items()
    )
    bounds = [(BOUNDS[source], [row.row for row in rows if row.bound == source]) for source in BOUNDS]
    return StateSection(
        task=task,
        lines=lines,
        bounds=[(source, mine) for source, mine in bounds if mine],
        heats=heats,
        curves=list(curves_over_periods(task, drawn)),
        diagnosed=any(not row.undiagnosed for row in rows),
        method=next((one.method for one in memory if one.low is not None), ""),
        repeated=any(row.stability is not None for row in rows),
    )


def remarks(row: StateRow) -> list[str]:
    """Caveats about a row's numbers, each a sentence."""
    scores, said = row.whole.scores, []
    bound, chance = scores.upper_bound.estimate, scores.chance
    if bound is not None and chance is not None and bound <= chance:
        said.append("the upper bound is not above guessing, so that the memory score says nothing of memory")
    if scores.dropped:
        of = f"{scores.dropped} of {scores.cells} users and periods"
        said.append(f"{of} have no memory score: their upper bound is what guessing gets")
    if scores.missing and row.bound != "none" and scores.overall.estimate is not None:
        said.append(f"{scores.missing} questions lack a score or an upper bound, and are in no memory score")
    if row.stability and row.stability.why:
        said.append(f"runs one by one: {row.stability.why}")
    if not row.undiagnosed and row.whole.losses.without:
        why = "; ".join(f"{why} ({many})" for why, many in row.whole.losses.without.items())
        said.append(f"questions whose loss cannot be told: {why}")
    return said


def _spots(row: StateRow, measure: Measure) -> list[Spot]:
    return [Spot(str(one.period), measure(one)) for one in row.periods]


def states_table(rows: Sequence[StateRow]) -> list[Record]:
    """One line for each task, row, period and measure; counts have no interval."""
    return [record for row in rows for one in (row.whole, *row.periods) for record in _records(row, one)]


def _records(row: StateRow, one: StateNumbers) -> Iterator[Record]:
    period = "all" if one.period is None else str(one.period)
    named: dict[str, Value] = {"task": row.task, "row": row.row, "reference": row.reference, "period": period}
    estimates = {name: measure(one) for name, measure in MEASURES.items()}
    estimates |= {f"questions {name}": share for name, share in one.losses.shares.items()}
    withheld: dict[str, Value] = {"bound": row.bound, "withheld": row.withheld or None}
    for name, estimate in estimates.items():
        yield {**named, "measure": name, **asdict(estimate), **withheld}
    yield {**named, "measure": "chance", "estimate": one.scores.chance, **withheld}
    if period == "all":
        yield from ({**named, **of_runs, **withheld} for of_runs in _of_runs(row.stability))
    counts = {
        "users and periods": one.scores.cells,
        "users and periods dropped": one.scores.dropped,
        "questions without score or bound": one.scores.missing,
        **{f"states {name}": many for name, many in one.losses.fates.items()},
        **{f"questions {name}": many for name, many in one.losses.endings.items()},
        **{f"questions undecided, {why}": many for why, many in one.losses.without.items()},
        **{f"states undecided, {why}": many for why, many in one.losses.states_without.items()},
    }
    for name, many in counts.items():
        yield {**named, "measure": f"count: {name}", "estimate": many, **withheld}


def _of_runs(found: Stability | None) -> Iterator[Record]:
    """Mean and deviation over runs; nothing where there was one run."""
    spreads = {"overall": found.overall, "memory_score": found.memory} if found else {}
    for name, spread in spreads.items():
        if found and spread:
            yield {"measure": f"runs: mean {name}", "estimate": spread.mean, "n": len(spread.values)}
            yield {"measure": f"runs: sd {name}", "estimate": spread.sd, "n": len(spread.values)}


def users_table(rows: Sequence[StateRow]) -> list[Record]:
    """One line for each task, row, user and period."""
    return [{"task": row.task, "row": row.row, "bound": row.bound, **asdict(one)} for row in rows for one in row.users]

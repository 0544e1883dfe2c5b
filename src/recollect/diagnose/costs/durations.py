"""How long rows take, by one definition for all: what papers call memory construction and query execution."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

from recollect.diagnose.estimates import asked_of, rounded
from recollect.diagnose.records.trials import Measure
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, Timing
from recollect.records.tables.supplement import RowTime

WRITING = frozenset({"state", "settle"})
NO_PEAK = "only a system in a worker process of its own can be told apart; all others share the memory of this one"

Named = tuple[str, str]
"""Task and row."""


@dataclass(slots=True)
class _Clock:
    """What was measured of one row on one task."""

    contexts: set[str] = field(default_factory=set)
    questions: set[object] = field(default_factory=set)
    searches: list[float] = field(default_factory=list)
    queries: list[float] = field(default_factory=list)

    def take(self, cell: CellOutcome) -> None:
        """Count one answer; answers that were never measured, such as those of a file, have no time."""
        self.contexts.add(cell.trial)
        self.questions.add(asked_of(cell))
        if "recall" in cell.seconds:
            self.searches.append(cell.seconds["recall"])
        if cell.seconds.keys() & {"recall", "answer"} and cell.answer is not None:
            self.queries.append(cell.seconds.get("recall", 0.0) + cell.seconds.get("answer", 0.0))


def durations(cells: Iterable[CellOutcome], measures: Iterable[tuple[str, str, Measure]]) -> tuple[RowTime, ...]:
    """A line for each task and each row that keeps something, from single measurements.

    Args:
        cells: All of a run; scored questions in the row's own arm count.
        measures: Task, row and measure of each call that was timed; those of attempts that were given up count too,
            for their time was spent.
    """
    clocks: dict[Named, _Clock] = defaultdict(_Clock)
    for cell in cells:
        if cell.arm is Arm.SYSTEM and cell.kind != "oracle" and cell.purpose == "score" and cell.take == FIRST:
            clocks[cell.task, cell.row].take(cell)
    written: dict[Named, list[Measure]] = defaultdict(list)
    for task, row, measure in measures:
        if measure.stage in WRITING:
            written[task, row].append(measure)
    return tuple(_line(name, clock, written.get(name, ())) for name, clock in sorted(clocks.items()))


def _line(name: Named, clock: _Clock, written: Sequence[Measure]) -> RowTime:
    queries = sorted(clock.queries)
    construction = sum(one.seconds for one in written) / len(clock.contexts)
    peak = max((one.peak_bytes for one in written if one.peak_bytes is not None), default=None)
    return RowTime(
        task=name[0],
        row=name[1],
        contexts=len(clock.contexts),
        construction_s=rounded(construction) if written else None,
        questions=len(clock.questions),
        search_s=_mean(clock.searches),
        query_s=_mean(queries),
        query_p50_s=quantile(queries, 0.5) if queries else None,
        query_p95_s=quantile(queries, 0.95) if queries else None,
        peak_bytes=peak,
        peak_why="" if peak is not None else NO_PEAK,
    )


def _mean(values: Sequence[float]) -> float | None:
    return rounded(sum(values) / len(values)) if values else None


class _Calls(NamedTuple):
    task: str
    row: str
    stage: str
    arm: str


def timings(measures: Iterable[tuple[str, str, Measure]]) -> tuple[Timing, ...]:
    """Per task, row, stage and arm; every call counts, also those of attempts that were given up."""
    found: dict[_Calls, list[float]] = defaultdict(list)
    for task, row, measure in measures:
        found[_Calls(task, row, measure.stage, measure.arm or "")].append(measure.seconds)
    return tuple(_timing(clock, sorted(seconds)) for clock, seconds in sorted(found.items()))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the *ordered* values that at least *share* of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _timing(clock: _Calls, ordered: Sequence[float]) -> Timing:
    return Timing(
        task=clock.task,
        row=clock.row,
        stage=clock.stage,
        arm=Arm(clock.arm) if clock.arm else None,
        calls=len(ordered),
        total_s=rounded(sum(ordered)) or 0.0,
        p50_s=quantile(ordered, 0.5),
        p95_s=quantile(ordered, 0.95),
    )

"""How long rows take, by one definition for all: what papers call memory construction and query execution."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil

from recollect.diagnose.estimates import asked_of, rounded, rounded_mean
from recollect.diagnose.records.trials import Measure
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.summary import Timing
from recollect.records.tables.supplement import RowTime

WRITING = frozenset({"state", "settle"})
NO_PEAK = "only a system in a worker process of its own can be told apart; all others share the memory of this one"


def durations(cells: Iterable[CellOutcome], measures: Iterable[tuple[str, str, Measure]]) -> tuple[RowTime, ...]:
    """A line for each task and each row that keeps something, from single measurements.

    Args:
        cells: All of a run; scored questions in the row's own arm count.
        measures: Task, row and measure of each timed call; abandoned attempts count too, for their time was spent.
    """
    answers: dict[tuple[str, str], list[CellOutcome]] = defaultdict(list)
    for cell in cells:
        if cell.arm is Arm.SYSTEM and cell.kind != "oracle" and cell.purpose == "score" and cell.take == FIRST:
            answers[cell.task, cell.row].append(cell)
    written: dict[tuple[str, str], list[Measure]] = defaultdict(list)
    for task, row, measure in measures:
        if measure.stage in WRITING:
            written[task, row].append(measure)
    return tuple(_line(*name, mine, written.get(name, ())) for name, mine in sorted(answers.items()))


def _line(task: str, row: str, cells: Sequence[CellOutcome], written: Sequence[Measure]) -> RowTime:
    contexts = {cell.trial for cell in cells}
    # answers that were never measured, such as those of a file, have no time
    timed = [cell.seconds for cell in cells if cell.seconds.keys() & {"recall", "answer"} and cell.answer is not None]
    queries = sorted(seconds.get("recall", 0.0) + seconds.get("answer", 0.0) for seconds in timed)
    construction = sum(measure.seconds for measure in written) / len(contexts)
    peak = max((measure.peak_bytes for measure in written if measure.peak_bytes is not None), default=None)
    return RowTime(
        task=task,
        row=row,
        contexts=len(contexts),
        construction_s=rounded(construction) if written else None,
        questions=len({asked_of(cell) for cell in cells}),
        search_s=rounded_mean([cell.seconds["recall"] for cell in cells if "recall" in cell.seconds]),
        query_s=rounded_mean(queries),
        query_p50_s=quantile(queries, 0.5) if queries else None,
        query_p95_s=quantile(queries, 0.95) if queries else None,
        peak_bytes=peak,
        peak_why="" if peak is not None else NO_PEAK,
    )


def timings(measures: Iterable[tuple[str, str, Measure]]) -> tuple[Timing, ...]:
    """Per task, row, stage and arm; every call counts, also those of abandoned attempts."""
    found: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for task, row, measure in measures:
        found[task, row, measure.stage, measure.arm or ""].append(measure.seconds)
    return tuple(
        Timing(
            task=task,
            row=row,
            stage=stage,
            arm=Arm(arm) if arm else None,
            calls=len(seconds),
            total_s=rounded(sum(sorted(seconds))) or 0.0,
            p50_s=quantile(sorted(seconds), 0.5),
            p95_s=quantile(sorted(seconds), 0.95),
        )
        for (task, row, stage, arm), seconds in sorted(found.items())
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the *ordered* values that at least *share* of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]

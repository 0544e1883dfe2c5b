"""How a row finds evidence: recall in messages of the history, precision in messages as they were shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.diagnose.estimates import Asked, Estimator, asked_of, by_question, mean_of_each, nothing, per_question
from recollect.diagnose.grid import Grid
from recollect.diagnose.records.join import JoinedRun
from recollect.diagnose.waterfall.evidence import CoveredBy, Trail, is_cut
from recollect.domain.ids import HistoryId
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, Estimate, ReadDepth, Recalled
from recollect.records.tables.summary import Retrieval, RetrievalPoint

DEPTHS = (1, 3, 5, 10, 20)
POINTS = (*(str(depth) for depth in DEPTHS), "budget", "all")
_UNRANKED = "its items are in order of time, not of rank"
_UNSHOWN = "nothing was found"
_ITS_OWN = "the system makes its own context, or words it itself and it was cut"


_Wanted = tuple[str, str, str, str]


@dataclass(kw_only=True)
class _Tally:
    task: str
    row: str
    values: dict[_Wanted, list[tuple[Asked, float]]]
    """Question and value of each replicate."""
    questions: set[Asked]
    missing: Counter[str]
    foreign: Estimate


def retrieval(grid: Grid, run: JoinedRun, reach: ReadDepth, estimator: Estimator) -> tuple[Retrieval, ...]:
    """One for each task and each row that was searched."""
    covers = {history: episode.exhibit.covered_by for history, episode in run.episodes.items()}
    tallies = []
    for task in grid.tasks:
        for row, kind in grid.kinds.items():
            cells = grid.block(task, row, Arm.SYSTEM)
            if kind != "oracle" and cells:
                readback = by_question(grid.block(task, row, Arm.READBACK))
                why = "nothing was read back" if readback else "the arm `readback` was not asked"
                foreign = estimator.one(per_question(readback, _foreign_share), why).estimate
                tally = _Tally(task=task, row=row, values={}, questions=set(), missing=Counter(), foreign=foreign)
                _measure(cells, tally, reach, covers)
                tallies.append(tally)
    wanted = {name: mean_of_each(values) for tally in tallies for name, values in tally.values.items()}
    found = {name: inferred.estimate for name, inferred in estimator.named(wanted).items()}
    return tuple(_row(tally, found) for tally in tallies)


def _measure(
    cells: Sequence[CellOutcome], tally: _Tally, reach: ReadDepth, covers: Mapping[HistoryId, CoveredBy]
) -> None:
    for measure in ("recall", "precision"):
        for point in POINTS:
            tally.values[tally.task, tally.row, measure, point] = []
    last: tuple[Recalled, Trail] | None = None  # neighbouring cells often share a recall
    for cell in cells:
        why = _why_not(cell)
        if why or cell.recall is None:
            if cell.take == FIRST:  # all takes share what was found
                tally.missing[why] += 1
            continue
        if last is None or last[0] is not cell.recall:
            last = cell.recall, Trail(cell.recall, covers[cell.history])
        asked, depths = asked_of(cell), _depths(cell, cell.recall, reach)
        tally.questions.add(asked)
        met = last[1].met(frozenset(cell.evidence), depths.values())
        for point, one in zip(depths, met, strict=True):
            for measure, value in (("recall", one.recall), ("precision", one.precision)):
                if value is not None:
                    tally.values[tally.task, tally.row, measure, point].append((asked, value))


def _depths(cell: CellOutcome, recall: Recalled, reach: ReadDepth) -> dict[str, int]:
    """Point -> number of items; only the points that are defined for this recall."""
    depths = {} if recall.order == "time" else {str(depth): depth for depth in DEPTHS}
    within = reach.items(cell)
    return {**depths, **({} if within is None else {"budget": within}), "all": len(recall.items)}


def _row(tally: _Tally, found: Mapping[_Wanted, Estimate]) -> Retrieval:
    points = []
    for point in POINTS if tally.questions else ():
        recall, precision = (found[tally.task, tally.row, measure, point] for measure in ("recall", "precision"))
        if recall.estimate is None:
            recall = precision = nothing(_ITS_OWN if point == "budget" else _UNRANKED)
        elif precision.estimate is None:
            precision = nothing(_UNSHOWN)
        points.append(RetrievalPoint(at=point, recall=recall, precision=precision))
    commonest = min(tally.missing, key=lambda why: (-tally.missing[why], why), default="")
    return Retrieval(
        task=tally.task,
        row=tally.row,
        points=tuple(points),
        questions=len(tally.questions),
        missing=dict(sorted(tally.missing.items())),
        foreign=tally.foreign,
        why="" if tally.questions else commonest,
    )


def _why_not(cell: CellOutcome) -> str:
    """Why recall is undefined for a cell; empty where it is defined."""
    if not cell.evidence:
        return "no evidence is known for the question"
    if is_cut(cell):
        return "evidence of the question was not shown to the system"
    if cell.status == "fault" and cell.stage in ("state", "check"):
        return "the system broke before it was searched, or searching changed it"
    if cell.recall is None:
        told = "the system does not tell what it found"
        return told if cell.answer is not None else f"nothing was found: {cell.status.replace('_', ' ')}"
    unknown = any(not item.sources for item in cell.recall.items)
    return "the system does not tell where its items came from" if unknown else ""


def _foreign_share(cell: CellOutcome) -> float | None:
    if cell.recall is None or not cell.recall.items or _why_not(cell):
        return None
    foreign = [not set(item.covers) & set(cell.evidence) for item in cell.recall.items]
    return sum(foreign) / len(foreign)

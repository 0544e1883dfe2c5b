"""How a row finds evidence: recall in messages of the history, precision in messages as they were shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.diagnose.estimates import Asked, Estimator, asked_of, nothing
from recollect.diagnose.grid import Grid
from recollect.diagnose.join import JoinedRun
from recollect.diagnose.reach import CoveredBy, Reach, Trail
from recollect.domain.ids import HistoryId
from recollect.domain.steps import Arm
from recollect.records.summary import CellOutcome, Estimate, Recalled, Retrieval, RetrievalPoint

DEPTHS = (1, 3, 5, 10, 20)
POINTS = (*(str(depth) for depth in DEPTHS), "budget", "all")
_UNRANKED = "its items are in order of time, not of rank"
_UNSHOWN = "nothing was found"
_ITS_OWN = "the system makes its own context, or words it itself and it was cut"
Gathered = dict[str, dict[Asked, list[float]]]
"""Point -> question -> values of its replicates."""


def _gathered() -> Gathered:
    return {point: {} for point in POINTS}


@dataclass
class _Tally:
    """What was measured of one row on one task."""

    reach: Reach
    covers: Mapping[HistoryId, CoveredBy]
    recall: Gathered = field(default_factory=_gathered)
    precision: Gathered = field(default_factory=_gathered)
    questions: set[Asked] = field(default_factory=set)
    missing: Counter[str] = field(default_factory=Counter)
    _trails: dict[int, Trail] = field(default_factory=dict)
    """By identity of the recall, which its cells hold on to."""

    def take(self, cell: CellOutcome) -> None:
        """Measure one cell."""
        why = _why_not(cell)
        if why or cell.recall is None:
            self.missing[why] += 1
            return
        asked, depths = asked_of(cell), self._depths(cell, cell.recall)
        self.questions.add(asked)
        met = self._trail(cell, cell.recall).met(frozenset(cell.evidence), depths.values())
        for point, one in zip(depths, met, strict=True):
            for gathered, value in ((self.recall, one.recall), (self.precision, one.precision)):
                if value is not None:
                    gathered[point].setdefault(asked, []).append(value)

    def _trail(self, cell: CellOutcome, recall: Recalled) -> Trail:
        if id(recall) not in self._trails:
            self._trails[id(recall)] = Trail(recall, self.covers[cell.history])
        return self._trails[id(recall)]

    def _depths(self, cell: CellOutcome, recall: Recalled) -> dict[str, int]:
        """Point -> items that count there; only the points that mean something for this recall."""
        depths = {} if recall.order == "time" else {str(depth): depth for depth in DEPTHS}
        within = self.reach.items(cell)
        return {**depths, **({} if within is None else {"budget": within}), "all": len(recall.items)}


def retrieval(grid: Grid, run: JoinedRun, reach: Reach, estimator: Estimator) -> tuple[Retrieval, ...]:
    """One for each task and each row that was searched."""
    covers = {history: episode.exhibit.covered_by for history, episode in run.episodes.items()}
    return tuple(
        _of_row(grid, (task, row), _Tally(reach, covers), estimator)
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
    )


def _of_row(grid: Grid, name: tuple[str, str], tally: _Tally, estimator: Estimator) -> Retrieval:
    for cell in grid.block(*name, Arm.SYSTEM):
        tally.take(cell)
    return Retrieval(
        task=name[0],
        row=name[1],
        points=_estimated(tally, estimator) if tally.questions else (),
        questions=len(tally.questions),
        missing=dict(sorted(tally.missing.items())),
        foreign=_foreign(grid.block(*name, Arm.READBACK), estimator),
        why="" if tally.questions else _commonest(tally.missing),
    )


def _why_not(cell: CellOutcome) -> str:
    """Why nothing can be said of what a cell found; empty where something can."""
    if not cell.evidence:
        return "no evidence is known for the question"
    if cell.status in ("fault", "not_available", "unfinished"):
        return f"the answer is missing: {cell.status.replace('_', ' ')}"
    if cell.recall is None:
        return "the system does not tell what it found"
    unknown = any(not item.sources for item in cell.recall.items)
    return "the system does not tell where its items came from" if unknown else ""


def _estimated(tally: _Tally, estimator: Estimator) -> tuple[RetrievalPoint, ...]:
    requests = {
        (measure, point): {asked: sum(values) / len(values) for asked, values in gathered[point].items()}
        for measure, gathered in (("recall", tally.recall), ("precision", tally.precision))
        for point in POINTS
    }
    found = {name: one.estimate for name, one in estimator.named(requests).items()}
    return tuple(
        RetrievalPoint(at=point, recall=_or_why(found["recall", point], point), precision=precision)
        for point in POINTS
        for precision in [_or_why(found["precision", point], point, measured=bool(tally.recall[point]))]
    )


def _or_why(estimate: Estimate, point: str, *, measured: bool = False) -> Estimate:
    if estimate.estimate is not None:
        return estimate
    if measured:
        return nothing(_UNSHOWN, estimate.level)
    return nothing(_ITS_OWN if point == "budget" else _UNRANKED, estimate.level)


def _foreign(cells: Sequence[CellOutcome], estimator: Estimator) -> Estimate:
    """Share of the items read back that come from no shown message with evidence."""
    shares: dict[Asked, list[float]] = defaultdict(list)
    for cell in cells:
        if cell.recall is not None and cell.recall.items and not _why_not(cell):
            foreign = [not set(item.covers) & set(cell.evidence) for item in cell.recall.items]
            shares[asked_of(cell)].append(sum(foreign) / len(foreign))
    why = "nothing was read back" if cells else "the arm `readback` was not asked"
    return estimator.one({asked: sum(values) / len(values) for asked, values in shares.items()}, why).estimate


def _commonest(reasons: Counter[str]) -> str:
    return min(reasons, key=lambda why: (-reasons[why], why))

"""How a row finds evidence: recall in messages of the history, precision in messages as they were shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.diagnose.estimates import Asked, Estimator, asked_of, by_question, nothing, per_question
from recollect.diagnose.grid import Grid
from recollect.diagnose.records.join import JoinedRun
from recollect.diagnose.waterfall.evidence import CoveredBy, ReadDepth, Trail, is_cut
from recollect.domain.ids import HistoryId
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, Estimate, Recalled, Retrieval, RetrievalPoint

DEPTHS = (1, 3, 5, 10, 20)
POINTS = (*(str(depth) for depth in DEPTHS), "budget", "all")
_UNRANKED = "its items are in order of time, not of rank"
_UNSHOWN = "nothing was found"
_ITS_OWN = "the system makes its own context, or words it itself and it was cut"


class _Wanted(NamedTuple):
    """One mean."""

    task: str
    row: str
    measure: str
    point: str


Gathered = dict[str, dict[Asked, list[float]]]
"""Point -> question -> values of its replicates."""


def _gathered() -> Gathered:
    return {point: {} for point in POINTS}


@dataclass
class _Tally:
    """What was measured of one row on one task."""

    reach: ReadDepth
    covers: Mapping[HistoryId, CoveredBy]
    recall: Gathered = field(default_factory=_gathered)
    precision: Gathered = field(default_factory=_gathered)
    questions: set[Asked] = field(default_factory=set)
    missing: Counter[str] = field(default_factory=Counter)
    _last: tuple[Recalled, Trail] | None = None
    """Neighbouring cells often share a recall."""

    def take(self, cell: CellOutcome) -> None:
        """Measure one cell."""
        why = _why_not(cell)
        if why or cell.recall is None:
            if cell.take == FIRST:  # all takes share what was found
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
        if self._last is None or self._last[0] is not recall:
            self._last = (recall, Trail(recall, self.covers[cell.history]))
        return self._last[1]

    def _depths(self, cell: CellOutcome, recall: Recalled) -> dict[str, int]:
        """Point -> items that count there; only the points that mean something for this recall."""
        depths = {} if recall.order == "time" else {str(depth): depth for depth in DEPTHS}
        within = self.reach.items(cell)
        return {**depths, **({} if within is None else {"budget": within}), "all": len(recall.items)}


def retrieval(grid: Grid, run: JoinedRun, reach: ReadDepth, estimator: Estimator) -> tuple[Retrieval, ...]:
    """One for each task and each row that was searched."""
    covers = {history: episode.exhibit.covered_by for history, episode in run.episodes.items()}
    names = [
        (task, row)
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
    ]
    tallies = {name: _tallied(grid.block(*name, Arm.SYSTEM), _Tally(reach, covers)) for name in names}
    found = estimator.named({key: values for name in names for key, values in _requests(name, tallies[name])})
    estimates = {key: one.estimate for key, one in found.items()}
    return tuple(_of_row(name, tallies[name], estimates, _foreign(grid, name, estimator)) for name in names)


def _tallied(cells: Sequence[CellOutcome], tally: _Tally) -> _Tally:
    for cell in cells:
        tally.take(cell)
    return tally


def _requests(name: tuple[str, str], tally: _Tally) -> Iterator[tuple[_Wanted, dict[Asked, float]]]:
    for measure, gathered in (("recall", tally.recall), ("precision", tally.precision)):
        for point in POINTS:
            means = {asked: sum(values) / len(values) for asked, values in gathered[point].items()}
            yield _Wanted(*name, measure, point), means


def _of_row(name: tuple[str, str], tally: _Tally, found: Mapping[_Wanted, Estimate], foreign: Estimate) -> Retrieval:
    return Retrieval(
        task=name[0],
        row=name[1],
        points=tuple(_point(name, point, found) for point in POINTS) if tally.questions else (),
        questions=len(tally.questions),
        missing=dict(sorted(tally.missing.items())),
        foreign=foreign,
        why="" if tally.questions else _commonest(tally.missing),
    )


def _point(name: tuple[str, str], point: str, found: Mapping[_Wanted, Estimate]) -> RetrievalPoint:
    recall, precision = (found[_Wanted(*name, measure, point)] for measure in ("recall", "precision"))
    if recall.estimate is None:
        recall = precision = nothing(_ITS_OWN if point == "budget" else _UNRANKED, recall.level)
    elif precision.estimate is None:
        precision = nothing(_UNSHOWN, precision.level)
    return RetrievalPoint(at=point, recall=recall, precision=precision)


def _why_not(cell: CellOutcome) -> str:
    """Why nothing can be said of what a cell found; empty where something can."""
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


def _foreign(grid: Grid, name: tuple[str, str], estimator: Estimator) -> Estimate:
    """Share of the items read back that come from no shown message with evidence."""
    cells = grid.block(*name, Arm.READBACK)
    why = "nothing was read back" if cells else "the arm `readback` was not asked"
    return estimator.one(per_question(by_question(cells), _foreign_share), why).estimate


def _foreign_share(cell: CellOutcome) -> float | None:
    if cell.recall is None or not cell.recall.items or _why_not(cell):
        return None
    foreign = [not set(item.covers) & set(cell.evidence) for item in cell.recall.items]
    return sum(foreign) / len(foreign)


def _commonest(reasons: Counter[str]) -> str:
    return min(reasons, key=lambda why: (-reasons[why], why))

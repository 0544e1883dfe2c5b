"""What repeats tell: which stage the noise comes from, and how far two runs of one system lie apart by it alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Asked, by_question, counted_value, rounded
from recollect.diagnose.grid import Grid
from recollect.domain.ids import HistoryId
from recollect.domain.repeats import FIRST
from recollect.domain.steps import Arm
from recollect.records.tables.noise import Noise, NoiseComponent, NoiseFloor, RepeatedStage
from recollect.records.tables.summary import CellOutcome
from recollect.stats.noise import Component, Floor, Nested, nested_variance, noise_floor

UNKNOWN = "unknown: run with --repeats or --aa"
NOT_REPEATED = "not repeated"
_UNJUDGED = "no judge weighs this task"
_STAGES: tuple[RepeatedStage, ...] = ("ingest", "answer", "judge")


class Doing(NamedTuple):
    """Which repeat of each stage a value came from."""

    ingest: int
    answer: int
    judge: int


Values = Mapping[Asked, Mapping[Doing, float]]


def noise(grid: Grid, cards: Mapping[str, TaskCard]) -> tuple[Noise, ...]:
    """One for each task and row that was repeated, in the arm of its score; nothing where no stage was repeated."""
    return tuple(
        noise_of(cells, cards[task], (task, row))
        for task in grid.tasks
        for row, kind in grid.kinds.items()
        if is_repeated(cells := grid.block(task, row, Arm.ORACLE if kind == "oracle" else Arm.SYSTEM))
    )


def is_repeated(cells: Iterable[CellOutcome]) -> bool:
    """Some stage was planned more than once."""
    return any(cell.replicate or cell.take != FIRST for cell in cells)


def noise_of(cells: Sequence[CellOutcome], card: TaskCard, name: tuple[str, str]) -> Noise:
    """The noise of one row on one task, from its cells."""
    deterministic = _repeats_itself(cells)
    return Noise(
        task=name[0],
        row=name[1],
        arm=cells[0].arm,
        components=tuple(_components(cells, card)),
        floor=floor_of(cells),
        deterministic=deterministic,
    )


def floor_of(cells: Sequence[CellOutcome]) -> NoiseFloor:
    """The difference that two single runs of these cells' system make by noise alone."""
    values = _values(cells)
    found = _floor(values)
    if found is None:
        return NoiseFloor(half_width=None, why=UNKNOWN if values else "no answers that count")
    source, floor = found
    same = _repeats_itself(cells)
    return NoiseFloor(
        half_width=0.0 if same else rounded(floor.half_width),
        source=source,
        runs=floor.runs,
        n=floor.n,
        clusters=floor.clusters,
        df=rounded(floor.df) or 0.0,
        level=floor.level,
        method="deterministic: no repeat differed" if same else floor.method,
        why=floor.why,
    )


def _values(cells: Iterable[CellOutcome]) -> Values:
    found: dict[Asked, dict[Doing, float]] = {}
    for asked, mine in by_question(cells).items():
        valued = {_doing(cell): value for cell in mine if (value := counted_value(cell)) is not None}
        if valued:
            found[asked] = valued
    return found


def _doing(cell: CellOutcome) -> Doing:
    return Doing(cell.replicate, cell.take.answer, cell.take.judge)


def _repeats_itself(cells: Sequence[CellOutcome]) -> bool:
    """Some question has several answers or verdicts, and no question has two that differ in words or verdict."""
    groups = [[_said(cell) for cell in mine if counted_value(cell) is not None] for mine in by_question(cells).values()]
    return any(len(said) > 1 for said in groups) and all(len(set(said)) <= 1 for said in groups)


def _said(cell: CellOutcome) -> tuple[object, ...]:
    parts = cell.verdict.parts if cell.verdict else ()
    return (cell.answer, cell.value, *((part.name, part.value) for part in parts))


def _components(cells: Sequence[CellOutcome], card: TaskCard) -> Iterator[NoiseComponent]:
    nested: dict[HistoryId, list[Nested]] = {}
    for asked, valued in _values(cells).items():
        nested.setdefault(asked.history, []).append(_nested(valued))
    found = nested_variance(nested.values())
    split: Mapping[RepeatedStage, Component | None] = {
        "ingest": found.ingest,
        "answer": found.answer,
        "judge": found.judge,
    }
    stages = _STAGES if card.judged else _STAGES[:2]
    for place, stage in enumerate(_STAGES):
        component = split[stage]
        if component is None:
            why = _UNJUDGED if stage not in stages else _why_not(cells, stage)
            yield NoiseComponent(stage=stage, variance=None, why=why)
            continue
        yield NoiseComponent(
            stage=stage,
            variance=rounded(component.variance),
            df=component.df,
            clamped=component.clamped,
            holds=tuple(takewhile(lambda inner: split[inner] is None, stages[place + 1 :])),
        )


def _nested(valued: Mapping[Doing, float]) -> Nested:
    trials: dict[int, dict[int, list[float]]] = {}
    for doing in sorted(valued):
        trials.setdefault(doing.ingest, {}).setdefault(doing.answer, []).append(valued[doing])
    return [list(answers.values()) for answers in trials.values()]


def _why_not(cells: Sequence[CellOutcome], stage: RepeatedStage) -> str:
    place = _STAGES.index(stage)
    again = [cell for cell in cells if _doing(cell)[place]]
    reasons = {cell.why for cell in again if cell.status == "not_available"}
    if len(reasons) == 1:
        return f"{NOT_REPEATED}: {reasons.pop()}"
    return "repeated, but no question has two values that count" if again else NOT_REPEATED


def _floor(values: Values) -> tuple[RepeatedStage, Floor] | None:
    """From the outermost stage of which two runs can be told apart."""
    for place, stage in enumerate(_STAGES):
        runs = sorted({doing[place] for valued in values.values() for doing in valued})
        if len(runs) > 1:
            table = _Table(values, place, runs)
            return stage, noise_floor(table.values(), table.histories, within=stage != "ingest")
    return None


@dataclass(frozen=True, slots=True)
class _Table:
    """Values by series, run and question: a series is what the runs of one stage have in common."""

    found: Values
    place: int
    runs: Sequence[int]

    @property
    def histories(self) -> list[HistoryId]:
        """Of each question."""
        return [asked.history for asked in sorted(self.found)]

    def values(self) -> list[list[list[float]]]:
        """Shape (series, runs, questions); NaN where there is no value."""
        series = sorted({self._series(doing, 0) for valued in self.found.values() for doing in valued})
        return [[[self._value(asked, one, run) for asked in sorted(self.found)] for run in self.runs] for one in series]

    def _series(self, doing: Doing, run: int) -> Doing:
        """The same doing in another run."""
        return Doing(*(run if place == self.place else one for place, one in enumerate(doing)))

    def _value(self, asked: Asked, series: Doing, run: int) -> float:
        return self.found[asked].get(self._series(series, run), float("nan"))

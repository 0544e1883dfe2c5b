"""What repeats show: which stage the noise comes from, and how far two runs of one system differ by noise alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Asked, asked_of, by_question, counted_value, rounded
from recollect.diagnose.grid import Grid
from recollect.domain.ids import HistoryId
from recollect.domain.repeats import FIRST
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.noise import Noise, NoiseComponent, NoiseFloor, RepeatedStage
from recollect.stats.noise import Component, Nested, nested_variance, noise_floor

UNKNOWN = "unknown: run with --repeats or --aa"
NOT_REPEATED = "not repeated"
_UNJUDGED = "no judge weighs this task"
_STAGES: tuple[RepeatedStage, ...] = ("ingest", "answer", "judge")


class Repeat(NamedTuple):
    ingest: int
    answer: int
    judge: int


Values = Mapping[Asked, Mapping[Repeat, float]]


def noise(grid: Grid, cards: Mapping[str, TaskCard]) -> tuple[Noise, ...]:
    """One for each task and row that was repeated, in the arm of its score; nothing where no stage was repeated."""
    found = []
    for task in grid.tasks:
        for row in grid.kinds:
            cells = grid.own(task, row)
            if any(cell.replicate or cell.take != FIRST for cell in cells):
                one = Noise(
                    task=task,
                    row=row,
                    arm=cells[0].arm,
                    components=tuple(_components(cells, cards[task])),
                    floor=floor_of(cells),
                    deterministic=_is_deterministic(cells),
                )
                found.append(one)
    return tuple(found)


def floor_of(cells: Sequence[CellOutcome]) -> NoiseFloor:
    """The difference that two single runs of these cells' system make by noise alone."""
    values = _values(cells)
    for index, stage in enumerate(_STAGES):  # the outermost stage with two runs
        runs = sorted({repeat[index] for valued in values.values() for repeat in valued})
        if len(runs) < 2:
            continue
        histories = [asked.history for asked in sorted(values)]
        floor = noise_floor(_table(values, index, runs), histories, within=stage != "ingest")
        same = _is_deterministic(cells)
        return NoiseFloor(
            half_width=0.0 if same else rounded(floor.half_width),
            source=stage,
            runs=floor.runs,
            n=floor.n,
            clusters=floor.clusters,
            df=rounded(floor.df) or 0.0,
            level=floor.level,
            method="deterministic: no repeat differed" if same else floor.method,
            why=floor.why,
        )
    return NoiseFloor(half_width=None, why=UNKNOWN if values else "no answers that count")


def _values(cells: Iterable[CellOutcome]) -> Values:
    found: dict[Asked, dict[Repeat, float]] = {}
    for cell in cells:
        value = counted_value(cell)
        if value is not None:
            found.setdefault(asked_of(cell), {})[_repeat(cell)] = value
    return found


def _repeat(cell: CellOutcome) -> Repeat:
    return Repeat(cell.replicate, cell.take.answer, cell.take.judge)


def _is_deterministic(cells: Sequence[CellOutcome]) -> bool:
    """Some question has several answers or verdicts, and no question has two that differ in words or verdict."""
    repeated = False
    for mine in by_question(cells).values():
        counted = [cell for cell in mine if counted_value(cell) is not None]
        parts = [cell.verdict.parts if cell.verdict else () for cell in counted]
        distinct = {
            (cell.answer, cell.value, *((part.name, part.value) for part in verdict))
            for cell, verdict in zip(counted, parts, strict=True)
        }
        if len(distinct) > 1:
            return False
        repeated = repeated or len(counted) > 1
    return repeated


def _components(cells: Sequence[CellOutcome], card: TaskCard) -> Iterator[NoiseComponent]:
    nested: dict[HistoryId, list[Nested]] = {}
    for asked, valued in _values(cells).items():
        trials: dict[int, dict[int, list[float]]] = {}
        for repeat in sorted(valued):
            trials.setdefault(repeat.ingest, {}).setdefault(repeat.answer, []).append(valued[repeat])
        nested.setdefault(asked.history, []).append([list(answers.values()) for answers in trials.values()])
    found = nested_variance(nested.values())
    split: Mapping[RepeatedStage, Component | None] = {
        "ingest": found.ingest,
        "answer": found.answer,
        "judge": found.judge,
    }
    stages = _STAGES if card.judged else _STAGES[:2]
    for index, stage in enumerate(_STAGES):
        component = split[stage]
        if component is None:
            why = _UNJUDGED if stage not in stages else _why_unknown(cells, index)
            yield NoiseComponent(stage=stage, variance=None, why=why)
            continue
        yield NoiseComponent(
            stage=stage,
            variance=rounded(component.variance),
            df=component.df,
            clamped=component.clamped,
            holds=tuple(takewhile(lambda inner: split[inner] is None, stages[index + 1 :])),
        )


def _why_unknown(cells: Sequence[CellOutcome], stage: int) -> str:
    again = [cell for cell in cells if _repeat(cell)[stage]]
    reasons = {cell.why for cell in again if cell.status == "not_available"}
    if len(reasons) == 1:
        return f"{NOT_REPEATED}: {reasons.pop()}"
    return "repeated, but no question has two values that count" if again else NOT_REPEATED


def _table(values: Values, stage: int, runs: Sequence[int]) -> list[list[list[float]]]:
    """Values of the series, runs and questions; a series is what the runs of one stage have in common.

    Returns:
        Shape (series, runs, questions); NaN where there is no value.
    """

    def in_run(repeat: Repeat, run: int) -> Repeat:
        return Repeat(*(run if index == stage else one for index, one in enumerate(repeat)))

    questions = [values[asked] for asked in sorted(values)]
    series = sorted({in_run(repeat, 0) for valued in questions for repeat in valued})
    nan = float("nan")
    return [[[valued.get(in_run(one, run), nan) for valued in questions] for run in runs] for one in series]

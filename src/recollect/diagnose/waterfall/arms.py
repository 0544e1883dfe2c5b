"""Where right answers get lost: oracle, readback and system side by side, for tasks that are right or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Asked, Estimator, by_question, counted_value, nothing, per_question
from recollect.diagnose.grid import Grid, Trialled, grid_of
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome, Estimate, Fourfold, Waterfall, WaterfallCell
from recollect.records.tables.supplement import LeakName, LeakPlace, ReverseLeak, SplitPart, SplitRow
from recollect.stats.significance import mcnemar

Variant = Literal["readback", "readback_pure"]
VARIANTS: Mapping[Variant, Arm] = {"readback": Arm.READBACK, "readback_pure": Arm.READBACK_PURE}
"""Variant of a waterfall -> the arm that it goes by."""
Right = Mapping[Trialled, bool]
"""Cells with an outcome, and whether it is right."""


class _Corner(NamedTuple):
    """One question in all three arms."""

    trialled: Trialled
    oracle: bool
    readback: bool
    system: bool


class _Shares(NamedTuple):
    """The nested shares."""

    reading: Estimate
    preservation: Estimate
    retrieval: Estimate


_GRADED = "the task is graded, not right or wrong"


def waterfalls(grid: Grid, cards: Mapping[str, TaskCard], estimator: Estimator) -> tuple[Waterfall, ...]:
    """One for each task and row that was asked in the arm `system`; a second where the pure readback was asked."""
    return tuple(one for task in grid.tasks for one in waterfalls_of(task, grid, cards[task], estimator))


def waterfalls_of(task: str, grid: Grid, card: TaskCard, estimator: Estimator) -> Iterator[Waterfall]:
    """Those of one task."""
    for row, kind in grid.kinds.items():
        for variant, arm in VARIANTS.items():
            asked = kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
            if asked and (variant == "readback" or grid.block(task, row, arm)):
                yield _waterfall(grid, (task, row, variant), card, estimator)


def _waterfall(grid: Grid, name: tuple[str, str, Variant], card: TaskCard, estimator: Estimator) -> Waterfall:
    task, row, variant = name
    arms = (
        grid.oracle_for(task, row),
        grid.joined(task, row, VARIANTS[variant]),
        grid.joined(task, row, Arm.SYSTEM),
    )
    rights = oracle, readback, system = (right_of(arms[0]), right_of(arms[1]), right_of(arms[2]))
    why = _why_not(card, arms, rights)
    corners = [] if why else list(_corners(oracle, readback, system))
    graded = why == _GRADED
    shares = _shares(corners, estimator) if not why else _no_shares(why, {} if graded else oracle, system, estimator)
    return Waterfall(
        task=task,
        row=row,
        variant=variant,
        table=() if why else _table(corners),
        n=len(corners),
        dropped=0 if why else len(arms[2]) - len(corners),
        reading=shares.reading,
        preservation=shares.preservation,
        retrieval=shares.retrieval,
        fourfold=None if graded else _fourfold(oracle, system),
        why=why,
    )


def _why_not(card: TaskCard, arms: Sequence[Mapping[Trialled, CellOutcome]], rights: Sequence[Right]) -> str:
    values = (counted_value(cell) for cells in arms for cell in cells.values())
    if not card.binary or any(value not in (None, 0.0, 1.0) for value in values):
        return _GRADED
    for arm, cells, right in zip(("oracle", "readback", "system"), arms, rights, strict=True):
        if not cells:
            return f"the arm `{arm}` was not asked"
        if not right:
            reasons = Counter(cell.why or cell.status for cell in cells.values())
            return f"the arm `{arm}` has no outcome: {min(reasons, key=lambda why: (-reasons[why], why))}"
    return ""


def right_of(cells: Mapping[Trialled, CellOutcome]) -> Right:
    """Of the cells that have an outcome, whether it is right."""
    values = ((name, counted_value(cell)) for name, cell in cells.items())
    return {name: value == 1.0 for name, value in values if value is not None}


def _corners(oracle: Right, readback: Right, system: Right) -> Iterator[_Corner]:
    for name in sorted(set(oracle) & set(readback) & set(system)):
        yield _Corner(name, oracle[name], readback[name], system[name])


def _table(corners: Sequence[_Corner]) -> tuple[WaterfallCell, ...]:
    counts = Counter((c.oracle, c.readback, c.system) for c in corners)
    sides = product((True, False), repeat=3)
    return tuple(WaterfallCell(oracle=o, readback=r, system=s, count=counts[o, r, s]) for o, r, s in sides)


def _shares(corners: Sequence[_Corner], estimator: Estimator) -> _Shares:
    read = [c for c in corners if c.oracle]
    kept = [c for c in read if c.readback]
    return _Shares(
        reading=_share([(c.trialled, c.oracle) for c in corners], "no cell has all three arms", estimator),
        preservation=_share([(c.trialled, c.readback) for c in read], "nothing is right under oracle", estimator),
        retrieval=_share([(c.trialled, c.system) for c in kept], "nothing is right under readback", estimator),
    )


def _no_shares(why: str, oracle: Right, system: Right, estimator: Estimator) -> _Shares:
    """What is left without readback: the oracle on the cells that the system has too."""
    read = [(name, right) for name, right in oracle.items() if name in system]
    return _Shares(_share(read, why, estimator), nothing(why), nothing(why))


def _share(pairs: Sequence[tuple[Trialled, bool]], why: str, estimator: Estimator) -> Estimate:
    values = {name.asked: float(right) for name, right in pairs}
    if len(values) < len(pairs):  # repeats of a question are averaged
        found: dict[Asked, list[bool]] = {}
        for name, right in pairs:
            found.setdefault(name.asked, []).append(right)
        values = {asked: sum(rights) / len(rights) for asked, rights in found.items()}
    return estimator.one(values, why).estimate


def _fourfold(oracle: Right, system: Right) -> Fourfold | None:
    names = list({name.asked: name for name in sorted(set(oracle) & set(system), reverse=True)}.values())
    if not names:  # the first repeat of each question: the test takes pairs for independent
        return None
    both, oracle_only, system_only, neither, p = mcnemar([oracle[n] for n in names], [system[n] for n in names])
    return Fourfold(both=both, oracle_only=oracle_only, system_only=system_only, neither=neither, p=p)


def splits(
    grid: Grid, falls: Iterable[Waterfall], cards: Mapping[str, TaskCard], estimator: Estimator
) -> tuple[SplitRow, ...]:
    """One for each row with a waterfall, of each task whose card names a label; rows of higher score first.

    Args:
        grid: All cells.
        falls: The waterfalls over all questions.
        cards: By task.
        estimator: Makes the intervals.
    """
    whole = {task: [one for one in falls if one.task == task] for task in grid.tasks if cards[task].split_by}
    return tuple(row for task, mine in whole.items() for row in _of_task(grid, mine, cards[task], estimator))


def _of_task(grid: Grid, whole: Iterable[Waterfall], card: TaskCard, estimator: Estimator) -> list[SplitRow]:
    parts = [_part(None, one, grid, estimator) for one in whole]
    for value, mine in _by_value(grid, card).items():
        parts += [_part(value, one, mine, estimator) for one in waterfalls_of(card.name, mine, card, estimator)]
    rows = [
        SplitRow(
            task=card.name,
            row=row,
            kind=kind,
            reference=row in grid.references,
            label=card.split_by,
            parts=tuple(part for part in parts if part.waterfall.row == row),
        )
        for row, kind in grid.kinds.items()
    ]
    return sorted((row for row in rows if row.parts), key=lambda row: (-_height(row.parts[0].score), row.row))


def _by_value(grid: Grid, card: TaskCard) -> dict[str, Grid]:
    """The scored cells of one task by the value of its label."""
    found: dict[str, list[CellOutcome]] = {}
    for block, cells in grid.blocks.items():
        if block.task == card.name and block.purpose == "score":
            for cell in cells:
                if card.split_by in cell.labels:
                    found.setdefault(cell.labels[card.split_by], []).append(cell)
    return {value: grid_of(cells) for value, cells in sorted(found.items())}


def _height(score: Estimate) -> float:
    return -1.0 if score.estimate is None else score.estimate


def _part(value: str | None, one: Waterfall, grid: Grid, estimator: Estimator) -> SplitPart:
    scores = per_question(by_question(grid.block(one.task, one.row, Arm.SYSTEM)), counted_value)
    return SplitPart(
        value=value,
        score=estimator.one(scores).estimate,
        waterfall=one,
        leaks=tuple(_leaks(grid, one)) if one.table else (),
    )


_LEAKS: Mapping[LeakName, Callable[[Right, Right, Trialled], bool]] = {
    "right_without_oracle": lambda oracle, _, name: not oracle[name],
    "right_without_readback": lambda _, readback, name: not readback[name],
}


def _leaks(grid: Grid, fall: Waterfall) -> Iterator[ReverseLeak]:
    """On the answers that have all three arms, as the table has them."""
    oracle, readback, system = (
        right_of(cells)
        for cells in (
            grid.oracle_for(fall.task, fall.row),
            grid.joined(fall.task, fall.row, VARIANTS[fall.variant]),
            grid.joined(fall.task, fall.row, Arm.SYSTEM),
        )
    )
    right = [name for name in sorted(set(oracle) & set(readback) & set(system)) if system[name]]
    for leak, is_one in _LEAKS.items():
        mine = [name for name in right if is_one(oracle, readback, name)]
        places = dict.fromkeys(name.asked for name in mine)
        yield ReverseLeak(
            name=leak,
            count=len(mine),
            questions=tuple(
                LeakPlace(history=one.history, checkpoint=one.checkpoint, question=one.question) for one in places
            ),
        )

"""The stage at which right answers are lost: oracle, readback and system side by side, for binary tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

from recollect.contracts.benchmark import TaskCard
from recollect.diagnose.estimates import Estimator, counted_value, mean_of_each, nothing, question_means
from recollect.diagnose.grid import Grid, Trialled, grid_of
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.summary import Fourfold, Waterfall, WaterfallCell
from recollect.records.tables.supplement import LeakName, LeakPlace, ReverseLeak, SplitPart, SplitRow
from recollect.stats.significance import mcnemar

Variant = Literal["readback", "readback_pure"]
VARIANTS: Mapping[Variant, Arm] = {"readback": Arm.READBACK, "readback_pure": Arm.READBACK_PURE}
"""Variant of a waterfall -> its readback arm."""
Cells = Mapping[Trialled, CellOutcome]
Right = Mapping[Trialled, bool]
"""Cells with an outcome -> whether it is right."""


_GRADED = "the task is graded, not right or wrong"


def waterfalls(grid: Grid, cards: Mapping[str, TaskCard], estimator: Estimator) -> tuple[Waterfall, ...]:
    """One for each task and row that was asked in the arm `system`; a second where the pure readback was asked."""
    return tuple(one for task in grid.tasks for one in waterfalls_of(task, grid, cards[task], estimator))


def waterfalls_of(task: str, grid: Grid, card: TaskCard, estimator: Estimator) -> Iterator[Waterfall]:
    for row, kind in grid.kinds.items():
        for variant, arm in VARIANTS.items():
            asked = kind != "oracle" and grid.block(task, row, Arm.SYSTEM)
            if asked and (variant == "readback" or grid.block(task, row, arm)):
                yield _waterfall(grid, (task, row, variant), card, estimator)


def _arms(grid: Grid, task: str, row: str, variant: Variant) -> tuple[Cells, Cells, Cells]:
    return (
        grid.oracle_for(task, row),
        grid.joined(task, row, VARIANTS[variant]),
        grid.joined(task, row, Arm.SYSTEM),
    )


def _waterfall(grid: Grid, name: tuple[str, str, Variant], card: TaskCard, estimator: Estimator) -> Waterfall:
    task, row, variant = name
    arms = _arms(grid, *name)
    rights = oracle, readback, system = (right_of(arms[0]), right_of(arms[1]), right_of(arms[2]))
    why = _why_not(card, arms, rights)
    graded = why == _GRADED
    in_all = [] if why else sorted(set(oracle) & set(readback) & set(system))
    if why:  # without readback, the oracle on the cells that the system has too
        both = [] if graded else [cell for cell in oracle if cell in system]
        reading = _share(both, oracle, why, estimator)
        preservation = retrieval = nothing(why)
    else:
        read = [cell for cell in in_all if oracle[cell]]
        kept = [cell for cell in read if readback[cell]]
        reading = _share(in_all, oracle, "no cell has all three arms", estimator)
        preservation = _share(read, readback, "nothing is right under oracle", estimator)
        retrieval = _share(kept, system, "nothing is right under readback", estimator)
    counts = Counter((oracle[cell], readback[cell], system[cell]) for cell in in_all)
    corners = () if why else product((True, False), repeat=3)
    return Waterfall(
        task=task,
        row=row,
        variant=variant,
        table=tuple(WaterfallCell(oracle=o, readback=r, system=s, count=counts[o, r, s]) for o, r, s in corners),
        n=len(in_all),
        dropped=0 if why else len(arms[2]) - len(in_all),
        reading=reading,
        preservation=preservation,
        retrieval=retrieval,
        fourfold=None if graded else _fourfold(oracle, system),
        why=why,
    )


def _why_not(card: TaskCard, arms: Sequence[Cells], rights: Sequence[Right]) -> str:
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


def right_of(cells: Cells) -> Right:
    values = ((name, counted_value(cell)) for name, cell in cells.items())
    return {name: value == 1.0 for name, value in values if value is not None}


def _share(cells: Iterable[Trialled], right: Right, why: str, estimator: Estimator) -> Estimate:
    return estimator.one(mean_of_each((cell.asked, float(right[cell])) for cell in cells), why).estimate


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
    by_value: dict[str, list[CellOutcome]] = {}
    for block, cells in grid.blocks.items():
        if block.task == card.name and block.purpose == "score":
            for cell in cells:
                if card.split_by in cell.labels:
                    by_value.setdefault(cell.labels[card.split_by], []).append(cell)
    parts = [_part(None, one, grid, estimator) for one in whole]
    for value, cells in sorted(by_value.items()):
        mine = grid_of(cells)
        parts += [_part(value, one, mine, estimator) for one in waterfalls_of(card.name, mine, card, estimator)]
    rows = []
    for row, kind in grid.kinds.items():
        of_row = tuple(part for part in parts if part.waterfall.row == row)
        if of_row:
            reference, label = row in grid.references, card.split_by
            one = SplitRow(task=card.name, row=row, kind=kind, reference=reference, label=label, parts=of_row)
            rows.append(one)
    scores = {row.row: row.parts[0].score.estimate for row in rows}
    return sorted(rows, key=lambda row: (scores[row.row] is None, -(scores[row.row] or 0.0), row.row))


def _part(value: str | None, one: Waterfall, grid: Grid, estimator: Estimator) -> SplitPart:
    scores = question_means(grid.block(one.task, one.row, Arm.SYSTEM))
    return SplitPart(
        value=value,
        score=estimator.one(scores).estimate,
        waterfall=one,
        leaks=tuple(_leaks(grid, one)) if one.table else (),
    )


def _leaks(grid: Grid, fall: Waterfall) -> Iterator[ReverseLeak]:
    """On the answers that have all three arms, as the table has them."""
    oracle, readback, system = (right_of(cells) for cells in _arms(grid, fall.task, fall.row, fall.variant))
    right = [cell for cell in sorted(set(oracle) & set(readback) & set(system)) if system[cell]]
    easier: Mapping[LeakName, Right] = {"right_without_oracle": oracle, "right_without_readback": readback}
    for name, arm in easier.items():
        mine = [cell for cell in right if not arm[cell]]
        places = [LeakPlace(**asked._asdict()) for asked in dict.fromkeys(cell.asked for cell in mine)]
        yield ReverseLeak(name=name, count=len(mine), questions=tuple(places))

"""Prints what repeats tell: the noise of each stage, and the floor below which no difference is a win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.report.numbers import component_said, floor_said, reasons

if TYPE_CHECKING:
    from recollect.records.tables.summary import Summary, TaskComparison

TITLE = "noise: variance that each stage adds, and the difference that noise alone makes"
COLUMNS = ("task", "row", "ingest", "answer", "judge", "noise floor")


def noise_rows(summary: Summary) -> list[list[str]]:
    """A line for each row and task that was repeated."""
    return [
        [one.task, one.row, *(component_said(part) for part in one.components), floor_said(one.floor)]
        for one in summary.noise
    ]


def print_noise(summary: Summary) -> None:
    """The table, and the reasons that do not fit into it; nothing where nothing was repeated."""
    from recollect.cli.output import print_table
    from recollect.cli.systems import with_ran

    if summary.noise:
        print_table(TITLE, *with_ran(summary, COLUMNS, noise_rows(summary)))
    for reason in reasons(summary.noise):
        print(reason)


def floors_said(tasks: Sequence[TaskComparison], names: tuple[str, str]) -> list[str]:
    """A line for each side and task: its noise floor, or what would tell it."""
    return [
        f"noise floor of {name} on {task.task}: {floor_said(floor)}"
        for task in tasks
        for name, floor in zip(names, (task.first_floor, task.second_floor), strict=True)
    ]

"""The columns of a paper's table, as means of a run's measures; a column with a missing part has no mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: the mean of tasks, or of earlier columns."""

    name: str
    tasks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """Earlier ones, with equal weights."""
    label: str = ""
    """Only questions whose key has *value* under this label."""
    value: str = ""
    over: Literal["tasks", "questions"] = "tasks"
    """Equal weights for tasks, or for questions."""

    def __post_init__(self) -> None:
        if bool(self.tasks) == bool(self.columns):
            raise ValueError(f"column {self.name!r} needs either `tasks` or `columns`")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table of a paper, or the same columns for data that replace the paper's."""

    title: str
    columns: tuple[Column, ...]
    note: str = ""
    """What a reader must know before comparing."""
    strata: str = ""
    """Label by which the paper stratifies its intervals, a bootstrap over questions; empty if it gives none."""

    def __post_init__(self) -> None:
        known: set[str] = set()
        for column in self.columns:
            if missing := sorted({*column.columns} - known):
                raise ValueError(f"column {column.name!r}: {missing[0]!r} is not an earlier column")
            known.add(column.name)

    @property
    def tasks(self) -> frozenset[str]:
        """All tasks of its columns."""
        return frozenset(task for column in self.columns for task in column.tasks)

    def means(self, by_task: Mapping[str, float]) -> dict[str, float | None]:
        """The columns from the mean of each task, a ratio; `None` where a part is missing.

        Columns over questions, or over some of a task's, are `None` too.
        """
        found: dict[str, float | None] = {}
        for column in self.columns:
            parts = [found[name] for name in column.columns]
            if not parts and column.over == "tasks" and not column.label:
                parts = [by_task.get(task) for task in column.tasks]
            known = [part for part in parts if part is not None]
            found[column.name] = sum(known) / len(known) if known and len(known) == len(parts) else None
        return found

"""The cells that ask about states, by user, period and question; told apart by the labels of their keys alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.diagnose.grid import Grid
from recollect.domain.ids import HistoryId
from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome

STATE = "state:"
"""Prefix of the parts of a probe that are about a state; the rest is the variable."""
BOUND_OF = "bound_of"
"""Label of a question that states one choice outright: the thread that it bounds."""
THREAD: Mapping[Purpose, str] = {"score": "thread", "probe": "probe_of"}
"""The label that identifies a question across periods."""


class StateId(NamedTuple):
    """One question of one user after one period."""

    history: HistoryId
    period: int
    thread: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCells:
    """The scored questions and probes of one row on one task."""

    scored: Mapping[StateId, Sequence[CellOutcome]]
    probes: Mapping[StateId, Sequence[CellOutcome]]
    written: Mapping[StateId, Mapping[str, int]]
    """Variable -> the latest period, this one included, in which its value was told."""

    @property
    def periods(self) -> list[int]:
        """Those with questions, sorted."""
        return sorted({state.period for state in self.written})

    @property
    def answers(self) -> list[CellOutcome]:
        return [cell for cells in self.scored.values() for cell in cells]


def state_cells(grid: Grid, task: str, row: str) -> StateCells | None:
    """The cells of a row's own arm; `None` where no scored question has the labels."""
    found: dict[Purpose, dict[StateId, list[CellOutcome]]] = {"probe": {}, "score": {}}
    written: dict[StateId, Mapping[str, int]] = {}
    for purpose, cells in found.items():
        for cell in grid.block(task, row, Arm.SYSTEM, purpose):
            labelled = _labelled(cell)
            if labelled is not None:
                state, written[state] = labelled
                cells.setdefault(state, []).append(cell)
    return StateCells(scored=found["score"], probes=found["probe"], written=written) if found["score"] else None


def _labelled(cell: CellOutcome) -> tuple[StateId, Mapping[str, int]] | None:
    """A question, and when its states were written, from its labels; a user's own labels may mean something else."""
    thread, written = cell.labels.get(THREAD[cell.purpose], ""), _written(cell.labels.get("written", ""))
    period, choices = cell.labels.get("period", ""), cell.labels.get("choices", "")
    if not (thread and written and period.isdecimal()) or max(written.values()) > int(period):
        return None
    if cell.purpose == "probe" or (choices.isdecimal() and int(choices) > 0):
        return StateId(cell.history, int(period), thread), written
    return None


def choices_of(cell: CellOutcome) -> int:
    return int(cell.labels["choices"])


def _written(label: str) -> Mapping[str, int]:
    try:
        found = json.loads(label)
    except ValueError:
        return {}
    valid = isinstance(found, dict) and all(type(period) is int and period >= 0 for period in found.values())
    return found if valid else {}

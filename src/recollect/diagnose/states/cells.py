"""The cells that ask about states, by user, period and question; told apart by the labels of their keys alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.diagnose.grid import Grid
from recollect.domain.ids import HistoryId
from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome

STATE = "state:"
"""Begins the name of each part of a probe that is about a state; the rest is the variable."""
BOUND_OF = "bound_of"
"""Label of a question that is asked with the states of one choice told outright: the thread that it bounds."""
THREAD: Mapping[Purpose, str] = {"score": "thread", "probe": "probe_of"}
"""The label that says which question it is, the same after every period."""


class StateId(NamedTuple):
    """One question of one user after one period."""

    history: HistoryId
    period: int
    thread: str


class StateValues(NamedTuple):
    """What the labels of a scored question or a probe say."""

    place: StateId
    written: Mapping[str, int]
    """Variable -> the latest period, this one included, that told it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCells:
    """The scored questions and probes of one row on one task."""

    scored: Mapping[StateId, Sequence[CellOutcome]]
    probes: Mapping[StateId, Sequence[CellOutcome]]
    written: Mapping[StateId, Mapping[str, int]]

    @property
    def periods(self) -> list[int]:
        """Those after which anything is asked, in order."""
        return sorted({place.period for place in self.written})

    @property
    def answers(self) -> list[CellOutcome]:
        """Every cell that is scored, whatever became of it."""
        return [cell for cells in self.scored.values() for cell in cells]


def state_cells(grid: Grid, task: str, row: str) -> StateCells | None:
    """The cells of a row's own arm; `None` where no scored question has the labels."""
    scored, probes = (list(_told(grid.block(task, row, Arm.SYSTEM, purpose))) for purpose in THREAD)
    if not scored:
        return None
    return StateCells(
        scored=_by_place(scored),
        probes=_by_place(probes),
        written={told.place: told.written for told, _ in (*probes, *scored)},
    )


def choices_of(cell: CellOutcome) -> int:
    """Among how many options a scored question chooses."""
    return int(cell.labels["choices"])


def _by_place(told: Iterable[tuple[StateValues, CellOutcome]]) -> dict[StateId, list[CellOutcome]]:
    found: dict[StateId, list[CellOutcome]] = {}
    for one, cell in told:
        found.setdefault(one.place, []).append(cell)
    return found


def _told(cells: Iterable[CellOutcome]) -> Iterable[tuple[StateValues, CellOutcome]]:
    """The cells whose labels say it all; labels may be a user's own, and mean something else."""
    for cell in cells:
        thread, written = cell.labels.get(THREAD[cell.purpose], ""), _written(cell.labels.get("written", ""))
        period, choices = cell.labels.get("period", ""), cell.labels.get("choices", "")
        if not (thread and written and period.isdecimal()) or max(written.values()) > int(period):
            continue
        if cell.purpose == "probe" or (choices.isdecimal() and int(choices) > 0):
            yield StateValues(StateId(cell.history, int(period), thread), written), cell


def _written(said: str) -> Mapping[str, int]:
    """Variable -> period; empty where the label says anything else."""
    try:
        found = json.loads(said)
    except ValueError:
        return {}
    fine = isinstance(found, dict) and all(type(period) is int and period >= 0 for period in found.values())
    return found if fine else {}

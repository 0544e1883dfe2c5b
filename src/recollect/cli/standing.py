"""How far a run is, by row and as a whole; of a part, only what belongs to the part is counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from recollect.store.locks import workers
from recollect.store.run_folder import RunFolder, share_of

NOT_STARTED = "(not started)"
"""Stands for the row of a trial that an older version planned and nobody began."""


@dataclass(slots=True, kw_only=True)
class Standing:
    """Records that are there and that are planned, and what the journals say beside."""

    done: int = 0
    planned: int = 0
    faults: int = 0
    void: int = 0
    state: str = "unfinished"
    """`finished`, `unfinished`, or `running` with the processes."""

    def add(self, other: Standing) -> None:
        """Count *other* in."""
        self.done += other.done
        self.planned += other.planned
        self.faults += other.faults
        self.void += other.void

    def told(self) -> Mapping[str, int | str]:
        """By name, for a table or JSON."""
        return asdict(self)


def by_row(folder: RunFolder) -> dict[str, Standing]:
    """Row -> its standing; rows that nobody has begun are there, too."""
    rows, running = _rows(folder), workers(folder)
    for row in rows.values():
        row.state = _state(row, running)
    return rows


def of_run(folder: RunFolder) -> Standing:
    """All rows together."""
    whole, running = Standing(), workers(folder)
    for row in _rows(folder).values():
        whole.add(row)
    parts = folder.parts()
    named = ", ".join(f"{number}/{of}" for number, of in sorted(parts))
    state = _state(whole, running)
    whole.state = f"part {named} {state}" if _mine(folder) != set(folder.planned()) else state
    return whole


def _state(counts: Standing, running: Sequence[str]) -> str:
    if counts.planned and counts.done == counts.planned:
        return "finished"
    return f"running: {', '.join(running)}" if running else "unfinished"


def _mine(folder: RunFolder) -> set[str]:
    """The trials that this folder is about."""
    planned, parts = folder.planned(), folder.parts()
    return {trial for part in parts for trial in share_of(planned, part)} if parts else set(planned)


def _rows(folder: RunFolder) -> dict[str, Standing]:
    labels = {facts["trial"]: facts["row"] for facts in folder.trials()}
    planned = folder.planned()
    rows: defaultdict[str, Standing] = defaultdict(Standing)
    for trial in sorted(_mine(folder)):
        plan, journal = planned[trial], folder.journal(trial)
        done = min(plan.records, journal.planned_done())
        row = rows[plan.row or labels.get(trial, NOT_STARTED)]
        row.add(Standing(done=done, planned=plan.records, faults=len(journal.faults), void=journal.voids))
    return dict(sorted(rows.items()))

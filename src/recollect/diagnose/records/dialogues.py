"""What was said in the dialogues of a run: another run may replay it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message
from recollect.store.run_folder import RunFolder


def dialogues_of(folder: RunFolder, row: str | None = None) -> dict[HistoryId, tuple[Message, ...]]:
    """All messages of the dialogues of one row, by history, in the order in which they were said.

    Of a run that replayed dialogues itself these are the replayed ones.

    Args:
        folder: Only read.
        row: May be left out where only one row held dialogues.

    Raises:
        UnknownNameError: The run has no such row.
        UsageError: Nothing was said, not all was said yet, or several rows held dialogues and none is named.
    """
    replayed = folder.talks()
    if replayed:
        return replayed
    trials = [trial for trial in folder.trials() if not trial["replicate"]]
    rows = sorted({str(trial["row"]) for trial in trials})
    if row is not None and row not in rows:
        raise UnknownNameError(f"row of {folder.path}", row, rows)
    named = [row] if row is not None else rows
    by_row = {name: _of_row(folder, [trial for trial in trials if trial["row"] == name]) for name in named}
    found = {name: dialogues for name, dialogues in by_row.items() if dialogues}
    if not found:
        raise UsageError(f"{folder.path}: the run has no dialogues. Name a run of a benchmark that converses.")
    if len(found) > 1:
        raise UsageError(f"{folder.path}: {len(found)} rows held dialogues. Name one, such as `RUN:{min(found)}`.")
    (chosen,) = found.values()
    return chosen


def _of_row(folder: RunFolder, trials: Sequence[Mapping[str, Any]]) -> dict[HistoryId, tuple[Message, ...]]:
    planned = folder.planned()
    dialogues: dict[HistoryId, tuple[Message, ...]] = {}
    for trial in trials:
        journal = folder.journal(trial["trial"])
        states = [body for _, body in journal.bodies("state") if body.did == "converse"]
        if states and journal.planned_done() < planned[trial["trial"]].records:
            raise UsageError(f"{folder.path}: row `{trial['row']}` is unfinished. Run `recollect resume` first.")
        messages = tuple(message for state in sorted(states, key=lambda one: one.step) for message in state.talk)
        if messages:
            dialogues[HistoryId(trial["history"])] = messages
    return dialogues

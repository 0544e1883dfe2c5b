"""The messages of a log in a sparse index, for the memories that search by words."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from recollect.domain.ids import SessionId
from recollect.domain.messages import Message
from recollect.index.sparse import SparseIndex

FOLDER = "index"
HELD = 4_096
"""Messages up to which the index is held in the working set: there a commit waits for no disk, and a copy of the log
is a copy of the index. Ranking is the same on either side."""


class SparseLogIndex:
    """A row is a message, numbered by its place in the log; ties go to the message written first."""

    def __init__(self, room: Path, *, previous: bool, held: int = HELD) -> None:
        self._folder = room / FOLDER
        self._previous = previous
        self._held = held
        self._last: dict[SessionId, Message] = {}
        self._next = 0
        self._is_settled = True
        self._rows_held: list[tuple[int, str]] | None = []
        self._index = SparseIndex.held()

    def append(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow those before; found after `commit`."""
        rows = list(self._rows(messages))
        if self._rows_held is not None:
            self._rows_held += rows
            if len(self._rows_held) > self._held:
                rows = self._spilled(self._rows_held)
        self._index.add(rows)
        self._is_settled = False

    def commit(self) -> None:
        """Make all that was appended findable; a commit on the disk takes its time, so there is none without need."""
        if not self._is_settled:
            self._index.commit()
            self._is_settled = True

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Places and scores of the best messages, at most *limit*; a message without a word of *text* is none."""
        return self._index.search(text, limit) if limit > 0 else []

    def become(self, messages: Sequence[Message]) -> None:
        """Index *messages* and nothing else."""
        self._index.close()
        self._begin()
        self.append(messages)
        self.commit()

    def save(self, folder: Path) -> None:
        """Copy the index into *folder*, if it is not one that the messages give again in no time."""
        if self._rows_held is None:
            self._index.save(folder / FOLDER)

    def load(self, folder: Path, messages: Sequence[Message]) -> None:
        """Become the index saved in *folder*, which holds *messages*."""
        saved = folder / FOLDER
        if not saved.is_dir():
            self.become(messages)
            return
        self._index.close()
        self._begin()
        self._rows_held = None
        shutil.copytree(saved, self._folder, dirs_exist_ok=True)
        self._index = SparseIndex.open(self._folder)
        for message in messages:
            self._note(message)

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    def _begin(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._last, self._next = {}, 0
        self._is_settled = True
        self._rows_held = []
        self._index = SparseIndex.held()

    def _spilled(self, rows: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Go on in a folder, with all *rows* so far."""
        self._index.close()
        self._rows_held = None
        self._index = SparseIndex.open(self._folder)
        return rows

    def _rows(self, messages: Iterable[Message]) -> Iterator[tuple[int, str]]:
        for message in messages:
            before = self._last.get(message.session_id) if self._previous else None
            yield self._next, "\n".join(_worded(m) for m in (before, message) if m is not None)
            self._note(message)

    def _note(self, message: Message) -> None:
        self._last[message.session_id] = message
        self._next += 1


def _worded(message: Message) -> str:
    """What can be searched of a message: channel, speaker and text. Times are no words."""
    return " ".join(part for part in (message.channel, message.speaker, message.text) if part)

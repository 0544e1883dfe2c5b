"""The messages of a log in a sparse index, for the memories that search by words."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from recollect.domain.ids import SessionId
from recollect.domain.messages import Message
from recollect.index.sparse import SparseIndex

FOLDER = "index"
HELD = 4_096
"""Messages up to which the index is kept in memory: a commit needs no disk, and the log replaces a copy of the index.
Ranking is the same on either side."""


class SparseLogIndex:
    """One row a message, numbered by its place in the log; ties go to the message written first."""

    def __init__(self, room: Path, *, previous: bool, held: int = HELD) -> None:
        self._folder, self._previous, self._held = room / FOLDER, previous, held
        self._clear()

    def _clear(self) -> None:
        self._last: dict[SessionId, Message] = {}
        self._next = 0
        self._is_settled = True
        self._rows_in_memory: list[tuple[int, str]] | None = []
        self._index = SparseIndex.held()

    def append(self, messages: Sequence[Message]) -> None:
        """Add messages after all others; found after `commit`."""
        rows = []
        for message in messages:
            before = self._last.get(message.session_id) if self._previous else None
            rows.append((self._next, "\n".join(_searchable(m) for m in (before, message) if m is not None)))
            self._note(message)
        if self._rows_in_memory is not None:
            self._rows_in_memory += rows
            if len(self._rows_in_memory) > self._held:
                self._index.close()
                self._index = SparseIndex.open(self._folder)
                rows, self._rows_in_memory = self._rows_in_memory, None
        self._index.add(rows)
        self._is_settled = False

    def commit(self) -> None:
        """Make all that was appended findable; without need nothing is written, since a commit on disk is slow."""
        if not self._is_settled:
            self._index.commit()
            self._is_settled = True

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Places and scores of the best messages with a word of *text*, at most *limit*."""
        return self._index.search(text, limit) if limit > 0 else []

    def become(self, messages: Sequence[Message]) -> None:
        self._index.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._clear()
        self.append(messages)
        self.commit()

    def save(self, folder: Path) -> None:
        """Copy the index into *folder*, unless it is small and fast to make again."""
        if self._rows_in_memory is None:
            self._index.save(folder / FOLDER)

    def load(self, folder: Path, messages: Sequence[Message]) -> None:
        saved = folder / FOLDER
        if not saved.is_dir():
            self.become(messages)
            return
        self._index.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._clear()
        self._rows_in_memory = None
        shutil.copytree(saved, self._folder, dirs_exist_ok=True)
        self._index = SparseIndex.open(self._folder)
        for message in messages:
            self._note(message)

    def close(self) -> None:
        self._index.close()

    def _note(self, message: Message) -> None:
        self._last[message.session_id] = message
        self._next += 1


def _searchable(message: Message) -> str:
    """Channel, speaker and text, without the time."""
    return " ".join(part for part in (message.channel, message.speaker, message.text) if part)

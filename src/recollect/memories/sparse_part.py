"""The messages of a log in a sparse index on the disk, for the memories that search by words."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from recollect.domain.ids import SessionId
from recollect.domain.messages import Message
from recollect.index.sparse import SparseIndex

FOLDER = "index"


class SparsePart:
    """A row is a message, numbered by its place in the log; ties go to the message written first."""

    def __init__(self, room: Path, *, previous: bool) -> None:
        self._folder = room / FOLDER
        self._previous = previous
        self._last: dict[SessionId, Message] = {}
        self._next = 0
        self._is_settled = True
        self._index = SparseIndex.open(self._folder)

    def append(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow those before; found after `commit`."""
        self._index.add(self._rows(messages))
        self._is_settled = False

    def commit(self) -> None:
        """Make all that was appended findable; a commit waits for the disk, so there is none without need."""
        if not self._is_settled:
            self._index.commit()
            self._is_settled = True

    def search(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Places and scores of the best messages, at most *limit*; a message without a word of *text* is none."""
        return self._index.search(text, limit) if limit > 0 else []

    def become(self, messages: Sequence[Message]) -> None:
        """Index *messages* and nothing else."""
        self._index.close()
        shutil.rmtree(self._folder)
        self._index = SparseIndex.open(self._folder)
        self._last, self._next = {}, 0
        self.append(messages)
        self.commit()

    def save(self, folder: Path) -> None:
        """Copy the index into *folder*."""
        self._index.save(folder / FOLDER)

    def load(self, folder: Path, messages: Iterable[Message]) -> None:
        """Become the index saved in *folder*, which holds *messages*."""
        self._index.close()
        shutil.rmtree(self._folder)
        shutil.copytree(folder / FOLDER, self._folder)
        self._index = SparseIndex.open(self._folder)
        self._last, self._next = {}, 0
        for message in messages:
            self._note(message)

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

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

"""The messages of a log as vectors, for the memories that search by meaning.

An embedder reads only the start of a long text and says nothing of the rest. So a long message is embedded in pieces,
and is as near to a cue as its nearest piece.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.models import Embedder
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.index.dense import DenseIndex
from recollect.text.chunking import chunk_units
from recollect.text.tokens import count

FOLDER = "vectors"
_AT_ONCE = 1024
"""Texts of one call, so that what is paid for is acknowledged now and then."""


class DensePart:
    """Vectors of messages, which are known by their places in the log; ties go to the message written first."""

    def __init__(self, room: Path, embedder: Embedder, *, piece_tokens: int) -> None:
        self._folder = room / FOLDER
        self._embedder = embedder
        self._piece_tokens = piece_tokens
        self.clear()

    def clear(self) -> None:
        """Hold nothing."""
        self._index = DenseIndex(self._embedder.dimensions)
        self._owners: list[int] = []
        self._rows: dict[int, range] = {}

    def add(self, messages: Iterable[tuple[int, Message]]) -> None:
        """Embed the messages that are not embedded yet, given with their places."""
        pieces = [piece for place, message in messages for piece in self._claim(place, message)]
        for start in range(0, len(pieces), _AT_ONCE):
            part = pieces[start : start + _AT_ONCE]
            rows = range(self._index.count, self._index.count + len(part))
            self._index.add(rows, self._embedder.embed(part))

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a cue, shape (dimensions,)."""
        return self._embedder.embed([text])[0]

    def search(self, vector: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """Places and cosines of the nearest messages, at most *limit*."""
        wanted = limit
        while True:
            hits = self._index.search(vector, wanted)
            nearest = self._by_message(hits)
            if len(nearest) >= limit or wanted >= self._index.count:
                return nearest[:limit]
            wanted *= 2

    def near(self, vector: NDArray[np.float32], places: Sequence[int]) -> list[tuple[int, float]]:
        """*places* and their cosines, best first; all of them must have been added."""
        rows = [row for place in places for row in self._rows[place]]
        hits = zip(rows, self._index.scores(vector, rows).tolist(), strict=True)
        return self._by_message(sorted(hits, key=lambda hit: (-hit[1], self._owners[hit[0]])))

    def save(self, folder: Path) -> None:
        """Write the vectors into *folder*."""
        self._index.save(folder / FOLDER)

    def load(self, folder: Path, messages: Iterable[Message]) -> None:
        """Become what was saved in *folder* of *messages*."""
        self.clear()
        shutil.copytree(folder / FOLDER, self._folder)
        self._index = DenseIndex.load(self._folder)
        for place, message in enumerate(messages):
            self._claim(place, message)

    def _claim(self, place: int, message: Message) -> list[str]:
        """The pieces of a message that gets its rows now; none where it has them."""
        if place in self._rows:
            return []
        pieces = _pieces(message, self._piece_tokens)
        self._rows[place] = range(len(self._owners), len(self._owners) + len(pieces))
        self._owners.extend([place] * len(pieces))
        return pieces

    def _by_message(self, hits: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
        """Each message once, where its best piece stands."""
        best: dict[int, float] = {}
        for row, cosine in hits:
            best.setdefault(self._owners[row], cosine)
        return list(best.items())


def _pieces(message: Message, tokens: int) -> list[str]:
    """What is embedded of a message: its text, or pieces of whole lines or sentences where it is longer than *tokens*.

    A message without text has no piece and is never near to anything.
    """
    if not message.text.strip():
        return []
    if count(message.text) <= tokens:
        return [_worded(message, message.text)]
    return [_worded(message, chunk.text) for chunk in _chunks(message.text, tokens)]

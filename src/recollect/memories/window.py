"""Keeps the newest messages within a number of tokens, and forgets the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.storage.message_log import FILE_NAME, KEEPS, read_messages, stored, units_of, write_messages
from recollect.text.tokens import count


@dataclass(frozen=True, slots=True)
class WindowConfig:
    """How much is kept."""

    tokens: int = 2000
    """Of message text, by the bundled tokenizer; the newest message stays even if it alone is longer."""

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise ValueError(f"tokens starts at 1, got {self.tokens}; for a memory without content take `none`")


@dataclass
class WindowMemory:
    """Shows the same messages whatever is asked: the newest, in the order of writing."""

    config: WindowConfig
    _kept: deque[tuple[Message, int]] = field(default_factory=deque, init=False)
    """Messages with their tokens."""
    _recall: Recall | None = field(default=None, init=False)

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch, and drop from the front what no longer fits."""
        self._recall = None
        self._kept.extend((message, count(message.text)) for message in batch.messages)
        tokens = sum(size for _, size in self._kept)
        while tokens > self.config.tokens and len(self._kept) > 1:
            tokens -= self._kept.popleft()[1]
        return stored(batch.messages)

    def settle(self) -> None:
        """Nothing to wait for."""

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002 - the same for every cue
        """All that is kept; its size is set by the config, not by the cue."""
        if self._recall is None:
            self._recall = Recall.of_messages((message for message, _ in self._kept), order="time")
        return self._recall

    def close(self) -> None:
        """Nothing to close."""

    def units(self) -> Iterator[Unit]:
        return units_of(message for message, _ in self._kept)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return Recall.of_messages((kept for kept, _ in self._kept if kept.message_id in sources), order="time")

    def save(self, folder: Path) -> None:
        write_messages(folder / FILE_NAME, (message for message, _ in self._kept))

    def load(self, folder: Path) -> None:
        self._become(read_messages(folder / FILE_NAME))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*; older ones that were dropped do not come back."""
        self._become([message for message, _ in self._kept if message.message_id not in sources])

    def _become(self, messages: list[Message]) -> None:
        self._kept = deque((message, count(message.text)) for message in messages)
        self._recall = None


KIND = MemoryKind(
    name="window",
    version=1,
    summary="the newest messages within a number of tokens",
    config=WindowConfig,
    traits=lambda _: Traits(can=KEEPS, limit="fixed", snapshot_deterministic=True),
    open=lambda config, _: WindowMemory(config),
)

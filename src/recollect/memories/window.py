"""Keeps the newest messages within a number of tokens, and forgets the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from recollect.contracts.memory import Memory, Room
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


class _Held(NamedTuple):
    message: Message
    tokens: int


@dataclass
class WindowMemory:
    """Shows the same messages whatever is asked: the newest, in the order of writing."""

    config: WindowConfig
    _held: deque[_Held] = field(default_factory=deque, init=False)
    _tokens: int = field(default=0, init=False)
    _all: Recall | None = field(default=None, init=False)

    def write(self, batch: Batch) -> Receipt:
        """Keep the batch, and drop from the front what no longer fits."""
        for message in batch.messages:
            self._add(message)
        return stored(batch.messages)

    def settle(self) -> None:
        """All that is kept can be found at once."""

    def search(self, cue: Cue) -> Recall:  # noqa: ARG002 - the same for every cue
        """All that is kept; its size is set by the config, not by the cue."""
        if self._all is None:
            self._all = Recall.of_messages(self._messages(), order="time")
        return self._all

    def close(self) -> None:
        """Nothing is held open."""

    def units(self) -> Iterator[Unit]:
        """What is kept, in the order of writing."""
        return units_of(self._messages())

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The messages of *sources* that are still kept."""
        return Recall.of_messages((m for m in self._messages() if m.message_id in sources), order="time")

    def save(self, folder: Path) -> None:
        """Write what is kept."""
        write_messages(folder / FILE_NAME, self._messages())

    def load(self, folder: Path) -> None:
        """Keep what was saved."""
        self._become(read_messages(folder / FILE_NAME))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*; older ones that had to go do not come back."""
        self._become([m for m in self._messages() if m.message_id not in sources])

    def _messages(self) -> Iterator[Message]:
        return (held.message for held in self._held)

    def _become(self, messages: list[Message]) -> None:
        self._held, self._tokens, self._all = deque(), 0, None
        for message in messages:
            self._add(message)

    def _add(self, message: Message) -> None:
        held = _Held(message, count(message.text))
        self._held.append(held)
        self._tokens += held.tokens
        while self._tokens > self.config.tokens and len(self._held) > 1:
            self._tokens -= self._held.popleft().tokens
        self._all = None


def _traits(_: WindowConfig) -> Traits:
    return Traits(can=KEEPS, limit="fixed", snapshot_deterministic=True)


def _open(config: WindowConfig, _: Room) -> Memory:
    return WindowMemory(config)


KIND = MemoryKind(
    name="window",
    version=1,
    summary="the newest messages within a number of tokens",
    config=WindowConfig,
    traits=_traits,
    open=_open,
)

"""Where the messages go that leave an agent's buffer: the seam between the agent and its kind of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from recollect.domain.errors import MalformedError
from recollect.domain.exchange import Cue, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.chat import UnusableReplyError
from recollect.memories.agents.topics import Sieve, named_in


class Store(Protocol):
    """The memory behind a buffer."""

    def heed(self, messages: Sequence[Message]) -> Sequence[Message]:
        """What of a round belongs to the talk; the rest tells the agent what to remember."""
        ...

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """Take in what leaves the buffer; *before* is the message that left last."""
        ...

    def settle(self) -> None:
        """Return when all that was written can be found."""
        ...

    def check(self) -> None:
        """Raise if what it holds is no longer what it says it is."""
        ...

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        """What it shows for a cue, earliest first."""
        ...

    def units(self) -> Iterator[Unit]:
        """All that it holds."""
        ...

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        """What came of *sources*, earliest first."""
        ...

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop what came of *sources*."""
        ...

    def save(self, folder: Path) -> None:
        """Write everything into *folder*."""
        ...

    def load(self, folder: Path) -> None:
        """Become what was saved."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


@dataclass
class Extraction:
    """What extracting stores have in common: what to keep, and how often taking it out failed."""

    sieve: Sieve
    writes: int = field(default=0, init=False)
    broken: int = field(default=0, init=False)
    """Writes whose extraction could not be used, twice over: their batches are kept as they were said."""

    def heed(self, messages: Sequence[Message]) -> list[Message]:
        """A system message names what to keep track of; it is no part of the talk."""
        for message in messages:
            if message.role == "system":
                self.sieve.learn(named_in(message.text))
        return [message for message in messages if message.role != "system"]

    def take(self, extract: Callable[[], Any]) -> Any | None:
        """What *extract* gives, or `None` where its model's replies could not be used; both are counted.

        Raises:
            CallError: The model gave no reply at all.
        """
        try:
            found = extract()
        except UnusableReplyError:
            found = None
            self.broken += 1
        self.writes += 1
        return found

    def check(self) -> None:
        """Refuse to go on as this kind of memory where most of it was kept raw.

        Raises:
            MalformedError: More than half of the batches could not be extracted.
        """
        if 2 * self.broken > self.writes:
            raise MalformedError(
                f"{self.broken} of {self.writes} batches are kept as they were said, for the model's replies to the "
                "prompt of extraction could not be used: what is held is raw messages, and not what was made of them",
                cause="extraction_broken",
            )

    def counted(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "policy": self.sieve.policy,
            "known": self.sieve.known,
            "writes": self.writes,
            "broken": self.broken,
        }

    def become(self, said: dict[str, Any]) -> None:
        """What was counted."""
        self.sieve.policy, self.sieve.known = said["policy"], list(said["known"])
        self.writes, self.broken = said["writes"], said["broken"]


def write_json(file: Path, value: Any) -> None:
    """Write *value*; equal values give equal bytes."""
    file.write_text(json.dumps(value, sort_keys=True), encoding="ascii")


def read_json(file: Path) -> Any:
    """What was written."""
    return json.loads(file.read_text(encoding="ascii"))

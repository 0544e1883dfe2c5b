"""Where the messages go that leave an agent's buffer: the seam between the agent and its kind of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from recollect.contracts.memory import Forget, Listing, Snapshot
from recollect.domain.errors import MalformedError
from recollect.domain.exchange import Cue, RecallItem
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.agents.chat import UnusableReplyError
from recollect.memories.agents.topics import Sieve, named_in


class Store(Listing, Forget, Snapshot, Protocol):
    """The memory behind a buffer."""

    def heed(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages of a round that belong to the dialogue; the others say what to remember."""

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        """Take in what leaves the buffer; *before* is the message that left last."""

    def settle(self) -> None:
        """Return when all that was written can be found."""

    def check(self) -> None:
        """Raise if its content is no longer what this kind of memory promises."""

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        """What it shows for a cue, earliest first."""

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        """What came of *sources*, earliest first."""

    def close(self) -> None:
        """Release all resources."""


@dataclass
class Extraction:
    """Shared by stores that extract: what to keep, and how often extraction failed."""

    sieve: Sieve
    writes: int = field(default=0, init=False)
    broken: int = field(default=0, init=False)
    """Writes whose extraction was unusable twice: their batches are kept verbatim."""

    def heed(self, messages: Sequence[Message]) -> list[Message]:
        """A system message names what to keep track of; it is no part of the dialogue."""
        for message in messages:
            if message.role == "system":
                self.sieve.learn(named_in(message.text))
        return [message for message in messages if message.role != "system"]

    def take(self, extract: Callable[[], Any]) -> Any | None:
        """What *extract* returns, or `None` where its model's replies are unusable; both are counted."""
        try:
            found = extract()
        except UnusableReplyError:
            found = None
            self.broken += 1
        self.writes += 1
        return found

    def check(self) -> None:
        """Refuse to go on as this kind of memory where most of it was kept raw."""
        if 2 * self.broken > self.writes:
            raise MalformedError(
                f"{self.broken} of {self.writes} batches are kept as raw messages, for the model's replies to the "
                "prompt of extraction could not be used. Choose another model, or a memory of raw messages.",
                cause="extraction_broken",
            )

    def state(self) -> dict[str, Any]:
        return {"policy": self.sieve.policy, "known": self.sieve.known, "writes": self.writes, "broken": self.broken}

    def restore(self, state: dict[str, Any]) -> None:
        self.sieve.policy, self.sieve.known = state["policy"], list(state["known"])
        self.writes, self.broken = state["writes"], state["broken"]


def write_json(file: Path, value: Any) -> None:
    """Write *value*; equal values give equal bytes."""
    file.write_text(json.dumps(value, sort_keys=True), encoding="ascii")


def read_json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="ascii"))

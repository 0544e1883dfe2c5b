"""The buffer of an agent: the newest messages stay local, the oldest go to the memory in batches.

Counted in messages: after each round, if *freq* + *ns* or more are local, the oldest *freq* leave. One batch a round at
most; nothing is flushed at the end of a session, of a period or before a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.memories.message_log import read_messages, write_messages

LOCAL, BEFORE = "local.jsonl", "before.jsonl"
ROUND = 2
"""Messages of a round."""


def check_buffer(freq: int, ns: int) -> None:
    """Refuse a buffer that would never empty, or hold less than nothing.

    Raises:
        ValueError: *freq* is below a round, or *ns* is negative.
    """
    problems = []
    if freq < ROUND:
        problems.append(
            f"freq starts at {ROUND}, got {freq}: a round adds {ROUND} messages and takes one batch away, "
            "so smaller batches would leave more local with every round"
        )
    if ns < 0:
        problems.append(f"ns starts at 0, got {ns}")
    if problems:
        raise ValueError("; ".join(problems))


@dataclass
class Buffer:
    """Messages that are not in the memory yet."""

    freq: int
    """Messages of a batch."""
    ns: int
    """Messages that stay local at least."""
    local: list[Message] = field(default_factory=list, init=False)
    before: Message | None = field(default=None, init=False)
    """The last message that left: what comes next may answer it."""

    def add(self, messages: Iterable[Message]) -> None:
        """A round was held."""
        self.local.extend(messages)

    def due(self) -> Sequence[Message]:
        """The batch that has to leave now; empty if none has to."""
        return self.local[: self.freq] if len(self.local) >= self.freq + self.ns else ()

    def drop(self, batch: Sequence[Message]) -> None:
        """*batch*, the oldest that are local, was written."""
        self.local, self.before = self.local[len(batch) :], batch[-1]

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop messages, and what the one before them said."""
        self.local = [message for message in self.local if message.message_id not in sources]
        if self.before is not None and self.before.message_id in sources:
            self.before = replace(self.before, text="")

    def save(self, folder: Path) -> None:
        """Write all of it."""
        write_messages(folder / LOCAL, self.local)
        write_messages(folder / BEFORE, [self.before] if self.before else [])

    def load(self, folder: Path) -> None:
        """Become what was saved."""
        self.local = read_messages(folder / LOCAL)
        self.before = next(iter(read_messages(folder / BEFORE)), None)

"""A store and voice that only note what an agent hands to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from recollect.domain.exchange import Batch, Cue, RecallItem, Reply, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.agent import BufferedAgent


@dataclass
class Recorder:
    """Notes batches and cues, finds nothing, and replies with what it was told to reply."""

    batches: list[list[Message]] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)
    next_reply: str = "I see."
    breaks: bool = False

    def hold(self, agent: BufferedAgent, held: Sequence[Message], *, by_reply: bool) -> None:
        """Lead *agent* through a round, by a reply of its own or by what others said."""
        if not by_reply:
            agent.observe(Batch(messages=tuple(held), text=""))
            return
        self.next_reply = held[1].text
        agent.reply(held[0], held[1].message_id)

    def heed(self, messages: Sequence[Message]) -> Sequence[Message]:
        return messages

    def write(self, batch: Sequence[Message], before: Message | None) -> None:
        if self.breaks:
            raise ConnectionError("the model is gone")
        self.batches.append(list(batch))

    def settle(self) -> None: ...

    def check(self) -> None: ...

    def recall(self, cue: Cue) -> tuple[RecallItem, ...]:
        self.cues.append(cue)
        return ()

    def units(self) -> Iterator[Unit]:
        yield from ()

    def stored_from(self, sources: Set[MessageId]) -> tuple[RecallItem, ...]:
        return ()

    def forget(self, sources: Set[MessageId]) -> None: ...

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path) -> None: ...

    def close(self) -> None: ...

    def reply(self, message: Message, memories: Sequence[RecallItem] | None, dialogue: Sequence[Message]) -> str:
        return self.next_reply

    def answer(self, question: Question, memories: Sequence[RecallItem] | None, dialogue: Sequence[Message]) -> Reply:
        return Reply(text=" / ".join([*(one.text for one in memories or ()), *(one.text for one in dialogue)]))

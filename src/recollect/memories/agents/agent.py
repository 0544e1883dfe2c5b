"""An agent with a buffer: speaks from its memories and the local messages, and writes what cannot stay local."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Reply, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.prompts import inputs_of
from recollect.memories.agents.responders import By, Responder, repeated_memories
from recollect.memories.agents.stores import Extraction, Store
from recollect.memories.storage.message_log import KEEPS, read_messages, stored, units_of, write_messages

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


@dataclass
class BufferedAgent:
    """The buffer's rule over any store."""

    buffer: Buffer
    store: Store
    voice: Responder
    topk: int
    """Memories for a message or question; a store that shows everything does not look at it."""
    keeps_all: bool
    """Every message is held somewhere under its own name."""

    def observe(self, batch: Batch) -> Receipt:
        """Take in a round that others held."""
        self._hold(batch.messages)
        return stored(batch.messages) if self.keeps_all else Receipt.stored()

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """A turn of the talk: look up, reply, hold both messages, and write what has to leave."""
        memories, talk = self._known(Cue(text=message.text, limit=self.topk, asked_at=message.said_at))
        text = self.voice.reply(message, memories, talk)
        self._hold([message, said(message, reply_id, text)])
        return Reply(text=text, recall=_recall(memories, talk))

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """From memories and local messages, or from what is *given* alone; nothing is held of it."""
        if given is not None:
            reply = self.voice.answer(question, given.to_read(), ())
            return Reply(text=reply.text, recall=given, abstained=reply.abstained)
        cue = Cue(text=question.seen_by_search, limit=self.topk, asked_at=question.asked_at)
        memories, talk = self._known(cue)
        reply = self.voice.answer(question, memories, talk)
        return Reply(text=reply.text, recall=_recall(memories, talk), abstained=reply.abstained)

    def settle(self) -> None:
        """Make all that was written findable.

        Raises:
            MalformedError: Most extractions could not be used.
        """
        self.store.settle()
        self.store.check()

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def units(self) -> Iterator[Unit]:
        """What is written, then what is local."""
        yield from self.store.units()
        yield from units_of(self.buffer.local)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """What was written of *sources*, then what of them is local."""
        local = [message for message in self.buffer.local if message.message_id in sources]
        return _recall(self.store.stored_from(sources), local)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop it from both."""
        self.store.forget(sources)
        self.buffer.forget(sources)
        self.store.settle()

    def save(self, folder: Path) -> None:
        """Both."""
        self.buffer.save(folder)
        self.store.save(folder)

    def load(self, folder: Path) -> None:
        """Both."""
        self.buffer.load(folder)
        self.store.load(folder)

    def _known(self, cue: Cue) -> tuple[tuple[RecallItem, ...], tuple[Message, ...]]:
        self.store.settle()
        return self.store.recall(cue), tuple(self.buffer.local)

    def _hold(self, messages: Sequence[Message]) -> None:
        """A round; what has to leave is written before it leaves, so that nothing is lost where writing breaks."""
        talk = self.store.heed(messages)
        if not talk:
            return
        self.buffer.add(talk)
        batch = self.buffer.due()
        if batch:
            self.store.write(batch, self.buffer.before)
            self.buffer.drop(batch)


@dataclass
class PolicyAgent(BufferedAgent):
    """One whose extraction follows a policy."""

    extraction: Extraction

    def policy(self) -> str:
        """What to remember, one topic a line."""
        return self.extraction.sieve.policy

    def adopt(self, policy: str) -> None:
        """From the next write on."""
        self.extraction.sieve.policy = policy


def said(message: Message, reply_id: MessageId, text: str) -> Message:
    """The agent's own turn."""
    return Message(
        message_id=reply_id,
        session_id=message.session_id,
        text=text,
        speaker="assistant",
        role="assistant",
        said_at=message.said_at,
        channel=message.channel,
    )


def _recall(memories: Sequence[RecallItem], talk: Sequence[Message]) -> Recall:
    return Recall(items=repeated_memories(memories, talk), order="time")


AGENT_TRAITS = Traits(
    can=KEEPS,
    takes=WriteUnit.PAIR,
    limit="fixed",
    bound="window",
    keeps="all",
    models_on_search=True,
    snapshot_deterministic=True,
)
"""Traits of an agent that keeps what is said as it is said."""


class RespondingConfig(Protocol):
    """The settings of an agent, as far as they say who speaks for it."""

    @property
    def by(self) -> By:
        """Rules, or the chat model of `--memory-model`."""
        ...


def asks(config: RespondingConfig) -> bool:
    """Whether the agent calls its chat model."""
    return config.by == "model"


def prompts_asked(config: RespondingConfig, agent: str) -> Mapping[str, str]:
    """The prompts behind its calls, which are part of every key; none where rules speak."""
    return inputs_of(agent) if asks(config) else {}


def extracts(config: RespondingConfig) -> Traits:
    """Traits of an agent that keeps what it takes out of messages, by a policy that can be replaced."""
    return replace(
        AGENT_TRAITS,
        can=KEEPS | {Capability.POLICY},
        keeps="some",
        provenance="mapped" if asks(config) else "native",
        models_on_write=asks(config),
    )

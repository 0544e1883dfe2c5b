"""An agent with a buffer: speaks from its memories and the local messages, and writes what cannot stay local."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Reply, Unit
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.domain.questions import Question
from recollect.memories.agents.responders import Responder, readable
from recollect.memories.agents.stores import Store
from recollect.memories.agents.topics import Sieve
from recollect.memories.prompt_files import HasBy, by_model
from recollect.memories.storage.message_log import KEEPS, read_messages, stored, turn_of_agent, units_of, write_messages

LOCAL, BEFORE = "local.jsonl", "before.jsonl"
ROUND = 2
"""Messages of a round."""


def check_buffer(freq: int, ns: int) -> None:
    """Refuse a buffer that would never empty, or hold less than nothing."""
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


@dataclass(kw_only=True)
class BufferedAgent:
    """Keeps the newest messages local, and writes the others to a store in batches."""

    store: Store
    responder: Responder
    freq: int
    """Messages of a batch."""
    ns: int
    """Messages that stay local at least."""
    topk: int
    """Memories for a message or question; ignored by a store that shows everything."""
    keeps_all: bool
    """Every message is kept under its own id."""
    local: list[Message] = field(default_factory=list, init=False)
    before: Message | None = field(default=None, init=False)
    """The last message that left: the next one may answer it."""

    def observe(self, batch: Batch) -> Receipt:
        """Take in a round between others."""
        self._add(batch.messages)
        return stored(batch.messages) if self.keeps_all else Receipt.stored()

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """A turn of the dialogue: look up, reply, keep both messages, and write what has to leave."""
        memories, dialogue = self._known(Cue(text=message.text, limit=self.topk, asked_at=message.said_at))
        text = self.responder.reply(message, memories, dialogue)
        self._add([message, turn_of_agent(message, reply_id, text)])
        return Reply(text=text, recall=_recall(memories, dialogue))

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        """From memories and local messages, or from *given* alone; the question is not kept."""
        if given is not None:
            return replace(self.responder.answer(question, given.to_read(), ()), recall=given)
        cue = Cue(text=question.seen_by_search, limit=self.topk, asked_at=question.asked_at)
        memories, dialogue = self._known(cue)
        return replace(self.responder.answer(question, memories, dialogue), recall=_recall(memories, dialogue))

    def settle(self) -> None:
        self.store.settle()
        self.store.check()

    def close(self) -> None:
        self.store.close()

    def units(self) -> Iterator[Unit]:
        yield from self.store.units()
        yield from units_of(self.local)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        local = [message for message in self.local if message.message_id in sources]
        return _recall(self.store.stored_from(sources), local)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop what came of *sources*; the message before the local ones loses its text."""
        self.store.forget(sources)
        self.local = [message for message in self.local if message.message_id not in sources]
        if self.before is not None and self.before.message_id in sources:
            self.before = replace(self.before, text="")
        self.store.settle()

    def save(self, folder: Path) -> None:
        write_messages(folder / LOCAL, self.local)
        write_messages(folder / BEFORE, [self.before] if self.before else [])
        self.store.save(folder)

    def load(self, folder: Path) -> None:
        self.local = read_messages(folder / LOCAL)
        self.before = next(iter(read_messages(folder / BEFORE)), None)
        self.store.load(folder)

    def _known(self, cue: Cue) -> tuple[tuple[RecallItem, ...], tuple[Message, ...]]:
        self.store.settle()
        return self.store.recall(cue), tuple(self.local)

    def _add(self, messages: Sequence[Message]) -> None:
        """Add a round, then write a batch if one is due; it stays local until it is written."""
        dialogue = self.store.heed(messages)
        self.local.extend(dialogue)
        if dialogue and len(self.local) >= self.freq + self.ns:
            batch = self.local[: self.freq]
            self.store.write(batch, self.before)
            self.local, self.before = self.local[len(batch) :], batch[-1]


@dataclass(kw_only=True)
class PolicyAgent(BufferedAgent):
    """One whose extraction follows a policy."""

    sieve: Sieve

    def policy(self) -> str:
        """What to remember, one topic a line."""
        return self.sieve.policy

    def adopt(self, policy: str) -> None:
        """Follow *policy* from the next write on."""
        self.sieve.policy = policy


def _recall(memories: Sequence[RecallItem], dialogue: Sequence[Message]) -> Recall:
    return Recall(items=readable(memories, dialogue), order="time")


AGENT_TRAITS = Traits(
    can=KEEPS,
    takes=WriteUnit.PAIR,
    limit="fixed",
    bound="window",
    keeps="all",
    models_on_search=True,
    snapshot_deterministic=True,
)
"""Traits of an agent that keeps messages verbatim."""


def extracts(config: HasBy) -> Traits:
    """Traits of an agent that keeps what it extracts from messages, by a policy that can be replaced."""
    return replace(
        AGENT_TRAITS,
        can=KEEPS | {Capability.POLICY},
        keeps="some",
        provenance="mapped" if by_model(config) else "native",
        models_on_write=by_model(config),
    )

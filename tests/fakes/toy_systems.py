"""Small systems whose behaviour can be followed by hand: one per seam, and some that break a promise."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from recollect.contracts.reading import Prompt
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.exchange import Batch, Context, Cue, Recall, RecallItem, Receipt, Reply, Unit
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message
from recollect.domain.outcomes import Judgement, Verdict
from recollect.domain.questions import Key, Question
from recollect.records.codec import decode, encode

ALL = frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT})


@dataclass
class ToyMemory:
    """Keeps every message; finds those that share a word with the cue, most shared words first."""

    messages: list[Message] = field(default_factory=list)
    searches: int = 0

    def write(self, batch: Batch) -> Receipt:
        self.messages.extend(batch.messages)
        return Receipt.stored(m.message_id for m in batch.messages)

    def settle(self) -> None: ...

    def search(self, cue: Cue) -> Recall:
        self.searches += 1
        wanted = _words(cue.text)
        shared = [len(wanted & _words(m.text)) for m in self.messages]
        ranked = sorted((i for i, n in enumerate(shared) if n), key=lambda i: (-shared[i], i))
        return Recall.of_messages(self.messages[i] for i in ranked[: cue.limit])

    def close(self) -> None: ...

    def units(self) -> Iterator[Unit]:
        for m in self.messages:
            yield Unit(unit_id=UnitId(m.message_id), text=m.text, sources=(m.message_id,), said_at=m.said_at)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return Recall.of_messages(m for m in self.messages if m.message_id in sources)

    def save(self, folder: Path) -> None:
        (folder / "messages.json").write_text(json.dumps([encode(m) for m in self.messages]))

    def load(self, folder: Path) -> None:
        rows = json.loads((folder / "messages.json").read_text())
        self.messages = [decode(Message, row, where="toy") for row in rows]


@dataclass
class MergingMemory(ToyMemory):
    """Joins every two messages into one unit, as a memory that rewrites does."""

    def _units(self) -> Iterator[RecallItem]:
        for start in range(0, len(self.messages), 2):
            pair = self.messages[start : start + 2]
            sources = tuple(m.message_id for m in pair)
            yield RecallItem(text=" / ".join(m.text for m in pair), sources=sources, unit_id=UnitId(f"u{start // 2}"))

    def search(self, cue: Cue) -> Recall:
        wanted = _words(cue.text)
        hits = [item for item in self._units() if wanted & _words(item.text)]
        return Recall(items=tuple(hits[: cue.limit]))

    def units(self) -> Iterator[Unit]:
        for item in self._units():
            yield Unit(unit_id=item.unit_id or UnitId(""), text=item.text, sources=item.sources)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        return Recall(items=tuple(item for item in self._units() if set(item.sources) & sources))


@dataclass
class ForgetfulListing(ToyMemory):
    """Takes everything and keeps nothing, but says that it stored it."""

    def write(self, batch: Batch) -> Receipt:
        return Receipt.stored()


@dataclass
class SecretWriter(ToyMemory):
    """Promises not to write when asked, and does."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        first = self.messages[0]
        self.messages.append(replace(first, message_id=MessageId(f"x{len(self.messages)}"), text=cue.text))
        return found


@dataclass
class FailingSearch(ToyMemory):
    """Breaks on every cue that holds a certain word."""

    word: str = "river"

    def search(self, cue: Cue) -> Recall:
        if self.word in cue.text:
            raise ConnectionError("the server went away")
        return super().search(cue)


@dataclass
class FailingWrite(ToyMemory):
    """Breaks at the third message."""

    def write(self, batch: Batch) -> Receipt:
        if len(self.messages) >= 2:
            raise TimeoutError("the write took too long")
        return super().write(batch)


@dataclass
class CountingMemory(ToyMemory):
    """A search changes what the next search finds."""

    def search(self, cue: Cue) -> Recall:
        found = super().search(cue)
        note = RecallItem(text=f"search number {self.searches}", sources=(self.messages[0].message_id,))
        return replace(found, items=(note, *found.items)[: cue.limit])

    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "searches").write_text(str(self.searches))

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.searches = int((folder / "searches").read_text())


TOY = Traits(can=ALL, snapshot_deterministic=True)
PLAIN_SAVES = Traits(can=frozenset({Capability.LISTING, Capability.SNAPSHOT}))
PLAIN = Traits(can=frozenset({Capability.LISTING, Capability.READBACK}))
WRITES_RESTORED = Traits(can=ALL, writes_when_asked=True)
WRITES_IN_ORDER = Traits(can=frozenset({Capability.LISTING}), writes_when_asked=True)
WHOLE = Traits(can=frozenset({Capability.LISTING}), takes=WriteUnit.WHOLE_HISTORY)


@dataclass
class BufferAgent:
    """Keeps the newest *keep* messages by heart and moves older ones to its notes; answers from both.

    Its buffer knows nothing of session borders.
    """

    keep: int = 8
    buffer: list[Message] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    rules: str = "remember all"
    calls: int = 0

    def observe(self, batch: Batch) -> Receipt:
        self._take(batch.messages)
        return Receipt.stored()

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        self.calls += 1
        text = f"I see: {message.text}"
        self._take([message, replace(message, message_id=reply_id, text=text, speaker="assistant", role="assistant")])
        return Reply(text=text)

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        self.calls += 1
        recall = given if given is not None else Recall.of_messages([*self.notes, *self.buffer], order="time")
        texts = [item.text for item in recall.items]
        return Reply(text=last_value(question.text, texts) or "not mentioned", recall=recall)

    def settle(self) -> None: ...

    def close(self) -> None: ...

    def policy(self) -> str:
        return self.rules

    def adopt(self, policy: str) -> None:
        self.rules = policy

    def units(self) -> Iterator[Unit]:
        for place, messages in (("note", self.notes), ("buffer", self.buffer)):
            for m in messages:
                yield Unit(unit_id=UnitId(f"{place}-{m.message_id}"), text=m.text, sources=(m.message_id,))

    def save(self, folder: Path) -> None:
        state = {
            "buffer": [encode(m) for m in self.buffer],
            "notes": [encode(m) for m in self.notes],
            "rules": self.rules,
            "calls": self.calls,
        }
        (folder / "agent.json").write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        state = json.loads((folder / "agent.json").read_text())
        self.buffer = [decode(Message, m, where="toy") for m in state["buffer"]]
        self.notes = [decode(Message, m, where="toy") for m in state["notes"]]
        self.rules, self.calls = state["rules"], state["calls"]

    def _take(self, messages: Sequence[Message]) -> None:
        self.buffer.extend(messages)
        while len(self.buffer) > self.keep:
            self.notes.append(self.buffer.pop(0))


@dataclass
class DiaryAgent(BufferAgent):
    """Writes into its diary whenever it answers, and its answers tell how often it was asked."""

    asked: int = 0

    def answer(self, question: Question, given: Recall | None = None) -> Reply:
        self.asked += 1
        return Reply(text=f"answer {self.asked}: {super().answer(question, given).text}")

    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "asked").write_text(str(self.asked))

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.asked = int((folder / "asked").read_text())


@dataclass
class MoodyAgent(BufferAgent):
    """Never says the same twice, like a sampling model without a cache; what it says does not repeat on a replay."""

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        said = super().reply(message, reply_id)
        return replace(said, text=f"{said.text} ({random.SystemRandom().random()})")


AGENT = Traits(can=frozenset({Capability.LISTING, Capability.SNAPSHOT, Capability.POLICY}), snapshot_deterministic=True)
AGENT_NO_SNAPSHOT = Traits(can=frozenset({Capability.LISTING, Capability.POLICY}))
DIARY_RESTORED = Traits(can=frozenset({Capability.SNAPSHOT}), writes_when_asked=True)
DIARY_IN_ORDER = Traits(writes_when_asked=True)


@dataclass(frozen=True)
class ToyMaker:
    """Proposes a policy that tells what it was made from."""

    @property
    def fingerprint(self) -> str:
        return "toy-maker-1"

    def propose(self, policy: str, feedback: Sequence[str]) -> str:
        return f"{policy}; seen {len(feedback)}: {feedback[0]}"


@dataclass(frozen=True)
class ScriptedUser:
    """Says the next line of the script."""

    @property
    def fingerprint(self) -> str:
        return "scripted-user-1"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        return script.variables[f"line {len(talk) // 2}"]


@dataclass
class ToyReader:
    """Answers `What is X?` with the last `X is Y` it reads, and a JSON template field by field."""

    calls: int = 0
    noise: random.SystemRandom | None = None
    """Makes it a sampling model."""

    @property
    def fingerprint(self) -> str:
        return "toy-reader-1" if self.noise is None else "toy-sampling-reader-1"

    @property
    def window_tokens(self) -> int:
        return 100_000

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:
        self.calls += 1
        texts = [item.text for item in context.items]
        if question.template:
            filled = {name: last_value(f"What is {what}?", texts) for name, what in question.template.items()}
            return Reply(text=json.dumps(filled))
        value = last_value(question.text, texts)
        if value is None:
            return Reply(text="not mentioned", abstained=True)
        return Reply(text=value if self.noise is None else f"{value} {self.noise.random()}")


@dataclass
class ToyJudge:
    """Right if the reply is the first gold answer."""

    name: str = "toy-judge-1"
    calls: int = 0

    @property
    def fingerprint(self) -> str:
        return self.name

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        self.calls += 1
        right = float(reply.text == key.gold[0]) if key.gold else None
        return Verdict(parts=(Judgement(name="right", value=right, why="exact"),), judge=self.name)


def last_value(question: str, texts: Sequence[str]) -> str | None:
    """The value that the last of *texts* gives to what *question* asks about."""
    asked = re.fullmatch(r"What is (.+)\?", question)
    if asked is None:
        return None
    found = [m for text in texts for m in re.findall(rf"\b{re.escape(asked[1])} is (\w+)", text)]
    return str(found[-1]) if found else None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold())) - {"is", "what", "the", "of"}

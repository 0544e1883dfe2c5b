"""From texts and questions to a history with its keys: the one place that names things and hides their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.benchmarks.memoryagentbench.sources import Source
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.records.digests import digest, opaque

NAME = "memoryagentbench"
CHECKPOINT = CheckpointId("end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with all that is known of its answer, before anything has an id."""

    text: str
    gold: tuple[str, ...]
    """First as printed."""
    rejected: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    """Places of the messages, the first is 0."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Without the task."""
    pair_id: str | None = None
    """As the file says it; `None` is the usual `<source>_no<i>`."""


def keyed(source: Source, row: int, texts: Sequence[str], asked: Sequence[Asked]) -> Keyed:
    """One row as a history: all messages in one session, then all questions at once."""
    name = HistoryId(opaque("h", NAME, source.name, row, digest(list(texts))))
    messages = _messages(name, texts)
    ids = [message.message_id for message in messages]
    questions = [_question(source, name, place, one) for place, one in enumerate(asked)]
    keys = {
        question.question_id: _key(source, question.question_id, f"{row}:{pair_id(source, place, one)}", one, ids)
        for place, (question, one) in enumerate(zip(questions, asked, strict=True))
    }
    asking = Asking(checkpoint=CHECKPOINT, question_ids=tuple(question.question_id for question in questions))
    history = History(
        history_id=name,
        timeline=(Session(session_id=messages[0].session_id, messages=messages), asking),
        questions=tuple(questions),
    )
    return Keyed(history=history, keys=keys, task=source.name, original_id=f"{row}:{source.name}")


def _messages(name: HistoryId, texts: Iterable[str]) -> tuple[Message, ...]:
    session = SessionId(opaque("s", name))
    return tuple(
        Message(message_id=MessageId(opaque("m", name, place)), session_id=session, text=text, role="document")
        for place, text in enumerate(texts)
    )


def _question(source: Source, name: HistoryId, place: int, one: Asked) -> Question:
    return Question(
        question_id=QuestionId(opaque("q", name, place)),
        text=one.text,
        output_tokens=source.family.output_tokens,
        prompt=source.family.name,
    )


def _key(source: Source, name: QuestionId, original: str, one: Asked, ids: Sequence[MessageId]) -> Key:
    return Key(
        question_id=name,
        gold=one.gold,
        rejected=one.rejected,
        evidence=tuple(ids[place] for place in one.evidence),
        labels={"task": source.name, **one.labels},
        original_id=original,
    )


def pair_id(source: Source, place: int, one: Asked) -> str:
    """What the file calls the question."""
    return one.pair_id if one.pair_id is not None else f"{source.name}_no{place}"

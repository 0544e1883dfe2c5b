"""Builds a history with its keys from texts and questions; the only module that assigns ids."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from recollect.benchmarks.memoryagentbench.families.family import Source
from recollect.benchmarks.memoryagentbench.questions import Asked, Passage
from recollect.domain.histories import Asking, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import Key, Question
from recollect.records.digests import digest, opaque

NAME = "memoryagentbench"
CHECKPOINT = CheckpointId("end")


def keyed(source: Source, row: int, context: Sequence[str | Passage], asked: Sequence[Asked]) -> Keyed:
    """One row as a history: all there is to remember, session by session, then all questions at once."""
    passages = [Passage(text=piece) if isinstance(piece, str) else piece for piece in context]
    contents = []
    for passage in passages:  # a piece of a document is identified by its text
        rest = (passage.session, passage.role, passage.speaker, passage.said_at)
        contents.append(passage.text if rest == (0, "document", "", None) else [passage.text, *rest])
    name = HistoryId(opaque("h", NAME, source.name, row, digest(contents)))
    numbered = groupby(enumerate(passages), key=lambda one: one[1].session)
    sessions = tuple(_session(name, number, list(placed)) for number, placed in numbered)
    ids = [message.message_id for session in sessions for message in session.messages]
    questions = [
        Question(
            question_id=QuestionId(opaque("q", name, place)),
            text=one.text,
            cue=one.cue,
            options=one.options,
            answer_format=one.answer_format,
            items=one.items,
            asked_at=one.asked_at,
            variables=one.variables,
            output_tokens=source.family.output_tokens,
            prompt=source.family.name,
        )
        for place, one in enumerate(asked)
    ]
    keys = {}
    for place, (question, one) in enumerate(zip(questions, asked, strict=True)):
        pair_id = f"{source.name}_no{place}" if one.pair_id is None else one.pair_id
        keys[question.question_id] = _key(source, question.question_id, f"{row}:{pair_id}", one, ids)
    asking = Asking(checkpoint=CHECKPOINT, question_ids=tuple(question.question_id for question in questions))
    history = History(history_id=name, timeline=(*sessions, asking), questions=tuple(questions))
    return Keyed(history=history, keys=keys, task=source.name, original_id=f"{row}:{source.name}")


def _session(name: HistoryId, number: int, placed: Sequence[tuple[int, Passage]]) -> Session:
    session = SessionId(opaque("s", name, number) if number else opaque("s", name))
    messages = tuple(
        Message(
            message_id=MessageId(opaque("m", name, place)),
            session_id=session,
            text=passage.text,
            role=passage.role,
            speaker=passage.speaker,
            said_at=passage.said_at,
        )
        for place, passage in placed
    )
    return Session(session_id=session, messages=messages)


def passages_of(history: History) -> list[Passage]:
    """The inverse: the passages of a history."""
    sessions = [event for event in history.timeline if isinstance(event, Session)]
    return [
        Passage(text=one.text, session=number, role=one.role, speaker=one.speaker, said_at=one.said_at)
        for number, session in enumerate(sessions)
        for one in session.messages
    ]


def _key(source: Source, name: QuestionId, original: str, one: Asked, ids: Sequence[MessageId]) -> Key:
    return Key(
        question_id=name,
        gold=one.gold,
        rejected=one.rejected,
        evidence=tuple(ids[place] for place in one.evidence),
        field_gold=one.field_gold,
        abstain=one.abstain,
        guidance=one.guidance,
        labels={"task": source.name, **one.labels},
        original_id=original,
    )

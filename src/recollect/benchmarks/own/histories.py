"""Rows to a history with its keys, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from recollect.benchmarks.own.card import TASK
from recollect.benchmarks.own.rows import MessageRow, QuestionRow, SessionRow
from recollect.domain.histories import Asking, Event, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.records.digests import opaque

END = "end"


def keyed(name: str, sessions: Sequence[SessionRow], questions: Sequence[QuestionRow]) -> Keyed:
    """One history; every id that a system sees is opaque."""
    asked = [(row, _question(name, number, row)) for number, row in enumerate(questions)]
    named = dict(_named(name, sessions))
    history = History(
        history_id=HistoryId(opaque("h", name)),
        timeline=tuple(_timeline(name, sessions, asked)),
        questions=tuple(question for _, question in asked),
    )
    keys = {question.question_id: _key(row, question, named) for row, question in asked}
    return Keyed(history=history, keys=keys, task=TASK, original_id=name)


def _named_by(prefix: str, name: str | None, *parts: object) -> str:
    """An opaque id; a name that is one already, because we wrote it, is kept."""
    if name is not None and re.fullmatch(rf"{prefix}[0-9a-f]{{16}}", name):
        return name
    return opaque(prefix, *parts)


def _timeline(
    name: str, sessions: Sequence[SessionRow], asked: Sequence[tuple[QuestionRow, Question]]
) -> Iterator[Event]:
    for row in sessions:
        yield _session(name, row)
        yield from _asking(_session_id(name, row), [q for said, q in asked if said.after == row.session])
    yield from _asking(END, [q for said, q in asked if said.after is None])


def _asking(after: str, questions: Sequence[Question]) -> Iterator[Asking]:
    if questions:
        checkpoint = CheckpointId(END if after == END else opaque("c", after))
        yield Asking(checkpoint=checkpoint, question_ids=tuple(q.question_id for q in questions))


def _session(history: str, row: SessionRow) -> Session:
    name = _session_id(history, row)
    return Session(
        session_id=name,
        messages=tuple(_message(history, row, number, said, name) for number, said in enumerate(row.messages)),
    )


def _message(history: str, row: SessionRow, number: int, said: MessageRow, session: SessionId) -> Message:
    return Message(
        message_id=_message_id(history, row, number),
        session_id=session,
        text=said.text,
        speaker=said.speaker,
        role=said.role,
        said_at=said.time,
        channel=said.channel,
    )


def _session_id(history: str, row: SessionRow) -> SessionId:
    return SessionId(_named_by("s", row.session, history, row.session))


def _message_id(history: str, row: SessionRow, number: int) -> MessageId:
    return MessageId(_named_by("m", row.messages[number].id, history, row.session, number))


def _named(history: str, sessions: Sequence[SessionRow]) -> Iterator[tuple[str, MessageId]]:
    for row in sessions:
        for number, said in enumerate(row.messages):
            if said.id is not None:
                yield said.id, _message_id(history, row, number)


def _question(history: str, number: int, row: QuestionRow) -> Question:
    return Question(
        question_id=QuestionId(_named_by("q", row.id, history, row.id or number)),
        text=row.question,
        options=tuple(Option(letter=letter, text=text) for letter, text in row.options.items()),
        answer_format=AnswerFormat.LETTER if row.options and row.format is AnswerFormat.TEXT else row.format,
        asked_at=row.asked_at,
        prompt="choose" if row.options else "answer",
    )


def _key(row: QuestionRow, question: Question, named: Mapping[str, MessageId]) -> Key:
    return Key(
        question_id=question.question_id,
        gold=row.answers,
        rejected=row.rejected,
        evidence=tuple(named[name] for name in row.evidence),
        abstain=row.abstain,
        labels=row.labels,
        original_id="" if row.id is None or row.id == question.question_id else row.id,
    )

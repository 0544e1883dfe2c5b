"""Builds a history with its keys from rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from recollect.benchmarks.own.card import TASK
from recollect.benchmarks.own.rows import QuestionRow, SessionRow
from recollect.domain.histories import Asking, Event, History, Keyed
from recollect.domain.ids import CheckpointId, HistoryId, MessageId, QuestionId, SessionId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.records.digests import opaque

END = "end"


def keyed(name: str, sessions: Sequence[SessionRow], questions: Sequence[QuestionRow]) -> Keyed:
    """One history; every id that a system sees is opaque."""
    asked = []
    for number, row in enumerate(questions):
        question = Question(
            question_id=QuestionId(_opaque_id("q", row.id, name, row.id or number)),
            text=row.question,
            options=tuple(Option(letter=letter, text=text) for letter, text in row.options.items()),
            answer_format=AnswerFormat.LETTER if row.options and row.format is AnswerFormat.TEXT else row.format,
            asked_at=row.asked_at,
            prompt="choose" if row.options else "answer",
        )
        asked.append((row, question))
    timeline: list[Event] = []
    named: dict[str, MessageId] = {}
    for session_row in sessions:
        session = _session(name, session_row)
        timeline.append(session)
        for message_row, message in zip(session_row.messages, session.messages, strict=True):
            if message_row.id is not None:
                named[message_row.id] = message.message_id
        ids = tuple(question.question_id for row, question in asked if row.after == session_row.session)
        if ids:
            timeline.append(Asking(checkpoint=CheckpointId(opaque("c", session.session_id)), question_ids=ids))
    ids = tuple(question.question_id for row, question in asked if row.after is None)
    if ids:
        timeline.append(Asking(checkpoint=CheckpointId(END), question_ids=ids))
    history = History(
        history_id=HistoryId(opaque("h", name)),
        timeline=tuple(timeline),
        questions=tuple(question for _, question in asked),
    )
    keys = {question.question_id: _key(row, question, named) for row, question in asked}
    return Keyed(history=history, keys=keys, task=TASK, original_id=name)


def _opaque_id(prefix: str, name: str | None, *parts: object) -> str:
    """An opaque id; a name that is one already, because we wrote it, is kept."""
    if name is not None and re.fullmatch(rf"{prefix}[0-9a-f]{{16}}", name):
        return name
    return opaque(prefix, *parts)


def _session(history: str, row: SessionRow) -> Session:
    session_id = SessionId(_opaque_id("s", row.session, history, row.session))
    messages = tuple(
        Message(
            message_id=MessageId(_opaque_id("m", message.id, history, row.session, number)),
            session_id=session_id,
            text=message.text,
            speaker=message.speaker,
            role=message.role,
            said_at=message.time,
            channel=message.channel,
        )
        for number, message in enumerate(row.messages)
    )
    return Session(session_id=session_id, messages=messages)


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

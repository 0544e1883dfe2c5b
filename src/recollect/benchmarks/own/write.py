"""Writes histories as the two files; message ids are the opaque ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from recollect.benchmarks.own.histories import END
from recollect.benchmarks.own.load import QUESTIONS, SESSIONS
from recollect.benchmarks.own.rows import MessageRow, QuestionRow, SessionRow
from recollect.contracts.benchmark import Dataset
from recollect.domain.histories import Asking, Keyed
from recollect.domain.messages import Session
from recollect.records.codec import encode


def write(dataset: Dataset, folder: Path) -> None:
    """Two files in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    sessions: list[SessionRow] = []
    questions: list[QuestionRow] = []
    for keyed in dataset.histories:
        after: dict[str, str] = {}
        for event in keyed.history.timeline:
            if isinstance(event, Session):
                sessions.append(_session(keyed, event))
            elif isinstance(event, Asking) and event.checkpoint != END:
                after.update(dict.fromkeys(event.question_ids, sessions[-1].session))
        questions.extend(_questions(keyed, after))
    rows: Iterable[SessionRow | QuestionRow]
    for name, rows in ((SESSIONS, sessions), (QUESTIONS, questions)):
        text = "".join(json.dumps(encode(row), ensure_ascii=False) + "\n" for row in rows)
        (folder / name).write_text(text, encoding="utf-8")


def _session(keyed: Keyed, session: Session) -> SessionRow:
    messages = tuple(
        MessageRow(id=m.message_id, text=m.text, speaker=m.speaker, role=m.role, time=m.said_at, channel=m.channel)
        for m in session.messages
    )
    return SessionRow(session=session.session_id, history=keyed.original_id, messages=messages)


def _questions(keyed: Keyed, after: Mapping[str, str]) -> Iterator[QuestionRow]:
    """*after* has the session before each question that is not asked at the end."""
    for question in keyed.history.questions:
        key = keyed.keys[question.question_id]
        yield QuestionRow(
            id=key.original_id or question.question_id,
            history=keyed.original_id,
            question=question.text,
            answers=key.gold,
            after=after.get(question.question_id),
            evidence=key.evidence,
            rejected=key.rejected,
            options={option.letter: option.text for option in question.options},
            format=question.answer_format,
            asked_at=question.asked_at,
            abstain=key.abstain,
            labels=key.labels,
        )

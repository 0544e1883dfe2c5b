"""Writes histories as the two files; message ids are the opaque ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
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
    _lines(folder / SESSIONS, (row for keyed in dataset.histories for row in _sessions(keyed)))
    _lines(folder / QUESTIONS, (row for keyed in dataset.histories for row in _questions(keyed)))


def _lines(file: Path, rows: Iterable[SessionRow | QuestionRow]) -> None:
    text = "".join(json.dumps(encode(row), ensure_ascii=False) + "\n" for row in rows)
    file.write_text(text, encoding="utf-8")


def _sessions(keyed: Keyed) -> Iterator[SessionRow]:
    for event in keyed.history.timeline:
        if isinstance(event, Session):
            yield SessionRow(
                session=event.session_id,
                history=keyed.original_id,
                messages=tuple(
                    MessageRow(
                        id=m.message_id, text=m.text, speaker=m.speaker, role=m.role, time=m.said_at, channel=m.channel
                    )
                    for m in event.messages
                ),
            )


def _questions(keyed: Keyed) -> Iterator[QuestionRow]:
    after = _after(keyed)
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


def _after(keyed: Keyed) -> dict[str, str]:
    """Question -> the session before it, for those not asked at the end."""
    found: dict[str, str] = {}
    last = ""
    for event in keyed.history.timeline:
        if isinstance(event, Session):
            last = event.session_id
        elif isinstance(event, Asking) and event.checkpoint != END:
            found.update(dict.fromkeys(event.question_ids, last))
    return found

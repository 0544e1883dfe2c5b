"""Answers and references in the format of LongMemEval, so that its own script can judge them.

Its script picks the prompt of its judge by `question_type`, and takes a question for unanswerable by `_abs` in its id.

Source:
    LongMemEval (Wu et al. 2024), released data and `evaluate_qa.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.domain.histories import Asking, History, Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Session
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome
from recollect.report.exports.folders import FileNames
from recollect.report.exports.material import Material, Written
from recollect.report.text import asked_of

TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "temporal-reasoning",
    "knowledge-update",
)
"""The question types of its script."""
ABSTAIN = "_abs"
UNSAID = "The history does not say."
"""The answer where the key expects the system to decline and has no answer."""
DECLINED = "I do not know."
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def write(material: Material, folder: Path) -> Sequence[Written]:
    """Write `reference.json`, and for each row, arm and repeat a file of answers."""
    groups: dict[tuple[str, Arm, int, int], list[CellOutcome]] = {}
    for cell in material.cells:
        if cell.take.judge == 0:  # a repeated verdict weighs the same answer
            groups.setdefault((cell.row, cell.arm, cell.replicate, cell.take.answer), []).append(cell)
    names, written = FileNames(), [_references(material, folder / "reference.json")]
    for (row, arm, replicate, answer), cells in groups.items():
        # the first answers of the system itself have the plainest name
        suffixes = (
            "" if arm is Arm.SYSTEM or row == "oracle" else f".{arm}",
            f".r{replicate}" if replicate else "",
            f".a{answer}" if answer else "",
        )
        file, lines = folder / names.of(row + "".join(suffixes), ".jsonl"), 0
        with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
            for cell in cells:
                if cell.answer is not None and cell.status != "fault":
                    declined = cell.status == "abstained" and not cell.answer.strip()
                    hypothesis = DECLINED if declined else cell.answer
                    line = {"question_id": question_id(material, cell), "hypothesis": hypothesis}
                    out.write(f"{json.dumps(line, ensure_ascii=False)}\n")
                    lines += 1
        written.append(Written(file.name, lines, len(cells) - lines))
    return written


def question_id(material: Material, cell: CellOutcome) -> str:
    """The same in all files."""
    return material.names[asked_of(cell)] + (ABSTAIN if material.key(cell).abstain else "")


def question_type(key: Key, sessions: Mapping[MessageId, Session]) -> str:
    """A label that is one of its types; else what the key shows: an outdated value, or where the evidence lies.

    Args:
        key: Of the question.
        sessions: Message -> its session.
    """
    for _, value in sorted(key.labels.items()):
        if value in TYPES:
            return value
    if key.rejected:
        return "knowledge-update"
    places = {sessions[name].session_id for name in key.evidence if name in sessions}
    if len(places) != 1:
        return "multi-session"
    messages = [message for name in key.evidence for message in sessions[name].messages if message.message_id == name]
    by_assistant = all(message.role == "assistant" for message in messages)
    return "single-session-assistant" if by_assistant else "single-session-user"


def _references(material: Material, file: Path) -> Written:
    """One entry for each question, written one at a time because each repeats its history."""
    firsts = {asked_of(cell): cell for cell in reversed(material.cells)}
    with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for number, asked in enumerate(material.names):
            out.write(",\n" if number else "[\n")
            out.write(json.dumps(_reference(material, firsts[asked]), ensure_ascii=False))
        out.write("\n]\n" if material.names else "[]\n")
    return Written(file.name, len(material.names))


def _reference(material: Material, cell: CellOutcome) -> dict[str, Any]:
    history, question, key = material.histories[cell.history].history, material.question(cell), material.key(cell)
    seen = list(_seen(history, cell.checkpoint))
    sessions = {message.message_id: session for session in seen for message in session.messages}
    times = [message.said_at for session in seen for message in session.messages if message.said_at]
    asked = [question.text, *(f"{option.letter}. {option.text}" for option in question.options)]
    turns: list[list[dict[str, Any]]] = []
    for session in seen:
        turns.append([])
        for message in session.messages:
            turn: dict[str, Any] = {"role": "assistant" if message.role == "assistant" else "user"}
            turn["content"] = message.text
            if message.speaker:
                turn["speaker"] = message.speaker
            if message.message_id in key.evidence:
                turn["has_answer"] = True
            turns[-1].append(turn)
    return {
        "question_id": question_id(material, cell),
        "question_type": question_type(key, sessions),
        "question": "\n".join(asked),
        "answer": _answer(question, key),
        "question_date": _date(question.asked_at or (times[-1] if times else None)),
        "haystack_session_ids": [session.session_id for session in seen],
        "haystack_dates": [_date(session.messages[0].said_at) for session in seen],
        "haystack_sessions": turns,
        "answer_session_ids": list(dict.fromkeys(sessions[m].session_id for m in key.evidence if m in sessions)),
    }


def _seen(history: History, checkpoint: str) -> Iterator[Session]:
    """The sessions before a checkpoint; of a dialogue that the system held, only the opening is in the data."""
    for event in history.timeline:
        if isinstance(event, Session):
            yield event
        elif isinstance(event, Script):
            yield Session(session_id=event.opening.session_id, messages=(event.opening,))
        elif isinstance(event, Asking) and event.checkpoint == checkpoint:
            return


def _answer(question: Question, key: Key) -> str:
    """As the paper prints it; a letter with its option text."""
    gold = key.gold[0] if key.gold else "; ".join(values[0] for values in key.field_gold.values() if values)
    if question.answer_format is AnswerFormat.LETTER:
        return next((f"{one.letter}. {one.text}" for one in question.options if one.letter == gold), gold)
    return gold or (UNSAID if key.abstain else "")


def _date(said_at: str | None) -> str:
    """`2024/03/04 (Mon) 09:12`; empty where the time is unknown."""
    if said_at is None:
        return ""
    at = datetime.fromisoformat(said_at)
    return f"{at:%Y/%m/%d} ({_DAYS[at.weekday()]}) {at:%H:%M}"

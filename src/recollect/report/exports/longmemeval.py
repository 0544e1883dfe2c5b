"""Answers and references in the format of LongMemEval, so that its own script can judge them.

Its script picks the prompt of its judge by `question_type`, and takes a question for unanswerable by `_abs` in its id.

Source:
    LongMemEval (Wu et al. 2024), released data and `evaluate_qa.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.domain.histories import Asking, History, Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.domain.steps import Arm
from recollect.records.tables.summary import CellOutcome
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
"""The types that its script knows."""
ABSTAIN = "_abs"
UNSAID = "The history does not say."
"""Stands where a key wants the system to decline and names no answer."""
DECLINED = "I do not know."
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def write(material: Material, folder: Path) -> Sequence[Written]:
    """Write `reference.json`, and for each row, arm and repeat a file of answers."""
    groups: dict[tuple[str, Arm, int, int], list[CellOutcome]] = {}
    for cell in material.cells:
        if cell.take.judge == 0:  # a repeated verdict weighs the same answer
            groups.setdefault((cell.row, cell.arm, cell.replicate, cell.take.answer), []).append(cell)
    names, written = FileNames(), [_references(material, folder / "reference.json")]
    for group, cells in groups.items():
        written.append(_hypotheses(material, folder / names.of(_named(*group), ".jsonl"), cells))
    return written


def question_id(material: Material, cell: CellOutcome) -> str:
    """The name under which a question stands in all files."""
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
    said = [message for name in key.evidence for message in sessions[name].messages if message.message_id == name]
    spoken = all(message.role == "assistant" for message in said)
    return "single-session-assistant" if spoken else "single-session-user"


def _named(row: str, arm: Arm, replicate: int, answer: int) -> str:
    """Plain for what everybody looks for: the system's own answers, the first time."""
    own = arm is Arm.SYSTEM or row == "oracle"
    return row + "" * own + f".{arm}" * (not own) + f".r{replicate}" * bool(replicate) + f".a{answer}" * bool(answer)


def _hypotheses(material: Material, file: Path, cells: Sequence[CellOutcome]) -> Written:
    answered = [cell for cell in cells if cell.answer is not None and cell.status != "fault"]
    lines = [{"question_id": question_id(material, cell), "hypothesis": _said(cell)} for cell in answered]
    with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
        out.writelines(f"{_json(line)}\n" for line in lines)
    return Written(file.name, len(lines), len(cells) - len(lines))


def _said(cell: CellOutcome) -> str:
    """What was answered; words for a system that declines by a flag and without any."""
    return DECLINED if cell.status == "abstained" and not (cell.answer or "").strip() else cell.answer or ""


def _references(material: Material, file: Path) -> Written:
    """One entry for each question as it was asked; written one by one, for each repeats its history."""
    firsts = {asked_of(cell): cell for cell in reversed(material.cells)}
    with file.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for number, asked in enumerate(material.names):
            out.write(",\n" if number else "[\n")
            out.write(_json(_reference(material, firsts[asked])))
        out.write("\n]\n" if material.names else "[]\n")
    return Written(file.name, len(material.names))


def _reference(material: Material, cell: CellOutcome) -> dict[str, Any]:
    history, question, key = material.histories[cell.history].history, material.question(cell), material.key(cell)
    seen = list(_seen(history, cell.checkpoint))
    sessions = {message.message_id: session for session in seen for message in session.messages}
    evidence = set(key.evidence)
    times = [message.said_at for session in seen for message in session.messages if message.said_at]
    return {
        "question_id": question_id(material, cell),
        "question_type": question_type(key, sessions),
        "question": _asked(question),
        "answer": _answer(question, key),
        "question_date": _date(question.asked_at or (times[-1] if times else None)),
        "haystack_session_ids": [session.session_id for session in seen],
        "haystack_dates": [_date(session.messages[0].said_at) for session in seen],
        "haystack_sessions": [[_turn(message, evidence) for message in session.messages] for session in seen],
        "answer_session_ids": list(dict.fromkeys(sessions[m].session_id for m in key.evidence if m in sessions)),
    }


def _seen(history: History, checkpoint: str) -> Iterator[Session]:
    """The sessions before a checkpoint; of dialogues that the system itself held, the data know the opening alone."""
    for event in history.timeline:
        if isinstance(event, Session):
            yield event
        elif isinstance(event, Script):
            yield Session(session_id=event.opening.session_id, messages=(event.opening,))
        elif isinstance(event, Asking) and event.checkpoint == checkpoint:
            return


def _turn(message: Message, evidence: Iterable[str]) -> dict[str, Any]:
    role = "assistant" if message.role == "assistant" else "user"
    return {
        "role": role,
        "content": message.text,
        **({"speaker": message.speaker} if message.speaker else {}),
        **({"has_answer": True} if message.message_id in evidence else {}),
    }


def _asked(question: Question) -> str:
    return "\n".join([question.text, *(f"{option.letter}. {option.text}" for option in question.options)])


def _answer(question: Question, key: Key) -> str:
    """As the paper of the benchmark prints it; a letter with the words that it stands for."""
    gold = key.gold[0] if key.gold else "; ".join(values[0] for values in key.field_gold.values() if values)
    if question.answer_format is AnswerFormat.LETTER:
        return next((f"{one.letter}. {one.text}" for one in question.options if one.letter == gold), gold)
    return gold or (UNSAID if key.abstain else "")


def _date(said_at: str | None) -> str:
    """`2024/03/04 (Mon) 09:12`; empty where no time is known."""
    if said_at is None:
        return ""
    at = datetime.fromisoformat(said_at)
    return f"{at:%Y/%m/%d} ({_DAYS[at.weekday()]}) {at:%H:%M}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

"""The lines of the two files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime

from recollect.domain.messages import Role
from recollect.domain.questions import AnswerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """One message of a session."""

    text: str
    id: str | None = None
    """Needed only where a question names it as evidence; unique in its history."""
    speaker: str = ""
    role: Role = "user"
    time: str | None = None
    """Local time, ISO 8601, with an offset if there is one."""
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One line of `sessions.jsonl`; the lines of a history stand in the order of time."""

    session: str
    messages: tuple[MessageRow, ...]
    history: str = "history"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One line of `questions.jsonl`."""

    question: str
    answers: tuple[str, ...] = ()
    """Accepted answers; the letter for multiple choice. Empty only where `abstain` is true."""
    id: str | None = None
    history: str = "history"
    after: str | None = None
    """Asked after this session; at the end if not said."""
    evidence: tuple[str, ...] = ()
    """Ids of the messages that hold the answer: they make the oracle, readback and retrieval rows possible."""
    rejected: tuple[str, ...] = ()
    """Answers known to be wrong, such as an outdated value."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Letter to text."""
    format: AnswerFormat = AnswerFormat.TEXT
    asked_at: str | None = None
    abstain: bool = False
    """Right only if the system declines to answer."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Any labels of yours; scores are broken down by them."""


Sessions = Sequence[tuple[int, SessionRow]]
Questions = Sequence[tuple[int, QuestionRow]]
EVERY = None
"""Stands for every history: a line that could not be read may belong to any."""
Lost = Set[str | None]
"""Histories of which sessions could not be read: what their questions name may be in those."""


def problems_of(sessions: Sessions, questions: Questions, lost: Lost = frozenset()) -> list[str]:
    """Every problem, with file and line."""
    found = [f"sessions.jsonl:{problem}" for problem in _of_sessions(sessions)]
    return found + [f"questions.jsonl:{problem}" for problem in _of_questions(sessions, questions, lost)]


def _of_sessions(sessions: Sessions) -> Iterator[str]:
    first: FirstLines = {}
    last: dict[tuple[str, bool], datetime] = {}
    late = []
    for line, row in sessions:
        yield from _repeated(first, line, "session", row.session, row.history)
        if not row.messages:
            yield f"{line}: session `{row.session}` has no message"
        for number, message in enumerate(row.messages):
            yield from _repeated(first, line, "message id", message.id, row.history)
            time = None if message.time is None else _time(message.time)
            if message.time is not None and time is None:
                yield f"{line}: `messages.{number}.time` is not ISO 8601, got {message.time!r}"
            if not _is_whole(message.text):
                yield f"{line}: `messages.{number}.text` holds half a character (a lone surrogate)"
            if time is not None:  # with an offset it is compared as an instant, without as local time
                kind = (row.history, time.tzinfo is None)
                if kind in last and time < last[kind]:
                    where = f"{line}: `messages.{number}.time` {message.time}"
                    late.append(f"{where} is before an earlier line of `{row.history}`")
                last[kind] = max(time, last.get(kind, time))
    yield from late


FirstLines = dict[tuple[str, str, str], int]
"""(kind, name, history) -> line in which the name comes first."""


def _repeated(first: FirstLines, line: int, kind: str, name: str | None, history: str) -> Iterator[str]:
    """The problem of a name that came before in its history."""
    if name is None:
        return
    place = (kind, name, history)
    if place in first:
        yield f"{line}: {kind} `{name}` stands twice in history `{history}`, first in line {first[place]}"
    first.setdefault(place, line)


def _of_questions(sessions: Sessions, questions: Questions, lost: Lost) -> Iterator[str]:
    first: FirstLines = {}
    known: dict[str, tuple[set[str], set[str]]] = {}
    for _, session in sessions:
        names, messages = known.setdefault(session.history, (set(), set()))
        names.add(session.session)
        messages |= {message.id for message in session.messages if message.id is not None}
    for line, row in questions:
        yield from _repeated(first, line, "question id", row.id, row.history)
        missing = [] if row.history in lost or EVERY in lost else _missing(row, known)
        yield from (f"{line}: {problem}" for problem in [*missing, *_of_answers(row)])


def _missing(row: QuestionRow, known: Mapping[str, tuple[set[str], set[str]]]) -> Iterator[str]:
    """What a question names and the sessions lack; *known* has ids of sessions and of messages by history."""
    if row.history not in known:
        names = ", ".join(f"`{name}`" for name in sorted(known)[:5])
        yield f"there is no history `{row.history}` in sessions.jsonl, which has {names}"
        return
    sessions, messages = known[row.history]
    if row.after is not None and row.after not in sessions:
        yield f"`after` names no session of `{row.history}`, got {row.after!r}"
    for name in row.evidence:
        if name not in messages:
            yield f"`evidence` names no message of `{row.history}`, got {name!r}"


def _of_answers(row: QuestionRow) -> Iterator[str]:
    if not all(map(_is_whole, (row.question, *row.answers, *row.rejected))):
        yield "a text holds half a character (a lone surrogate)"
    if not row.answers and not row.abstain:
        yield "`answers` is empty; give one, or set `abstain`"
    if row.format is AnswerFormat.LETTER and not row.options:
        yield "`format` is letter, but there are no `options`"
    if row.options and not set(row.answers) <= set(row.options):
        yield f"`answers` are letters of the `options`, got {list(row.answers)}"
    if row.asked_at is not None and _time(row.asked_at) is None:
        yield f"`asked_at` is not ISO 8601, got {row.asked_at!r}"


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

"""The lines of the two files."""

from __future__ import annotations

from collections import defaultdict
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
    once = _Once()
    for line, row in sessions:
        yield from once.again(line, "session", row.session, row.history)
        if not row.messages:
            yield f"{line}: session `{row.session}` has no message"
        for number, message in enumerate(row.messages):
            yield from once.again(line, "message id", message.id, row.history)
            if message.time is not None and not _is_time(message.time):
                yield f"{line}: `messages.{number}.time` is not ISO 8601, got {message.time!r}"
            if not _is_whole(message.text):
                yield f"{line}: `messages.{number}.text` holds half a character (a lone surrogate)"
    yield from _out_of_order(sessions)


class _Once:
    """Names that stand once in a history, with the line of the first."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str, str], int] = {}

    def again(self, line: int, what: str, name: str | None, history: str) -> Iterator[str]:
        """The problem of a name that was there before."""
        if name is None:
            return
        place = (what, name, history)
        if place in self.first:
            yield f"{line}: {what} `{name}` stands twice in history `{history}`, first in line {self.first[place]}"
        else:
            self.first[place] = line


def _out_of_order(sessions: Sessions) -> Iterator[str]:
    """Within a history time never goes back; with an offset it is compared as an instant, without as it is said."""
    last: dict[tuple[str, bool], datetime] = {}
    for line, row in sessions:
        for number, message in enumerate(row.messages):
            if message.time is None or not _is_time(message.time):
                continue
            said = datetime.fromisoformat(message.time)
            kind = (row.history, said.tzinfo is None)
            if kind in last and said < last[kind]:
                yield f"{line}: `messages.{number}.time` {message.time} is before an earlier line of `{row.history}`"
            last[kind] = max(said, last.get(kind, said))


def _of_questions(sessions: Sessions, questions: Questions, lost: Lost) -> Iterator[str]:
    known, once = _Known(sessions, lost), _Once()
    for line, row in questions:
        yield from once.again(line, "question id", row.id, row.history)
        yield from (f"{line}: {problem}" for problem in [*known.lacks(row), *_of_answers(row)])


class _Known:
    """Sessions and messages by history."""

    def __init__(self, sessions: Sessions, lost: Lost) -> None:
        self.lost = lost
        self.sessions: defaultdict[str, set[str]] = defaultdict(set)
        self.messages: defaultdict[str, set[str]] = defaultdict(set)
        for _, row in sessions:
            self.sessions[row.history].add(row.session)
            self.messages[row.history] |= {m.id for m in row.messages if m.id is not None}

    def lacks(self, row: QuestionRow) -> Iterator[str]:
        """What a question names and the sessions do not have; nothing where a line that is lost may have it."""
        if row.history in self.lost or EVERY in self.lost:
            return
        if row.history not in self.sessions:
            names = ", ".join(f"`{name}`" for name in sorted(self.sessions)[:5])
            yield f"there is no history `{row.history}` in sessions.jsonl, which has {names}"
            return
        if row.after is not None and row.after not in self.sessions[row.history]:
            yield f"`after` names no session of `{row.history}`, got {row.after!r}"
        for name in row.evidence:
            if name not in self.messages[row.history]:
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
    if row.asked_at is not None and not _is_time(row.asked_at):
        yield f"`asked_at` is not ISO 8601, got {row.asked_at!r}"


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True

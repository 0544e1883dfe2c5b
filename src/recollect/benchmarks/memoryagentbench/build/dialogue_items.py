"""LongMemEval's own file: one question an item, each with a haystack of dated chats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from recollect.benchmarks.memoryagentbench.families.dialogue_layout import SPEAKERS, iso_time
from recollect.benchmarks.memoryagentbench.families.dialogues import TYPES, UNANSWERABLE
from recollect.domain.errors import DataError, listed

FILE = Path("longmemeval") / "longmemeval_s.json"
_FIX = (
    f"Put LongMemEval's file there as `{FILE}`: a JSON array of questions, from the data that the repository "
    "xiaowu0162/LongMemEval names. It is the user's own to get."
)
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTurn:
    """One turn of a chat."""

    role: str
    content: str
    has_answer: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with its haystack; the lists of the haystack stand beside each other."""

    question_id: str
    question_type: str
    question: str
    answer: str | int | float
    question_date: str
    haystack_session_ids: tuple[str, ...]
    haystack_dates: tuple[str, ...]
    haystack_sessions: tuple[tuple[ItemTurn, ...], ...]
    answer_session_ids: tuple[str, ...] = ()

    @property
    def abstain(self) -> bool:
        """Nothing in the chats answers it."""
        return UNANSWERABLE in self.question_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One chat of a haystack."""

    session_id: str
    said_at: str
    """Local ISO time."""
    turns: tuple[ItemTurn, ...]
    """Those with words in them."""
    evidence: bool
    """An answer session of its question."""

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """By which two chats are the same."""
        return tuple((turn.role, turn.content) for turn in self.turns)


def chats_of(item: Item) -> list[Chat]:
    """The haystack, without chats that have no words."""
    answers = set(item.answer_session_ids)
    chats = []
    listed_ = zip(item.haystack_session_ids, item.haystack_dates, item.haystack_sessions, strict=True)
    for session_id, when, turns in listed_:
        kept = tuple(turn for turn in turns if turn.content.strip())
        marked = session_id in answers or any(turn.has_answer for turn in kept)
        if kept:
            chats.append(Chat(session_id=session_id, said_at=iso_time(when), turns=kept, evidence=marked))
    return chats


def read_items(folder: Path) -> list[Item]:
    """All questions of the file.

    Raises:
        DataError: The file is missing or not of that layout, with all its problems up to twenty.
    """
    path = folder / FILE
    given = _json(path)
    items, problems = [], []
    for number, one in enumerate(given):
        item, found = _item(one)
        problems += [f"item {number}: {problem}" for problem in found]
        items.append(item)
    problems += _twins(items) if not problems else []
    if problems:
        more = [f"and {len(problems) - _MOST_PROBLEMS} more"] if len(problems) > _MOST_PROBLEMS else []
        raise DataError(listed([*problems[:_MOST_PROBLEMS], *more]), path, fix=_FIX)
    return items


def _json(path: Path) -> list[Any]:
    try:
        given = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"it cannot be read ({error.strerror})", path, fix=_FIX) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"it is not JSON ({error})", path, fix=_FIX) from None
    if not isinstance(given, list) or not given:
        raise DataError("it is no array of questions", path, fix=_FIX)
    return given


_KNOWN = tuple(field.name for field in fields(Item))


def _item(given: Any) -> tuple[Item, list[str]]:
    """The item that *given* says; fields that other versions of the file add are passed over."""
    from recollect.records.codec import read

    kept = {name: given[name] for name in _KNOWN if name in given} if isinstance(given, dict) else given
    item, problems = read(Item, kept)
    return item, list(problems) or list(_problems(item))


def _problems(item: Item) -> Iterator[str]:
    if item.question_type not in TYPES:
        yield f"`question_type`: {item.question_type!r} is none of {', '.join(TYPES)}"
    if not item.question.strip() or not str(item.answer).strip():
        yield "`question` or `answer` is empty"
    sizes = {len(item.haystack_session_ids), len(item.haystack_dates), len(item.haystack_sessions)}
    if len(sizes) > 1:
        yield f"the lists of the haystack are not of one length: {sorted(sizes)}"
    strange = {turn.role for turns in item.haystack_sessions for turn in turns} - SPEAKERS.keys()
    if strange:
        yield f"`haystack_sessions`: role {sorted(strange)[0]!r} is none of {', '.join(SPEAKERS)}"
    for when in (item.question_date, *item.haystack_dates):
        try:
            iso_time(when)
        except ValueError as error:
            yield str(error)


def _twins(items: Sequence[Item]) -> list[str]:
    names = [item.question_id for item in items]
    return [f"`question_id` {name!r} occurs twice" for name in sorted({n for n in names if names.count(n) > 1})]

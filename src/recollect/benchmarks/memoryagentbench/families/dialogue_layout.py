"""LME(S*)'s context: the repr of a list in which chat times and lists of turns take turns; and where messages stand."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, cast

from recollect.benchmarks.memoryagentbench.families.family import Span
from recollect.benchmarks.memoryagentbench.questions import Passage
from recollect.domain.messages import Message, Role

HEADER = "Chat Time: "
MOST_CHARACTERS = 100_000_000
"""Of a context; the published ones have about two million."""
SPEAKERS: Mapping[str, str] = {"user": "User", "assistant": "Assistant", "system": "System"}
"""Role -> who speaks, as a reader is told; the layout has no names."""
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_TIME = re.compile(r"(\d{4}/\d{2}/\d{2})(?: \([A-Za-z]+\))? (\d{2}:\d{2})")
_EXAMPLE = "2023/02/03 (Fri) 10:05"


class Turn(NamedTuple):
    """What a turn is known by, in the context and in the haystacks beside it."""

    role: str
    content: str


def iso_time(text: str) -> str:
    """Local ISO time of a chat time such as `2023/02/03 (Fri) 10:05`.

    Raises:
        ValueError: It is no chat time.
    """
    found = _TIME.fullmatch(text.strip())
    try:
        if found is not None:
            return datetime.strptime(f"{found[1]} {found[2]}", "%Y/%m/%d %H:%M").isoformat(timespec="minutes")  # noqa: DTZ007 - local, as the data say it
    except ValueError:
        pass
    raise ValueError(f"{text[:60]!r} is no chat time such as `{_EXAMPLE}`")


def chat_time(said_at: str | None) -> str:
    """The way back.

    Raises:
        ValueError: The layout has no place for what the time says, or for none.
    """
    if said_at is None:
        raise ValueError("a session has no time, and the layout needs one")
    at = datetime.fromisoformat(said_at)
    text = f"{at:%Y/%m/%d} ({_WEEKDAYS[at.weekday()]}) {at:%H:%M}"
    if iso_time(text) != said_at:
        raise ValueError(f"time {said_at!r} is not of minutes without offset, such as 2023-02-03T10:05")
    return text


def passages_of(context: str) -> list[Passage]:
    """Each turn with words in it, under the time of its session.

    Raises:
        ValueError: The context is not of this layout; says at which entry.
    """
    entries = _literal(context)
    passages: list[Passage] = []
    said_at, number = None, 0
    for place, entry in enumerate(entries):
        if isinstance(entry, str):
            said_at = _header(entry, place)
        else:
            turns = [turn for turn in _turns(entry, place) if turn.content.strip()]
            if said_at is None:
                raise ValueError(f"entry {place} is a session without a time before it")
            passages.extend(_passage(turn, number, said_at) for turn in turns)
            number, said_at = number + bool(turns), None
    if not passages:
        raise ValueError("there is no turn with words in it")
    return passages


def _literal(context: str) -> list[Any]:
    """The list, read as a literal and never run.

    Raises:
        ValueError: It is none, or too long.
    """
    if len(context) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(context):,} characters, more than the {MOST_CHARACTERS:,} that are read")
    form = f"a Python list such as ['{HEADER}{_EXAMPLE}', [{{'role': 'user', 'content': '...'}}]]"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(context.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"it is not {form} ({type(error).__name__}: {str(error)[:80]})") from None
    if not isinstance(value, list):
        raise ValueError(f"it is a {type(value).__name__}, not {form}")
    return value


def _header(entry: str, place: int) -> str:
    if not entry.startswith(HEADER):
        raise ValueError(f"entry {place} is a text that does not begin with `{HEADER.strip()}`: {entry[:40]!r}")
    try:
        return iso_time(entry.removeprefix(HEADER))
    except ValueError as error:
        raise ValueError(f"entry {place}: {error}") from None


def _turns(entry: object, place: int) -> Iterator[Turn]:
    if not isinstance(entry, list):
        raise ValueError(f"entry {place} is neither a chat time nor a list of turns")
    for number, given in enumerate(entry):
        said = given if isinstance(given, dict) else {}
        role, content = said.get("role"), said.get("content")
        if not isinstance(content, str) or not isinstance(role, str) or role not in SPEAKERS:
            known = ", ".join(SPEAKERS)
            raise ValueError(f"entry {place}, turn {number} has no `content`, or a `role` that is none of {known}")
        yield Turn(role, content)


def _passage(turn: Turn, session: int, said_at: str) -> Passage:
    role = cast("Role", turn.role)
    return Passage(text=turn.content, session=session, role=role, speaker=SPEAKERS[role], said_at=said_at)


def context_of(passages: Sequence[Passage]) -> str:
    """The published text of sessions."""
    sessions = groupby(passages, key=lambda one: one.session)
    return _written(_of_passages(list(one)) for _, one in sessions).text


def whole_of(messages: Sequence[Message]) -> tuple[str, Sequence[Span]]:
    """The same for messages, with where the turn of each stands in it."""
    sessions = groupby(messages, key=lambda one: one.session_id)
    return _written(_of_messages(list(one)) for _, one in sessions)


class _Dialogue(NamedTuple):
    said_at: str | None
    turns: Sequence[Turn]


class _Written(NamedTuple):
    text: str
    spans: Sequence[Span]


def _of_passages(passages: Sequence[Passage]) -> _Dialogue:
    return _Dialogue(passages[0].said_at, [Turn(one.role, one.text) for one in passages])


def _of_messages(messages: Sequence[Message]) -> _Dialogue:
    return _Dialogue(messages[0].said_at, [Turn(one.role, one.text) for one in messages])


def _written(dialogues: Iterable[_Dialogue]) -> _Written:
    """Piece by piece what `repr` gives, so that it is known where each turn stands."""
    pieces, spans, at = ["["], [], 1
    for number, (said_at, turns) in enumerate(dialogues):
        lead = f"{', ' if number else ''}{HEADER + chat_time(said_at)!r}, ["
        pieces.append(lead)
        at += len(lead)
        for place, turn in enumerate(turns):
            text = f"{', ' if place else ''}{ {'role': turn.role, 'content': turn.content}!r}"
            pieces.append(text)
            spans.append((at + 2 * bool(place), at + len(text)))
            at += len(text)
        pieces.append("]")
        at += 1
    return _Written("".join([*pieces, "]"]), spans)

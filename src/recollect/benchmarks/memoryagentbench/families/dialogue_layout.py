"""The context of LME(S*): the repr of a list in which chat times and lists of turns alternate."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, TypeVar, cast

from recollect.benchmarks.memoryagentbench.families.family import Span
from recollect.benchmarks.memoryagentbench.questions import Passage
from recollect.domain.messages import Message, Role
from recollect.text.dates.calendars import WEEKDAYS

HEADER = "Chat Time: "
MOST_CHARACTERS = 100_000_000
"""Of a context; the published ones have about two million."""
SPEAKERS: Mapping[str, str] = {"user": "User", "assistant": "Assistant", "system": "System"}
"""Role -> speaker that a reader sees; the layout has no names."""
_TIME = re.compile(r"(\d{4}/\d{2}/\d{2})(?: \([A-Za-z]+\))? (\d{2}:\d{2})")
T = TypeVar("T", Passage, Message)
_EXAMPLE = "2023/02/03 (Fri) 10:05"


class Turn(NamedTuple):
    """What identifies a turn, in the context and in the haystacks."""

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
    """The inverse of `iso_time`.

    Raises:
        ValueError: The layout cannot express the time, or it is missing.
    """
    if said_at is None:
        raise ValueError("a session has no time, and the layout needs one")
    at = datetime.fromisoformat(said_at)
    text = f"{at:%Y/%m/%d} ({WEEKDAYS[at.weekday()][:3]}) {at:%H:%M}"
    if iso_time(text) != said_at:
        raise ValueError(f"time {said_at!r} is not of minutes without offset, such as 2023-02-03T10:05")
    return text


def passages_of(context: str) -> list[Passage]:
    """Each turn with words in it, under the time of its session.

    Raises:
        ValueError: The context is not of this layout; says at which entry.
    """
    passages: list[Passage] = []
    said_at, session = None, 0
    for place, entry in enumerate(_literal(context)):
        if isinstance(entry, str):
            said_at = _header(entry, place)
            continue
        turns = [turn for turn in _turns(entry, place) if turn.content.strip()]
        if said_at is None:
            raise ValueError(f"entry {place} is a session without a time before it")
        for turn in turns:
            role = cast("Role", turn.role)
            speaker = SPEAKERS[role]
            passages.append(Passage(text=turn.content, session=session, role=role, speaker=speaker, said_at=said_at))
        session, said_at = session + bool(turns), None
    if not passages:
        raise ValueError("there is no turn with words in it")
    return passages


def _literal(context: str) -> list[Any]:
    """The list, read as a literal and never run."""
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
    for number, turn in enumerate(entry):
        role, content = (turn.get("role"), turn.get("content")) if isinstance(turn, dict) else (None, None)
        if not isinstance(content, str) or not isinstance(role, str) or role not in SPEAKERS:
            known = ", ".join(SPEAKERS)
            raise ValueError(f"entry {place}, turn {number} has no `content`, or a `role` that is none of {known}")
        yield Turn(role, content)


def context_of(passages: Sequence[Passage]) -> str:
    """The published text of sessions."""
    return _written(passages, lambda passage: passage.session)[0]


def whole_of(messages: Sequence[Message]) -> tuple[str, Sequence[Span]]:
    """The published text of messages, and the span of each turn in it."""
    return _written(messages, lambda message: message.session_id)


def _written(turns: Sequence[T], session_of: Callable[[T], object]) -> tuple[str, Sequence[Span]]:
    """Written piece by piece as `repr` does, to know the span of each turn."""
    pieces: list[str] = ["["]
    spans: list[Span] = []
    at = 1
    for number, (_, group) in enumerate(groupby(turns, key=session_of)):
        session = list(group)
        lead = f"{', ' if number else ''}{HEADER + chat_time(session[0].said_at)!r}, ["
        pieces.append(lead)
        at += len(lead)
        for place, turn in enumerate(session):
            text = f"{', ' if place else ''}{ {'role': turn.role, 'content': turn.text}!r}"
            pieces.append(text)
            spans.append((at + 2 * bool(place), at + len(text)))
            at += len(text)
        pieces.append("]")
        at += 1
    return "".join([*pieces, "]"]), spans

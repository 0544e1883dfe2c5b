"""A conversation as the files have it, in either layout; what is not read is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from recollect.benchmarks.locomo.categories import ADVERSARIAL, CATEGORIES
from recollect.benchmarks.locomo.clock import read_time
from recollect.benchmarks.locomo.evidence import turn_name

EXTRAS_SCHEMA = 1
_SESSION = re.compile(r"session_(\d{1,6})")
T = TypeVar("T", bound="Turn | Asked | Extras")
Answer = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn; the picture's address and how it was searched for are not read."""

    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None
    """What a model saw in the picture that was sent along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One session."""

    number: int
    said_at: str | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One entry of `qa`."""

    question: str
    category: int
    answer: Answer = None
    adversarial_answer: Answer = None
    """What an adversarial question tempts one to say."""
    evidence: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """The one field that our own files add; other readers pass over it."""

    schema: int
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation with its questions."""

    name: str
    sessions: tuple[Sitting, ...]
    asked: tuple[Asked, ...]
    idle: int
    """Sessions that have a time and no turn."""
    extras: Extras | None = None


def conversation_of(data: Any, name: str) -> tuple[Conversation | None, list[str]]:
    """What *data* says, or all problems with it; *name* is for data that have no name."""
    problems: list[str] = []
    if not isinstance(data, Mapping):
        return None, [f"it is {_kind(data)}, and no conversation"]
    talk = data["conversation"] if isinstance(data.get("conversation"), Mapping) else data
    sessions = tuple(_sessions(talk, problems))
    asked = tuple(_all_asked(data.get("qa"), problems))
    extras = _part(Extras, data["recollect"], "recollect", problems) if "recollect" in data else None
    problems += _problems(sessions, asked, extras)
    idle = sum(f"{key}_date_time" in talk and not talk.get(key) for key in _all_numbered(talk))
    called = data.get("sample_id")
    found = Conversation(
        name=called if isinstance(called, str) and called else name,
        sessions=sessions,
        asked=asked,
        idle=idle,
        extras=extras,
    )
    return (None, problems) if problems else (found, [])


def _all_numbered(talk: Mapping[str, Any]) -> list[str]:
    """Names of all sessions that have turns or a time, in order."""
    found = {int(name[1]) for key in talk if (name := _SESSION.fullmatch(str(key).removesuffix("_date_time")))}
    return [f"session_{number}" for number in sorted(found)]


def _sessions(talk: Mapping[str, Any], problems: list[str]) -> Iterator[Sitting]:
    for key in _all_numbered(talk):
        given = talk.get(key)
        if given is not None and not isinstance(given, list):
            problems.append(f"`{key}`: it is {_kind(given)}, and no list of turns")
        elif given:
            turns = [_part(Turn, turn, f"{key}.{place}", problems) for place, turn in enumerate(given)]
            time = _time(talk.get(f"{key}_date_time"), key, problems)
            yield Sitting(number=int(key[8:]), said_at=time, turns=tuple(turn for turn in turns if turn))


def _time(said: Any, key: str, problems: list[str]) -> str | None:
    """The time of a session; a session without one is told where the notes are made."""
    if said is None:
        return None
    time = read_time(said) if isinstance(said, str) else None
    if time is None:
        problems.append(f"`{key}_date_time`: {said!r} is no time such as `1:56 pm on 8 May, 2023`")
    return time


def _all_asked(given: Any, problems: list[str]) -> Iterator[Asked]:
    if not isinstance(given, list):
        problems.append("`qa`: there is no list of questions")
        return
    for place, one in enumerate(given):
        alone = isinstance(one, Mapping) and isinstance(one.get("evidence"), str)
        asked = _part(Asked, {**one, "evidence": [one["evidence"]]} if alone else one, f"qa.{place}", problems)
        if asked is not None:
            problems += [f"`qa.{place}.{problem}" for problem in _of_asked(asked)]
            yield asked


def _part(kind: type[T], data: Any, where: str, problems: list[str]) -> T | None:
    """The fields of *data* that *kind* has."""
    from recollect.records.codec import read

    if not isinstance(data, Mapping):
        problems.append(f"`{where}`: it is {_kind(data)}, and no object")
        return None
    names = [field.name for field in fields(kind)]
    value, found = read(kind, {name: data[name] for name in names if data.get(name) is not None})
    problems += [f"`{where}.{problem.removeprefix('`')}" for problem in found]
    return None if found else value


def _of_asked(asked: Asked) -> Iterator[str]:
    if not asked.question.strip():
        yield "question`: it is empty"
    if asked.category not in CATEGORIES:
        yield f"category`: {asked.category} is none of {', '.join(map(str, CATEGORIES))}"
    elif asked.category != ADVERSARIAL and not str("" if asked.answer is None else asked.answer).strip():
        yield "answer`: there is none"


def _problems(sessions: tuple[Sitting, ...], asked: tuple[Asked, ...], extras: Extras | None) -> Iterator[str]:
    if not sessions:
        yield "there is no `session_1`, here or under `conversation`"
    if not asked:
        yield "`qa`: there is no question"
    first: dict[str, str] = {}
    for sitting in sessions:
        for place, turn in enumerate(sitting.turns):
            where = f"session_{sitting.number}.{place}"
            if turn_name(turn.dia_id) in first:
                yield f"`{where}.dia_id`: `{turn.dia_id}` stands twice, first in `{first[turn_name(turn.dia_id)]}`"
            first.setdefault(turn_name(turn.dia_id), where)
    if extras is not None and extras.schema != EXTRAS_SCHEMA:
        yield f"`recollect.schema`: {extras.schema} is not {EXTRAS_SCHEMA}; another version wrote it"


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")

"""A conversation as the files have it, in either layout; other fields are ignored."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from recollect.text.dates.calendars import MONTHS

EXTRAS_SCHEMA = 1
_SESSION = re.compile(r"session_(\d{1,6})")
T = TypeVar("T", bound="Turn | Asked | Extras")
Answer = str | int | float | None

ADVERSARIAL = 5


class Category(NamedTuple):
    """One kind of question."""

    name: str
    meaning: str
    published: int
    """Questions of this kind about all ten conversations."""


CATEGORIES = {
    1: Category("multi_hop", "the answer takes several sessions; it may be a list, parted by commas", 282),
    2: Category("temporal", "when something was, or in which order", 321),
    3: Category("open_domain", "what was said together with common knowledge", 96),
    4: Category("single_hop", "the answer stands in one session", 841),
    ADVERSARIAL: Category(
        "adversarial", "what was never said, mostly asked of the wrong person; right is to decline", 446
    ),
}
"""Number in the data -> kind. The numbers are those of the scoring code; the paper lists the kinds in another order."""

NUMBERS = {category.name: number for number, category in CATEGORIES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn; the picture's address and search terms are not read."""

    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None
    """A model's caption of the picture that was sent along."""

    @property
    def words(self) -> str:
        """The text of its message; empty if it says nothing."""
        words = in_words(self.text, self.blip_caption or "")
        return words if words.strip() else ""


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
    """The wrong answer that an adversarial question suggests."""
    evidence: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """The one field that our own files add; other readers ignore it."""

    schema: int
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation with its questions."""

    name: str
    sessions: tuple[Sitting, ...]
    asked: tuple[Asked, ...]
    idle: int
    """Number of sessions with a time and no turn."""
    extras: Extras | None = None


def conversation_of(data: Any, name: str) -> tuple[Conversation | None, list[str]]:
    """The conversation of *data*, or all problems with it; *name* is for data that have no name."""
    problems: list[str] = []
    if not isinstance(data, Mapping):
        return None, [f"it is {_kind(data)}, and no conversation"]
    talk = data["conversation"] if isinstance(data.get("conversation"), Mapping) else data
    numbers = {int(found[1]) for key in talk if (found := _SESSION.fullmatch(str(key).removesuffix("_date_time")))}
    sessions = tuple(_sessions(talk, sorted(numbers), problems))
    asked = tuple(_all_asked(data.get("qa"), problems))
    extras = _part(Extras, data["recollect"], "recollect", problems) if "recollect" in data else None
    problems += _problems(sessions, asked, extras)
    keys = [f"session_{number}" for number in numbers]
    sample_id = data.get("sample_id")
    conversation = Conversation(
        name=sample_id if isinstance(sample_id, str) and sample_id else name,
        sessions=sessions,
        asked=asked,
        idle=sum(f"{key}_date_time" in talk and not talk.get(key) for key in keys),
        extras=extras,
    )
    return (None, problems) if problems else (conversation, [])


def _sessions(talk: Mapping[str, Any], numbers: Sequence[int], problems: list[str]) -> Iterator[Sitting]:
    for number in numbers:
        key = f"session_{number}"
        value, time = talk.get(key), talk.get(f"{key}_date_time")
        if value is not None and not isinstance(value, list):
            problems.append(f"`{key}`: it is {_kind(value)}, and no list of turns")
        elif value:
            turns = [_part(Turn, turn, f"{key}.{place}", problems) for place, turn in enumerate(value)]
            said_at = read_time(time) if isinstance(time, str) else None
            if time is not None and said_at is None:
                problems.append(f"`{key}_date_time`: {time!r} is no time such as `1:56 pm on 8 May, 2023`")
            yield Sitting(number=number, said_at=said_at, turns=tuple(turn for turn in turns if turn))


def _all_asked(data: Any, problems: list[str]) -> Iterator[Asked]:
    if not isinstance(data, list):
        problems.append("`qa`: there is no list of questions")
        return
    for place, one in enumerate(data):
        alone = isinstance(one, Mapping) and isinstance(one.get("evidence"), str)
        asked = _part(Asked, {**one, "evidence": [one["evidence"]]} if alone else one, f"qa.{place}", problems)
        if asked is None:
            continue
        if not asked.question.strip():
            problems.append(f"`qa.{place}.question`: it is empty")
        if asked.category not in CATEGORIES:
            known = ", ".join(map(str, CATEGORIES))
            problems.append(f"`qa.{place}.category`: {asked.category} is none of {known}")
        elif asked.category != ADVERSARIAL and (asked.answer is None or not str(asked.answer).strip()):
            problems.append(f"`qa.{place}.answer`: there is none")
        yield asked


def _part(kind: type[T], data: Any, where: str, problems: list[str]) -> T | None:
    from recollect.records.codec import read

    if not isinstance(data, Mapping):
        problems.append(f"`{where}`: it is {_kind(data)}, and no object")
        return None
    names = [field.name for field in fields(kind)]
    value, found = read(kind, {name: data[name] for name in names if data.get(name) is not None})
    problems += [f"`{where}.{problem.removeprefix('`')}" for problem in found]
    return None if found else value


def _problems(sessions: tuple[Sitting, ...], asked: tuple[Asked, ...], extras: Extras | None) -> Iterator[str]:
    if not sessions:
        yield "there is no `session_1`, here or under `conversation`"
    if not asked:
        yield "`qa`: there is no question"
    first: dict[str, str] = {}
    for sitting in sessions:
        for place, turn in enumerate(sitting.turns):
            where, name = f"session_{sitting.number}.{place}", turn_name(turn.dia_id)
            if name in first:
                yield f"`{where}.dia_id`: `{turn.dia_id}` stands twice, first in `{first[name]}`"
            first.setdefault(name, where)
    if extras is not None and extras.schema != EXTRAS_SCHEMA:
        yield f"`recollect.schema`: {extras.schema} is not {EXTRAS_SCHEMA}; another version wrote it"


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


_SAID = re.compile(
    r"\s*(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]{3,9}),?\s+(\d{4})\s*", re.IGNORECASE
)


def read_time(said: str) -> str | None:
    """`1:56 pm on 8 May, 2023` as `2023-05-08T13:56`; `None` where it is not a time."""
    found = _SAID.fullmatch(said)
    if found is None:
        return None
    hour, minute, half, day, name, year = found.groups()
    month = next((n for n, full in enumerate(MONTHS, start=1) if full.lower().startswith(name.lower())), 0)
    if not 1 <= int(hour) <= 12:
        return None
    try:
        time = datetime(int(year), month, int(day), int(hour) % 12 + 12 * (half in "pP"), int(minute))  # noqa: DTZ001
    except ValueError:
        return None
    return time.isoformat(timespec="minutes")


def say_time(said_at: str) -> str:
    """The inverse of `read_time`."""
    time = datetime.fromisoformat(said_at)
    half = "am" if time.hour < 12 else "pm"
    return f"{(time.hour - 1) % 12 + 1}:{time.minute:02} {half} on {time.day} {MONTHS[time.month - 1]}, {time.year}"


_PICTURE = re.compile(r"(?:(.*) )?\[shows: (.*)\]", re.DOTALL)


def in_words(text: str, caption: str) -> str:
    """The text of a message: the turn's text, and in brackets the caption of its picture."""
    return " ".join(filter(None, (text, f"[shows: {caption}]" if caption else "")))


def apart(text: str) -> tuple[str, str | None]:
    """The inverse of `in_words`: text, and caption if there is one."""
    found = _PICTURE.fullmatch(text)
    return (found[1] or "", found[2]) if found and found[2] else (text, None)


_REFERENCE = re.compile(r"D\s*:?\s*(\d{1,6})\s*:\s*(\d{1,6})", re.IGNORECASE)


class Linked(NamedTuple):
    """The turns that the references of one question name."""

    turns: tuple[str, ...]
    """Names of turns, each once, in the order of the file."""
    mended: tuple[str, ...] = ()
    """References in another spelling than a turn's name."""
    lost: tuple[str, ...] = ()
    """References that name no turn."""
    doubled: tuple[str, ...] = ()
    """References to a turn that was named before."""


def turn_name(said: str) -> str:
    """The plain name of a turn: `D30:05` is `D30:5`; any other text stays as it is."""
    found = _REFERENCE.fullmatch(said.strip())
    return f"D{int(found[1])}:{int(found[2])}" if found else said


def linked(references: Sequence[Any], known: Collection[str]) -> Linked:
    """Find the turns that *references* name: one each, or several in one text, with zeros or colons too many."""
    turns: list[str] = []
    mended: list[str] = []
    lost: list[str] = []
    doubled: list[str] = []
    for reference in references:
        names = []
        if isinstance(reference, str):
            found = _REFERENCE.findall(reference)
            names = [f"D{int(session)}:{int(turn)}" for session, turn in found] or [reference]
        there = [name for name in names if name in known]
        if there and there != [reference]:
            mended.append(str(reference))
        if not there or len(there) < len(names):
            lost.append(str(reference))
        doubled += [str(reference) for name in there if name in turns]
        turns += [name for name in there if name not in turns]
    return Linked(tuple(dict.fromkeys(turns)), tuple(mended), tuple(lost), tuple(doubled))

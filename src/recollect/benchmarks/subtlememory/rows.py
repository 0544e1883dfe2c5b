"""Rows of the two files and values, there and back; what is not known here stays in the row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from recollect.benchmarks.subtlememory.items import Asked, Instance, Qa, Talk, Turn

_SHOWN = 60
"""Characters of a wrong value that a problem repeats."""
Row = Mapping[str, Any]
OURS = "recollect"
"""The one field that our own files add; other readers pass over it."""
SESSION_ROWS, INSTANCE_ROWS, ASCII = "history_sessions", "bench_instances", "ascii"
Kept = Mapping[str, Any]
"""Of a bundle: the rows of both files as they came, and whether signs beyond ASCII were escaped there."""
ROLES = ("user", "assistant")
_NEEDED = tuple(one.name for one in fields(Asked) if one.default is MISSING and one.default_factory is MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What may stand in a field."""

    said: str
    """As a problem names it."""
    fits: Callable[[Any], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is wrong with data, and what is only odd; each with its place."""

    problems: list[str] = field(default_factory=list)
    """A score would mean something else."""
    remarks: list[str] = field(default_factory=list)
    """Told, and let through."""


def _is_text(value: Any) -> bool:
    return type(value) is str


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


TEXT = Shape(said="a text", fits=_is_text)
SAID = Shape(
    said="a text that is not empty", fits=lambda value: type(value) is str and not (value == "" or value.isspace())
)
OPEN = Shape(said="a text or null", fits=lambda value: value is None or _is_text(value))
ROWS = Shape(said="a list", fits=lambda value: type(value) is list)
TEXTS = Shape(said="a list of texts", fits=_are_texts)
SHARE = Shape(said="a number from 0 to 1", fits=lambda value: type(value) in (int, float) and 0 <= value <= 1)
MAP = Shape(said="an object of texts", fits=lambda value: type(value) is dict and _are_texts(list(value.values())))
MAP_OF_TEXTS = Shape(
    said="an object of lists of texts", fits=lambda value: type(value) is dict and all(map(_are_texts, value.values()))
)


def wrong(row: Any, shapes: Mapping[str, Shape], place: str) -> Iterator[str]:
    """Every field of *shapes* that *row* lacks, or that holds something else."""
    if type(row) is not dict:
        yield f"{place}: it is {shown(row)}, and should be an object"
        return
    for name, shape in shapes.items():
        if name not in row:
            yield f"{place}.{name}: it is missing, and should be {shape.said}"
        elif not shape.fits(row[name]):
            yield f"{place}.{name}: it is {shown(row[name])}, and should be {shape.said}"


def shown(value: Any) -> str:
    """A value as a problem repeats it: as JSON says it, and not too long."""
    from json import dumps

    said = dumps(value, ensure_ascii=False)
    return said if len(said) <= _SHOWN else f"{said[: _SHOWN - 3]}..."


_TALK: Mapping[str, Shape] = {
    "persona_id": SAID,
    "session_id": SAID,
    "timestamp": SAID,
    "source": SAID,
    "case_id": SAID,
    "conversation_type": OPEN,
    "conversation_flow": OPEN,
    "persona_signal_level": OPEN,
    "history": ROWS,
}
_INSTANCE: Mapping[str, Shape] = {
    "instance_id": SAID,
    "persona_id": SAID,
    "persona_str": TEXT,
    "source": SAID,
    "case_id": SAID,
    "topic": TEXT,
    "relation_type": SAID,
    "relation_subtype": SAID,
    "case": TEXT,
    "facts": TEXTS,
    "qas": ROWS,
    "session_ids": TEXTS,
}
_QA: Mapping[str, Shape] = {"query": SAID, "correct_answers": TEXTS, "incorrect_answers": TEXTS}
_ASKED: Mapping[str, Shape] = {
    "form": SAID,
    "chance": SHARE,
    "domain": TEXT,
    "difficulty": TEXT,
    "options": TEXTS,
    "described": MAP,
    "template": MAP,
    "fields": MAP_OF_TEXTS,
    "others": TEXTS,
}


def talk_of(row: Any, order: int, place: str, found: Findings) -> Talk | None:
    """The session that a row says; `None` where *found* learns why not.

    Args:
        row: What stands in the file.
        order: Its number; the row may have none.
        place: File and number in it, such as `persona_0/history_sessions.json[3]`.
        found: Learns every problem and remark.
    """
    before = len(found.problems)
    found.problems.extend(wrong(row, _TALK, place))
    rows = row.get("history") if type(row) is dict else None
    turns = _turns(rows, f"{place}.history", found) if type(rows) is list else ()
    if len(found.problems) > before:
        return None
    plain = {name: row[name] for name in _TALK if name != "history"}
    return Talk(order=order, history=turns, **plain)


def instance_of(row: Any, place: str, found: Findings) -> Instance | None:
    """The set of facts that a row says, with its questions; `None` where *found* learns why not."""
    before = len(found.problems)
    found.problems.extend(wrong(row, _INSTANCE, place))
    rows = row.get("qas") if type(row) is dict else None
    if type(rows) is not list:
        return None
    if not rows:
        found.problems.append(f"{place}.qas: it is empty, so that nothing is asked")
    asked = [_qa(one, f"{place}.qas[{number}]", found) for number, one in enumerate(rows)]
    if len(found.problems) > before:
        return None
    plain = {name: row[name] for name in _INSTANCE if name not in ("qas", "facts", "session_ids")}
    return Instance(
        facts=tuple(row["facts"]),
        session_ids=tuple(row["session_ids"]),
        qas=tuple(one for one in asked if one is not None),
        **plain,
    )


def row_of_talk(talk: Talk) -> dict[str, Any]:
    """The row that says *talk*: the published fields and no others."""
    history = [{"role": turn.role, "content": turn.content} for turn in talk.history]
    return {**{name: getattr(talk, name) for name in ("order", *_TALK)}, "history": history}


def row_of_instance(instance: Instance) -> dict[str, Any]:
    """The row that says *instance*: the published fields, and ours at questions that have `asked`."""
    row = {name: _plain(getattr(instance, name)) for name in _INSTANCE if name != "qas"}
    return {**row, "qas": [_row_of_qa(qa) for qa in instance.qas]}


def turns_of(rows: Sequence[Row]) -> tuple[Turn, ...]:
    """The messages of a dialogue that a model wrote."""
    return tuple(Turn(role=row["role"], content=row["content"]) for row in rows)


def _turns(rows: list[Any], place: str, found: Findings) -> tuple[Turn, ...]:
    """Messages of a session; there are tens of thousands, so a sound one costs no more than a look."""
    if not rows:
        found.problems.append(f"{place}: it is empty, a conversation without a message")
    turns: list[Turn] = []
    for number, row in enumerate(rows):
        if type(row) is dict and row.get("role") in ROLES:
            content = row.get("content")
            if type(content) is str and content and not content.isspace():
                turns.append(Turn(role=row["role"], content=content))
                continue
        if turn := _odd_turn(row, f"{place}[{number}]", found):
            turns.append(turn)
    return tuple(turns)


def _odd_turn(row: Any, place: str, found: Findings) -> Turn | None:
    """A message whose content is a list of parts, or none, with what is wrong."""
    if type(row) is not dict:
        found.problems.extend(wrong(row, {}, place))
        return None
    if row.get("role") not in ROLES:
        found.problems.append(f"{place}.role: it is {shown(row.get('role'))}, and should be `user` or `assistant`")
        return None
    parts = row.get("content")
    texts = [_part(one) for one in parts] if type(parts) is list else []
    content = "\n".join(text for text in texts if text)
    if not content or content.isspace():
        wanted = "a text or a list of parts with text"
        found.problems.append(f"{place}.content: it is {shown(parts)}, and should be {wanted}")
        return None
    if not all(texts):
        found.remarks.append(f"{place}.content: a part without text is passed over")
    return Turn(role=row["role"], content=content)


def _part(part: Any) -> str:
    text = part.get("text") if type(part) is dict else part
    return text if type(text) is str else ""


def _qa(row: Any, place: str, found: Findings) -> Qa | None:
    before = len(found.problems)
    found.problems.extend(wrong(row, _QA, place))
    if len(found.problems) > before:
        return None
    sides = [_answers(row[name], f"{place}.{name}", found) for name in ("correct_answers", "incorrect_answers")]
    asked = asked_of(row[OURS], f"{place}.{OURS}", found) if OURS in row else None
    return Qa(query=row["query"], correct_answers=sides[0], incorrect_answers=sides[1], asked=asked)


def _answers(said: Sequence[str], place: str, found: Findings) -> tuple[str, ...]:
    """The answers that say something, as the authors' reader takes them."""
    kept = tuple(one for one in said if one and not one.isspace())
    if not kept:
        found.problems.append(f"{place}: no answer stands there, so that the question cannot be scored")
    elif len(kept) < len(said):
        found.remarks.append(f"{place}: an empty answer is passed over")
    return kept


def asked_of(row: Any, place: str, found: Findings) -> Asked | None:
    """What our own files add to a question; `None` where *found* learns why not."""
    before = len(found.problems)
    there = row if type(row) is dict else {}
    shapes = {name: shape for name, shape in _ASKED.items() if name in there or name in _NEEDED}
    found.problems.extend(wrong(row, shapes, place))
    strangers = [name for name in there if name not in _ASKED]
    found.problems.extend(f"{place}.{name}: it is not known; a newer version may have made it" for name in strangers)
    if len(found.problems) > before:
        return None
    return Asked(**{name: _frozen(value) for name, value in row.items()})


def _frozen(value: Any) -> Any:
    if type(value) is list:
        return tuple(value)
    return {name: _frozen(one) for name, one in value.items()} if type(value) is dict else value


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, Mapping) else value


def _row_of_qa(qa: Qa) -> dict[str, Any]:
    row = {name: _plain(getattr(qa, name)) for name in _QA}
    if qa.asked is None:
        return row
    said = {name: _plain(getattr(qa.asked, name)) for name in _ASKED}
    return {**row, OURS: {name: value for name, value in said.items() if name in _NEEDED or value}}

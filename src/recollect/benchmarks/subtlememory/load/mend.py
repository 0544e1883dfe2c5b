"""What a lenient reading leaves out of rows or fills in, so that the rest can be used; every change is told."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from recollect.benchmarks.subtlememory.load.bundles import Numbered
from recollect.benchmarks.subtlememory.load.files import INSTANCES, SESSIONS
from recollect.benchmarks.subtlememory.rows import ROLES

_OPEN = ("conversation_type", "conversation_flow", "persona_signal_level")
_SIDES = ("correct_answers", "incorrect_answers")


def mended(name: str, sessions: Numbered, instances: Numbered, told: list[str]) -> tuple[Numbered, Numbered]:
    """The rows of a folder without what cannot be used; what no change can make sound stays, to be refused.

    As the authors' reader: who is not the user is the assistant, and an empty answer is none. Beyond it, a link to no
    session goes, and a time that is missing is never invented.

    Args:
        name: Of the folder, as places begin.
        sessions: Rows of the one file.
        instances: Rows of the other.
        told: Learns every change, with its place.
    """
    talks = {n: _session(row, f"{name}{SESSIONS}[{n}]", told) for n, row in sessions.items()}
    kept = {number: row for number, row in talks.items() if row is not None}
    named = {str(row.get("session_id")) for row in kept.values() if type(row) is dict}
    asked = {n: _instance(row, named, f"{name}{INSTANCES}[{n}]", told) for n, row in instances.items()}
    return kept, {number: row for number, row in asked.items() if row is not None}


def _session(row: Any, place: str, told: list[str]) -> Any:
    """The row with what can be read of it; `None` where no message is left."""
    if type(row) is not dict:
        told.append(f"{place}: it is no object, and left out")
        return None
    changed = dict(row)
    for name in _OPEN:
        if name not in changed:
            changed[name] = None
            told.append(f"{place}.{name}: it is missing, and taken as null")
    history = row.get("history")
    if type(history) is list:
        changed["history"] = [
            one for n, turn in enumerate(history) if (one := _turn(turn, f"{place}.history[{n}]", told))
        ]
    if changed.get("history"):
        return changed
    told.append(f"{place}: it has no message, and is left out")
    return None


def _turn(turn: Any, place: str, told: list[str]) -> Any:
    if type(turn) is not dict or turn.get("content") in (None, "", []):
        told.append(f"{place}: it says nothing, and is left out")
        return None
    if turn.get("role") in ROLES:
        return turn
    told.append(f"{place}.role: who is not the user is taken as the assistant")
    return {**turn, "role": "assistant"}


def _instance(row: Any, named: Set[str], place: str, told: list[str]) -> Any:
    """The row with its links that lead somewhere and its questions that can be scored; `None` where none is left."""
    if type(row) is not dict:
        told.append(f"{place}: it is no object, and left out")
        return None
    changed = dict(row)
    checks: dict[str, Callable[[Any], bool]] = {
        "session_ids": lambda one: type(one) is str and one in named,
        "qas": _can_be_scored,
    }
    for name, sound in checks.items():
        rows = row.get(name)
        if type(rows) is not list:
            continue
        changed[name] = [one for one in rows if sound(one)]
        odd = [number for number, one in enumerate(rows) if not sound(one)]
        told.extend(f"{place}.{name}[{number}]: it leads nowhere, and is left out" for number in odd)
        if not changed[name]:
            told.append(f"{place}: none of its {name} is left, so that it is left out")
            return None
    return changed


def _can_be_scored(qa: Any) -> bool:
    """Both sides have an answer; a question without one of the two fields is refused, not left out."""
    if type(qa) is not dict:
        return False
    sides = [qa[name] for name in _SIDES if type(qa.get(name)) is list]
    return all(any(type(one) is str and one.strip() for one in side) for side in sides)

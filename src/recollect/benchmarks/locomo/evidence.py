"""References to turns, read leniently; what had to be mended and what was lost is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

_REFERENCE = re.compile(r"D\s*:?\s*(\d{1,6})\s*:\s*(\d{1,6})", re.IGNORECASE)


class Linked(NamedTuple):
    """What the references of one question name."""

    turns: tuple[str, ...]
    """Names of turns, each once, in the order of the file."""
    mended: tuple[str, ...] = ()
    """References that are not written like a turn's name, and were understood all the same."""
    lost: tuple[str, ...] = ()
    """References that name no turn."""
    doubled: tuple[str, ...] = ()
    """References to a turn that was named before."""


def turn_name(said: str) -> str:
    """The plain name of a turn: `D30:05` is `D30:5`; what is no such name stays."""
    found = _REFERENCE.fullmatch(said.strip())
    return f"D{int(found[1])}:{int(found[2])}" if found else said


def linked(references: Sequence[Any], known: Collection[str]) -> Linked:
    """Find the turns that *references* name.

    Args:
        references: As the file has them: one turn each, or several in one text, with zeros or colons too many.
        known: Plain names of all turns.
    """
    turns: list[str] = []
    mended: list[str] = []
    lost: list[str] = []
    doubled: list[str] = []
    for reference in references:
        names = _names(reference)
        there = [name for name in names if name in known]
        if there and there != [reference]:
            mended.append(str(reference))
        if not there or len(there) < len(names):
            lost.append(str(reference))
        doubled += [str(reference) for name in there if name in turns]
        turns += [name for name in there if name not in turns]
    return Linked(tuple(dict.fromkeys(turns)), tuple(mended), tuple(lost), tuple(doubled))


def _names(reference: Any) -> list[str]:
    if not isinstance(reference, str):
        return []
    return [f"D{int(session)}:{int(turn)}" for session, turn in _REFERENCE.findall(reference)] or [reference]

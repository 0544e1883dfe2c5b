"""FactConsolidation's context: a header line, then facts with rising serial numbers; a larger number is newer."""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADER = "Here is a list of facts:"
_FIRST = re.compile(r"[01]\. ")
_NUMBERED = re.compile(r"(\d{1,9})\. (.*)", re.DOTALL)


def context_of(texts: Sequence[str]) -> str:
    """The messages as one text, one a line."""
    return "\n".join(texts) + "\n"


def texts_of(context: str) -> list[str]:
    """The header, if there is one, and each numbered fact; a line without the next number belongs to the fact above.

    Raises:
        ValueError: There is no fact.
    """
    lines = context.rstrip("\n").split("\n")
    first = next((place for place, line in enumerate(lines) if _FIRST.match(line)), None)
    if first is None:
        raise ValueError("there is no numbered fact in it, such as `0. The capital of Orvalia is Denn.`")
    header = "\n".join(lines[:first])
    texts = [header] if header.strip() else []
    awaited = int(lines[first][0])
    for line in lines[first:]:
        if line.startswith(f"{awaited}. "):
            texts.append(line)
            awaited += 1
        else:
            texts[-1] = f"{texts[-1]}\n{line}"
    return texts


def numbered(statements: Sequence[str]) -> list[str]:
    """Header and facts as messages; the first fact has the number 0 and stands at place 1."""
    return [HEADER, *(f"{serial}. {statement}" for serial, statement in enumerate(statements))]


def serial_and_fact(text: str) -> tuple[int, str] | None:
    """Number and statement of a message; `None` for the header."""
    found = _NUMBERED.fullmatch(text)
    return (int(found[1]), found[2]) if found else None

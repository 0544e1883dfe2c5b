"""Contexts of numbered blocks: a header line such as `Document 3:`, its text below, a blank line between two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise


def context_of(texts: Sequence[str]) -> str:
    """The messages as one text."""
    return "\n\n".join(texts)


def texts_of(context: str, word: str) -> list[str]:
    """Each block with its header line, preceded by any text before the first.

    A header counts only if its number is the next one, so that a block may quote another.

    Raises:
        ValueError: There is no block.
    """
    starts: list[int] = []
    awaited: int | None = None
    for found in re.finditer(rf"^{word} (\d{{1,9}}):[ \t]*\r?$", context, re.MULTILINE):
        number = int(found[1])
        if number == awaited or (awaited is None and number in (0, 1)):
            starts.append(found.start())
            awaited = number + 1
    if not starts:
        raise ValueError(f"there is no {word.lower()} in it (a line `{word} 1:`, its text below)")
    pieces = (context[start:end].strip("\r\n") for start, end in pairwise([0, *starts, len(context)]))
    return [piece for piece in pieces if piece.strip()]


def numbered(texts: Sequence[str], word: str) -> list[str]:
    """Texts as blocks, numbered from 1."""
    return [f"{word} {number}:\n{text}" for number, text in enumerate(texts, start=1)]


def body_of(text: str, word: str) -> str:
    """A block without its header line."""
    found = re.fullmatch(rf"{word} \d{{1,9}}:[ \t]*\r?\n(.*)", text, re.DOTALL)
    return found[1] if found else text

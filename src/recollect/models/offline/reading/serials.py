"""Numbered facts: lines such as `17. <sentence>`, even where chunking parted a serial from its sentence.

Rule: a serial is a number with a full stop at the start of a line or after the end of a sentence; inside a line
without full stops it must follow the serial before it by one. A sentence in front of the first serial of an item
has lost its own and gets the number before; a serial with nothing behind it gives no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.domain.exchange import ContextItem

_SERIAL = re.compile(r"(?<!\S)(\d{1,9})[.)](?=\s|\Z)")
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])|\n")


class Numbered(NamedTuple):
    """A fact with its place in the order."""

    serial: float
    text: str
    item: int
    known: bool
    """The serial stood before it; otherwise it was inferred from its neighbours."""


def numbered(items: Sequence[ContextItem]) -> tuple[Numbered, ...]:
    """The facts of a pool of numbered facts in their order; empty if *items* are no such pool."""
    facts = [fact for place, item in enumerate(items) for fact in _facts_of(item.text, place)]
    known = [fact for fact in facts if fact.known]
    if not known or not _is_pool(known, items):
        return ()
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: (fact.serial, fact.item)))


def _is_pool(known: Sequence[Numbered], items: Sequence[ContextItem]) -> bool:
    """Most of the text, headings apart, is numbered, and a number hardly ever stands before two different sentences."""
    covered = sum(len(fact.text) + len(str(int(fact.serial))) + 3 for fact in known)
    texts: dict[float, set[str]] = {}
    for fact in known:
        texts.setdefault(fact.serial, set()).add(fact.text)
    doubled = sum(len(different) > 1 for different in texts.values())
    return covered >= 0.6 * sum(_size(item.text) for item in items) and doubled <= 0.05 * len(texts)


def _size(text: str) -> int:
    """Characters of a text; of what stands before its first serial only the sentences count."""
    first = next(_marks(text), None)
    if first is None:
        return len(text)
    return len(text) - first.start() + sum(map(len, _sentences(text[: first.start()])))


def _facts_of(text: str, place: int) -> Iterator[Numbered]:
    marks = list(_marks(text))
    if not marks:
        return
    head = _sentences(text[: marks[0].start()])
    first = int(marks[0].group(1))
    for back, sentence in enumerate(reversed(head)):
        yield Numbered(first - 1 - back / 1000, sentence, place, known=False)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        body = " ".join(text[mark.end() : end].split())
        if body:
            yield Numbered(int(mark.group(1)), body, place, known=True)


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Serials at a line start or after a sentence; elsewhere only the one that is next in turn."""
    last: int | None = None
    for mark in _SERIAL.finditer(text):
        before = text[max(0, mark.start() - 4) : mark.start()].rstrip(" \t")[-1:]
        number = int(mark.group(1))
        if before in ("", "\n", ".", "!", "?", '"', "”") or (last is not None and number == last + 1):
            last = number
            yield mark


def _sentences(head: str) -> list[str]:
    """The whole sentences of what stands before the first serial; a heading is none."""
    return [part.strip() for part in _BREAK.split(head) if part.strip().endswith((".", "!", "?"))]

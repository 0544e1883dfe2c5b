"""Answers are cut before they are judged, for a judge that takes every text that holds the answer rewards dumping."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LEAST_WORDS = 30
TIMES_REFERENCE = 5


class Capped(NamedTuple):
    """A reply as it is judged."""

    text: str
    limit: int
    """In words between spaces."""
    words: int
    """Of the whole reply."""

    @property
    def note(self) -> str:
        """What was cut, for the reason; empty where nothing was."""
        return f"cut to the first {self.limit} of {self.words} words" if self.words > self.limit else ""


def cap(reply: str, references: Iterable[str]) -> Capped:
    """The first 30 words of *reply*, or five times the longest reference, whichever is more."""
    longest = max((len(reference.split()) for reference in references), default=0)
    limit = max(LEAST_WORDS, TIMES_REFERENCE * longest)
    words = reply.split()
    return Capped(reply if len(words) <= limit else " ".join(words[:limit]), limit, len(words))

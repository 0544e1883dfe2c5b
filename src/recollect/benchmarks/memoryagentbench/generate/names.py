"""Invented names: all different, none a part of another, so that one answer is never found in another's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from recollect.metrics.text_match import normalise

Parts = Mapping[str, Sequence[Sequence[str]]]
TRIES = 1_000
_CONSONANT = "[b-df-hj-np-tv-z]"
_UGLY = re.compile(rf"(.)\1\1|([a-z]{{2,}})\2|{_CONSONANT}({_CONSONANT})\3|ll.ll|[aeiou]{{3}}|aa|ii|uu", re.IGNORECASE)
"""What the parts give where they do not go together, such as a syllable twice or a late double letter."""


def draw_names(parts: Parts, counts: Mapping[str, int], rng: Random) -> dict[str, list[str]]:
    """As many names of each kind as *counts* says.

    Raises:
        ValueError: The parts do not give so many.
    """
    taken: set[str] = set()
    return {kind: _of_kind(kind, parts[kind], count, taken, rng) for kind, count in counts.items()}


def _of_kind(kind: str, parts: Sequence[Sequence[str]], count: int, taken: set[str], rng: Random) -> list[str]:
    names: list[str] = []
    for _ in range(TRIES * max(count, 1)):
        if len(names) == count:
            return names
        name = "".join(rng.choice(part) for part in parts)
        words = normalise(name)
        if not _UGLY.search(name) and not any(words in other or other in words for other in taken):
            names.append(name)
            taken.add(words)
    raise ValueError(f"the catalogue has too few names of kind {kind!r}: wanted {count}, found {len(names)}")

"""Sentences with choices: `[this|that]` is drawn, `{slot}` is filled in; never a choice inside another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

CHOICE = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(\w+)\}")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""What counts as one word of a sentence."""
_spaces = re.compile(r" {2,}| (?=[.,;:!?])")
"""What an empty choice leaves."""


def draw(pattern: str, rng: Random, slots: Mapping[str, str] | None = None) -> str:
    """One wording of *pattern*.

    Raises:
        KeyError: A slot has no value.
    """
    return filled(CHOICE.sub(lambda found: rng.choice(found[1].split("|")), pattern), slots or {})


def filled(text: str, slots: Mapping[str, str]) -> str:
    """*text* with its slots filled in.

    Raises:
        KeyError: A slot has no value.
    """
    return _tidy(SLOT.sub(lambda found: slots[found[1]], text))


def wordings(pattern: str) -> Iterator[str]:
    """All wordings, slots left as they are."""
    parts = CHOICE.split(pattern)
    choices: Sequence[Sequence[str]] = [part.split("|") if place % 2 else (part,) for place, part in enumerate(parts)]
    for chosen in product(*choices):
        yield _tidy("".join(chosen))


def slots_in(pattern: str) -> frozenset[str]:
    """Names of its slots."""
    return frozenset(SLOT.findall(pattern))


def _tidy(text: str) -> str:
    return _spaces.sub(lambda found: " " if len(found[0]) > 1 else "", text).strip()


def words_in(text: str) -> list[str]:
    """Its words as they are written."""
    return WORD.findall(text)


def capital(text: str) -> str:
    """*text* as a sentence begins."""
    return f"{text[:1].upper()}{text[1:]}"


def lowered(text: str) -> str:
    """*text* as it goes on behind other words."""
    return f"{text[:1].lower()}{text[1:]}"


def listed(names: Sequence[str]) -> str:
    """`A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

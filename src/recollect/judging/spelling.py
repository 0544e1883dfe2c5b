"""Misspelt words."""

from __future__ import annotations

from functools import lru_cache

from recollect.judging.findings import Finding, yes
from recollect.judging.said import Said

LEAST_LETTERS = 7
LONG_LETTERS = 10
"""Where both words have so many, two slips are let through."""


def judge_spelling(_: Said, ref: Said, said: Said) -> Finding | None:
    """Accept where each content word of the reference stands in the answer, long ones with a slip."""
    if not ref.content or len(said.content) > 2 * len(ref.content) + 4:
        return None
    slips = []
    for word, stemmed in zip(ref.words, ref.stems, strict=True):
        if stemmed not in ref.content or stemmed in said.stems:
            continue
        match = next((other for other in said.words if near(word, other)), None)
        if match is None:
            return None
        slips.append(f"{match} for {word}")
    return yes("typo", ", ".join(slips)) if slips else None


@lru_cache(maxsize=16384)
def near(word: str, other: str) -> bool:
    """Whether two long words differ by a slip of spelling and start alike."""
    if min(len(word), len(other)) < LEAST_LETTERS - 1 or max(len(word), len(other)) < LEAST_LETTERS:
        return False
    if word[0] != other[0] or not (word.isalpha() and other.isalpha()):
        return False
    from rapidfuzz.distance import OSA

    return bool(OSA.distance(word, other) <= (2 if min(len(word), len(other)) >= LONG_LETTERS else 1))

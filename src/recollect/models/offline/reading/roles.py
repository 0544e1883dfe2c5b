"""Which role an entity plays beside a relation word, told by where the word stands.

Rule: before the entity (`the mentor of N`, `who mentors N`) and behind a possessive (`N's mentor`) or in the
passive (`N is mentored by`) the relation is had or undergone; behind the entity (`N mentors`, `N is the mentor
of`), or parted from it by *by*, it is done. Facts and questions are told by the same rule, so a fact whose entity
plays the other role is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from recollect.models.offline.reading import lexicon


class Role(Enum):
    """The part that an entity plays."""

    HAS = "has"
    DOES = "does"


def role(lows: Sequence[str], entity: tuple[int, int], word: int) -> Role:
    """The role of the words [start, end) beside one relation word."""
    start, end = entity
    if word < start:
        between = lows[word + 1 : start]
        return Role.DOES if lexicon.AGENT in between else Role.HAS
    between = lows[end:word]
    behind = lows[word + 1 : word + 2]
    if between and between[0] in lexicon.POSSESSIVE:
        return Role.HAS
    if lexicon.AGENT in behind or (between and between[0] in lexicon.HOLDS and lexicon.AS in between):
        return Role.HAS
    return Role.DOES

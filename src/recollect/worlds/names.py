"""Invented names: seeded, and so different that none is taken for another or found in another's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import prod
from random import Random
from typing import Literal

from recollect.domain.errors import UsageError
from recollect.metrics.text_match import normalise
from recollect.worlds.catalogues import catalogue, read
from recollect.worlds.dealing import Dealer

Parts = Mapping[str, Sequence[Sequence[str]]]
"""Kind of name -> the lists of which it takes one part each."""
TRIES = 1_000
"""Names that are drawn for each that is wanted."""
_CONSONANT = "[b-df-hj-np-tv-z]"
_UGLY = re.compile(rf"(.)\1\1|([a-z]{{2,}})\2|{_CONSONANT}({_CONSONANT})\3|ll.ll|[aeiou]{{3}}|aa|ii|uu", re.IGNORECASE)
"""What the parts give where they do not go together, such as a syllable twice or a late double letter."""
SHARES = 997
"""Owners among whom all stems are shared out; a prime, above the number of any owner."""
STRIDE = 317_827
"""Mixes the stems of one share, so that they do not look alike; a prime that divides no number of stems."""
STEMS = 4_000
"""Stems that are drawn before they count as used up."""
_stammer = re.compile(r"(..)\1|([^aeiou])[aeiou]\2[aeiou]\2")


def draw_names(parts: Parts, counts: Mapping[str, int], rng: Random) -> dict[str, list[str]]:
    """As many names of each kind as *counts* says; none is part of another.

    Raises:
        ValueError: The parts do not give so many.
    """
    taken: set[str] = set()
    drawn: dict[str, list[str]] = {}
    for kind, count in counts.items():
        names = drawn[kind] = list[str]()
        tries = TRIES * max(count, 1)
        while len(names) < count:
            if not tries:
                raise ValueError(
                    f"the catalogue has too few names of kind {kind!r}: wanted {count}, found {len(names)}"
                )
            tries -= 1
            name = "".join(rng.choice(part) for part in parts[kind])
            words = normalise(name)
            if not _UGLY.search(name) and not any(words in other or other in words for other in taken):
                names.append(name)
                taken.add(words)
    return drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Syllables:
    """Of what invented words are made."""

    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    middles: tuple[str, ...]
    closes: tuple[str, ...]
    endings: Mapping[str, tuple[str, ...]]
    first_names: tuple[str, ...]
    avoided: tuple[str, ...]
    """No word may hold one of these."""

    @property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """What a stem is made of, in order."""
        return self.onsets, self.vowels, self.middles, self.vowels, self.closes


@cache
def syllables() -> Syllables:
    """Those of the data package; read once."""
    return read(Syllables, catalogue("people") / "invented.json")


class Inventor:
    """Invents names for the world of one owner; no two begin alike, nor differ in one letter only.

    Stems are shared out by the owner's id: two owners whose ids differ by less than `SHARES` have none in common.
    """

    def __init__(self, owner: str, rng: Random, *, remedy: str = "Ask for less.") -> None:
        """Nothing is drawn yet.

        Args:
            owner: Id of the person or history whose world it is.
            rng: The only source of randomness.
            remedy: What the user can do where names run out.
        """
        self._rng, self._remedy = rng, remedy
        number = blake2b(owner.encode(), digest_size=8).digest()
        self._share = (int(owner) if owner.isdecimal() else int.from_bytes(number)) % SHARES
        self._near: set[str] = set()
        self._first_names = Dealer(rng)

    def word(self, shape: Literal["word", "surname", "town"] = "word") -> str:
        """A proper word with the usual ending of its shape.

        Raises:
            UsageError: All stems of this owner are used up.
        """
        parts, endings, avoided = syllables().places, syllables().endings[shape], syllables().avoided
        count = prod(map(len, parts))
        for _ in range(STEMS):
            number = self._rng.randrange(count // SHARES) * SHARES + self._share
            left, stem = number * STRIDE % count, ""
            for part in parts:
                left, at = divmod(left, len(part))
                stem += part[at]
            word = stem + self._rng.choice(endings)
            near = {stem, *(stem[:at] + stem[at + 1 :] for at in range(len(stem)))}
            unwanted = _stammer.search(word.lower()) or any(part in word.lower() for part in avoided)
            if self._near.isdisjoint(near) and not unwanted:
                self._near |= near
                return word
        raise UsageError(f"there are not enough invented names for one person. {self._remedy}")

    def town(self) -> str:
        """The name of a town."""
        return self.word("town")

    def person(self) -> tuple[str, str]:
        """First name and surname of somebody."""
        return self._first_names.deal(syllables().first_names), self.word("surname")

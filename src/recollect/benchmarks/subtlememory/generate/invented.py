"""Words, persons and towns that nobody has heard of: seeded, and never the same for two persons of a data set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import prod
from random import Random
from typing import Literal

from recollect.domain.errors import UsageError
from recollect.worlds.catalogues import catalogue, read
from recollect.worlds.dealing import Dealer

SHARES = 997
"""Persons among whom all stems are shared out; a prime, above the number of any person."""
STRIDE = 317_827
"""Mixes the stems of one share, so that they do not look alike; a prime that divides no number of stems."""
TRIES = 4_000
"""Stems that are drawn before they count as used up."""
_stammer = re.compile(r"(..)\1|([^aeiou])[aeiou]\2[aeiou]\2")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
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
def _parts() -> _Parts:
    return read(_Parts, catalogue("people") / "invented.json")


class Inventor:
    """Invents names for one person's world; no two begin alike, nor differ in one letter only.

    Stems are shared out by the person's id: two persons whose ids differ by less than `SHARES` have none in common.
    """

    def __init__(self, persona_id: str, rng: Random) -> None:
        self._rng = rng
        digest = blake2b(persona_id.encode(), digest_size=8).digest()
        self._share = (int(persona_id) if persona_id.isdecimal() else int.from_bytes(digest)) % SHARES
        self._near: set[str] = set()
        self._first_names = Dealer(rng)

    def word(self, shape: Literal["word", "surname", "town"] = "word") -> str:
        """A proper word with the usual ending of its shape.

        Raises:
            UsageError: All stems of this person are used up.
        """
        for _ in range(TRIES):
            stem = self._stem()
            word = stem + self._rng.choice(_parts().endings[shape])
            near = {stem, *(stem[:at] + stem[at + 1 :] for at in range(len(stem)))}
            if self._near.isdisjoint(near) and not _unwanted(word.lower()):
                self._near |= near
                return word
        raise UsageError("there are not enough invented names for one person. Ask for fewer with `unrelated_cases`.")

    def town(self) -> str:
        """The name of a town."""
        return self.word("town")

    def person(self) -> tuple[str, str]:
        """First name and surname of somebody."""
        return self._first_names.deal(_parts().first_names), self.word("surname")

    def _stem(self) -> str:
        parts = _parts().places
        count = prod(map(len, parts))
        number = self._rng.randrange(count // SHARES) * SHARES + self._share
        left = number * STRIDE % count
        letters = []
        for part in parts:
            left, at = divmod(left, len(part))
            letters.append(part[at])
        return "".join(letters)


def _unwanted(word: str) -> bool:
    """Whether it stammers, or holds what must not be said."""
    return bool(_stammer.search(word)) or any(part in word for part in _parts().avoided)

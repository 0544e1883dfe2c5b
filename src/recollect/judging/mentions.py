"""Where a clause names the fields of a key and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from recollect.judging.said import Said, places, prepare
from recollect.judging.spelling import near

Kind = Literal["name", "value"]
Gold = Mapping[str, Sequence[str]]


class Mention(NamedTuple):
    """What stands at some words of a clause."""

    at: int
    end: int
    kind: Kind
    of: frozenset[str]
    """The fields that have this name or value."""


class Wording(NamedTuple):
    """One way to say a name or a value."""

    stems: tuple[str, ...]
    kind: Kind
    of: str


@dataclass(frozen=True, slots=True)
class Wordings:
    """How the names and the values of a key may be said."""

    full: tuple[Wording, ...]
    hints: tuple[Wording, ...]
    """Single stems that only one name, or the values of one field, have."""

    def mentions(self, said: Said) -> list[Mention]:
        """All that is named, the longest wording first; what is named twice in a row counts once."""
        found: list[Mention] = []
        at = 0
        while at < len(said.stems):
            here = self._at(said, at)
            at = here.end if here else at + 1
            if here and found and (found[-1].kind, found[-1].of) == (here.kind, here.of):
                found[-1] = found[-1]._replace(end=here.end)
            elif here:
                found.append(here)
        return found

    def hinted(self, said: Said, found: Sequence[Mention]) -> bool:
        """Whether a part stands there of a name or a value that is not among what was *found*."""
        known = {(one.kind, name) for one in found for name in one.of}
        strange = [hint for hint in self.hints if (hint.kind, hint.of) not in known]
        return any(_fits(hint.stems, said, at) for at in range(len(said.stems)) for hint in strange)

    def _at(self, said: Said, at: int) -> Mention | None:
        """The longest wording that begins at a word; one to the letter before one with a slip."""
        fits = [((len(one.stems), _fits(one.stems, said, at)), one) for one in self.full]
        best = max((fit for fit, _ in fits if fit[1]), default=None)
        if best is None:
            return None
        ones = [one for fit, one in fits if fit == best]
        kind: Kind = "name" if any(one.kind == "name" for one in ones) else "value"
        return Mention(at, at + best[0], kind, frozenset(one.of for one in ones if one.kind == kind))


def wordings(question: str, gold: Gold, reply: str) -> Wordings:
    """The wordings of the fields of *gold*, of which the *question* names each.

    A name may be said by the words that it alone has, `the Varn` for `the Varn Pippin`, where the reply begins them
    with capitals wherever they stand: a small letter may tell of something else.
    """
    fields = tuple((name, tuple(values)) for name, values in gold.items())
    return _wordings(question, fields, frozenset(name for name in gold if _capital(_only_of(name, gold), reply)))


@lru_cache(maxsize=2048)
def _wordings(question: str, fields: tuple[tuple[str, tuple[str, ...]], ...], short: frozenset[str]) -> Wordings:
    gold = dict(fields)
    full = [Wording(stems, "value", name) for name, values in fields for one in values for stems in _ways(one)]
    for name in gold:
        own = prepare(" ".join(_only_of(name, gold))).stems
        full += [Wording(stems, "name", name) for stems in _ways(name)]
        full += [Wording(own, "name", name)] if name in short and places(own, prepare(name)) else []
    asked = frozenset(prepare(question).stems)
    return Wordings(tuple(dict.fromkeys(full)), tuple(_hints(gold, asked)))


def _hints(gold: Gold, asked: frozenset[str]) -> Iterator[Wording]:
    """Words of one name, and of the values of one field, that are neither elsewhere nor in the question."""
    values = {name: {stem for one in said for stem in prepare(one).content} for name, said in gold.items()}
    for name, stems in values.items():
        others = asked.union(*(other for one, other in values.items() if one != name))
        yield from (Wording((stem,), "value", name) for stem in sorted(stems - others))
        yield from (Wording((prepare(word).stems[0],), "name", name) for word in _only_of(name, gold))


def _only_of(name: str, gold: Gold) -> tuple[str, ...]:
    """The words of a name that are in no other name and in no value."""
    values = (value for said in gold.values() for value in said)
    taken = {stem for text in (*values, *(one for one in gold if one != name)) for stem in prepare(text).stems}
    said = prepare(name)
    pairs = zip(said.words, said.stems, strict=True)
    return tuple(word for word, stem in pairs if stem in said.content and stem not in taken)


def _capital(said: Sequence[str], reply: str) -> bool:
    """Whether these words begin with a capital wherever they stand."""
    found = (one[0] for word in said for one in re.finditer(rf"\b{re.escape(word)}\b", reply, re.IGNORECASE))
    return all(one[:1].isupper() for one in found)


def _ways(text: str) -> Iterator[tuple[str, ...]]:
    """The stems of a text, with its function words and without."""
    said = prepare(text)
    return (stems for stems in (said.stems, said.content) if stems)


def _fits(stems: Sequence[str], said: Said, at: int) -> int:
    """2 if the words at *at* are these, 1 if some have a slip of spelling, 0 if they are others."""
    here = said.stems[at : at + len(stems)]
    if here == tuple(stems):
        return 2
    alike = len(here) == len(stems) and all(
        one == other or near(one, other) for one, other in zip(stems, here, strict=True)
    )
    return int(alike)

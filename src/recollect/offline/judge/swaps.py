"""Whether a reply swaps the values of two fields: where a clause names fields and values, and only beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from recollect.offline.judge.findings import Finding, no
from recollect.offline.judge.lexicon import ALTERNATIVE, NEGATORS
from recollect.offline.judge.naming import misspelt
from recollect.offline.judge.texts import PreparedText, affirmed_negators, positions_of, prepare

Pair = tuple[str, frozenset[str]]
"""A field's name with the fields that have the value which it is given."""
PIVOTS = frozenset({"and", "but", "while", "whereas", "then", "plus"})
"""Words that may part one pair from the next, as commas do; within a pair they stand before none of the two."""
_UNSURE = (
    "unlike instead rather than except opposed contrary versus vs compared like similar same other others another "
    "former latter respectively order if whether formerly originally initially until thought versa reverse reversed "
    "swapped mistake mistaken mistakenly wrong wrongly wrote confused mixed corrected correction"
)
UNSURE = NEGATORS | {ALTERNATIVE, *_UNSURE.split()}
"""Words that deny, compare, point back or tell of an error: a clause that has one is passed over."""

_sentence = re.compile(r"[.!?…]+(?=[\s*_\"'”’)\]]|$)|;|\n")
_carried_on = re.compile(r":[*_]*[ \t]*\n\s*")
_sign = re.compile(r"\s(?:[/&+=]|[-–—=]+>|→)\s|\|")
_listed = re.compile(r"^\W*(?:\d{1,3}\)|\(\d{1,3}\))\s+")
_pointing = re.compile(r"\b(?:the|your|at)\s+(?:first|second|third|fourth|last)\b", re.IGNORECASE)


def swapped(question: str, gold: Gold, reply: str) -> dict[str, Finding]:
    """A refusal of each field to which *reply* clearly gives the value of another one.

    Fields are named after what is asked about: the question names all of them, else nothing is looked for. A clause
    counts if it holds as many names as values, which alternate, with a comma or a word such as `and` between two pairs;
    names or values that are told together before the pairs are passed over. So nothing is found where values come
    alone, in the order of the question or `respectively`, nor where a clause gives one value to several.

    A clause is passed over if it denies, compares, points back, or tells of an error. A field is not swapped if it has
    its own value too, nor if the other one has that value too. Where several values stand together in a clause that
    cannot be read, one swap elsewhere decides nothing.

    Args:
        question: As it was asked.
        gold: Field -> accepted values.
        reply: The whole of it: what stands behind may take back what stands before.
    """
    asked = prepare(question)
    if len(gold) < 2 or not all(values and positions_of(prepare(name).stems, asked) for name, values in gold.items()):
        return {}
    ways, pairs, least = wordings(question, gold, reply), list[Pair](), 1
    for clause in _clauses(reply):
        found = ways.mentions(prepare(clause))
        read = list(_pairs(clause, found, ways))
        pairs += read
        if not read and len({one.of for one in found if one.kind == "value"}) > 1:
            least = 2
    wrong = _wrong(pairs)
    return wrong if len(wrong) >= least else {}


def _wrong(pairs: Iterable[Pair]) -> dict[str, Finding]:
    """Names that have the value of another, where neither of the two has its own as well."""
    own = {name for name, of in pairs if name in of}
    return {
        name: no("value_of_another", f"{name} has that of {'/'.join(sorted(of))}")
        for name, of in pairs
        if name not in own and not of <= own
    }


def _clauses(reply: str) -> Iterator[str]:
    """Sentences, lines and parts between semicolons, without signs of a list; a line that ends in a colon goes on."""
    joined = _sign.sub(" , ", _carried_on.sub(": ", reply))
    return (_listed.sub("", part) for part in _sentence.split(joined) if part.strip())


def _pairs(clause: str, found: Sequence[Mention], ways: Wordings) -> Iterator[Pair]:
    """Each name of a clause with its value, where all of them are beyond doubt."""
    said = prepare(clause)
    rest = _behind_all(said, found)
    two = list(zip(rest[::2], rest[1::2], strict=False))
    if len(rest) % 2 or _unsure(clause, said, found) or ways.hinted(said, found):
        return
    joined = all(one.kind != other.kind and said.words[other.at - 1] not in PIVOTS for one, other in two)
    if not joined or not all(_parted(said, one, other) for (_, one), (other, _) in pairwise(two)):
        return
    for name, value in ((one, other) if one.kind == "name" else (other, one) for one, other in two):
        if len(name.of) == 1:
            yield min(name.of), value.of


def _behind_all(said: PreparedText, found: Sequence[Mention]) -> Sequence[Mention]:
    """The pairs that come behind names, or values, which are told together first; one that comes again opens a pair."""
    lead = len(list(takewhile(lambda one: one.kind == found[0].kind, found)))
    lead -= found[lead - 1 : lead] != [] and found[lead - 1].of in {one.of for one in found[: lead - 1]}
    pairs = found[lead:]
    return pairs if lead > 1 and len(pairs) > 2 and _parted(said, found[lead - 1], pairs[0]) else found


def _parted(said: PreparedText, one: Mention, other: Mention) -> bool:
    """Whether a border of a clause, or a word that may be one, stands between two mentions."""
    border = any(one.end <= start <= other.at for start in said.starts)
    return border or not PIVOTS.isdisjoint(said.words[one.end : other.at])


def _unsure(clause: str, said: PreparedText, found: Sequence[Mention]) -> bool:
    """Whether a word of the clause, outside of what it names, leaves open what it says."""
    taken = affirmed_negators(said).union(*(range(one.at, one.end) for one in found))
    free = {word for place, word in enumerate(said.words) if place not in taken}
    return not UNSURE.isdisjoint(free) or _pointing.search(clause) is not None


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

    def mentions(self, said: PreparedText) -> list[Mention]:
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

    def hinted(self, said: PreparedText, found: Sequence[Mention]) -> bool:
        """Whether a part stands there of a name or a value that is not among what was *found*."""
        known = {(one.kind, name) for one in found for name in one.of}
        strange = [hint for hint in self.hints if (hint.kind, hint.of) not in known]
        return any(_fits(hint.stems, said, at) for at in range(len(said.stems)) for hint in strange)

    def _at(self, said: PreparedText, at: int) -> Mention | None:
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
        full += [Wording(own, "name", name)] if name in short and positions_of(own, prepare(name)) else []
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


def _fits(stems: Sequence[str], said: PreparedText, at: int) -> int:
    """2 if the words at *at* are these, 1 if some have a slip of spelling, 0 if they are others."""
    here = said.stems[at : at + len(stems)]
    if here == tuple(stems):
        return 2
    alike = len(here) == len(stems) and all(
        one == other or misspelt(one, other) for one, other in zip(stems, here, strict=True)
    )
    return int(alike)

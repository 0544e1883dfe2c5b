"""Whether a reply swaps the values of two fields: where a clause names fields and values, and only beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
    known, pairs, least = wordings(question, gold, reply), list[Pair](), 1
    joined = _sign.sub(" , ", _carried_on.sub(": ", reply))
    for part in _sentence.split(joined):
        clause = _listed.sub("", part)
        found = known.mentions(prepare(clause))
        read = list(_pairs(clause, found, known))
        pairs += read
        if not read and len({mention.of for mention in found if mention.kind == "value"}) > 1:
            least = 2
    # a name has the value of another, and neither of the two has its own as well
    own = {name for name, of in pairs if name in of}
    wrong = {
        name: no("value_of_another", f"{name} has that of {'/'.join(sorted(of))}")
        for name, of in pairs
        if name not in own and not of <= own
    }
    return wrong if len(wrong) >= least else {}


def _pairs(clause: str, found: Sequence[Mention], known: Wordings) -> Iterator[Pair]:
    """Each name of a clause with its value, where all of them are beyond doubt."""
    text = prepare(clause)
    rest = _behind_all(text, found)
    two = list(zip(rest[::2], rest[1::2], strict=False))
    # a word of the clause, outside of what it names, may leave open what it says
    taken = affirmed_negators(text).union(*(range(mention.at, mention.end) for mention in found))
    free = {word for place, word in enumerate(text.words) if place not in taken}
    unsure = not UNSURE.isdisjoint(free) or _pointing.search(clause) is not None
    if len(rest) % 2 or unsure or known.hinted(text, found):
        return
    joined = all(one.kind != other.kind and text.words[other.at - 1] not in PIVOTS for one, other in two)
    if not joined or not all(_parted(text, one, other) for (_, one), (other, _) in pairwise(two)):
        return
    for name, value in ((one, other) if one.kind == "name" else (other, one) for one, other in two):
        if len(name.of) == 1:
            yield min(name.of), value.of


def _behind_all(text: PreparedText, found: Sequence[Mention]) -> Sequence[Mention]:
    """The pairs that come behind names, or values, which are told together first; one that comes again opens a pair."""
    lead = len(list(takewhile(lambda mention: mention.kind == found[0].kind, found)))
    if lead and found[lead - 1].of in {mention.of for mention in found[: lead - 1]}:
        lead -= 1
    pairs = found[lead:]
    return pairs if lead > 1 and len(pairs) > 2 and _parted(text, found[lead - 1], pairs[0]) else found


def _parted(text: PreparedText, one: Mention, other: Mention) -> bool:
    """Whether a border of a clause, or a word that may be one, stands between two mentions."""
    border = any(one.end <= start <= other.at for start in text.starts)
    return border or not PIVOTS.isdisjoint(text.words[one.end : other.at])


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

    def mentions(self, text: PreparedText) -> list[Mention]:
        """All that is named, the longest wording first; what is named twice in a row counts once."""
        found: list[Mention] = []
        at = 0
        while at < len(text.stems):
            here = self._at(text, at)
            at = here.end if here else at + 1
            if here and found and (found[-1].kind, found[-1].of) == (here.kind, here.of):
                found[-1] = found[-1]._replace(end=here.end)
            elif here:
                found.append(here)
        return found

    def _at(self, text: PreparedText, at: int) -> Mention | None:
        """The longest wording that begins at a word; one to the letter before one with a slip."""
        fits = [((len(wording.stems), _fits(wording.stems, text, at)), wording) for wording in self.full]
        best = max((fit for fit, _ in fits if fit[1]), default=None)
        if best is None:
            return None
        longest = [wording for fit, wording in fits if fit == best]
        kind: Kind = "name" if any(wording.kind == "name" for wording in longest) else "value"
        return Mention(at, at + best[0], kind, frozenset(one.of for one in longest if one.kind == kind))

    def hinted(self, text: PreparedText, found: Sequence[Mention]) -> bool:
        """Whether a part stands there of a name or a value that is not among what was *found*."""
        known = {(mention.kind, name) for mention in found for name in mention.of}
        strange = [hint for hint in self.hints if (hint.kind, hint.of) not in known]
        return any(_fits(hint.stems, text, at) for at in range(len(text.stems)) for hint in strange)


def wordings(question: str, gold: Gold, reply: str) -> Wordings:
    """The wordings of the fields of *gold*, of which the *question* names each.

    A name may be said by the words that it alone has, `the Varn` for `the Varn Pippin`, where the reply begins them
    with capitals wherever they stand: a small letter may tell of something else.
    """
    short = set[str]()
    for name in gold:
        words = (rf"\b{re.escape(word)}\b" for word in _only_of(name, gold))
        found = (match[0] for word in words for match in re.finditer(word, reply, re.IGNORECASE))
        if all(word[:1].isupper() for word in found):
            short.add(name)
    return _wordings(question, tuple((name, tuple(values)) for name, values in gold.items()), frozenset(short))


@lru_cache(maxsize=2048)
def _wordings(question: str, fields: tuple[tuple[str, tuple[str, ...]], ...], short: frozenset[str]) -> Wordings:
    gold = dict(fields)
    full = [Wording(stems, "value", name) for name, values in fields for value in values for stems in _ways(value)]
    for name in gold:
        own = prepare(" ".join(_only_of(name, gold))).stems
        full += [Wording(stems, "name", name) for stems in _ways(name)]
        full += [Wording(own, "name", name)] if name in short and positions_of(own, prepare(name)) else []
    # words of one name, and of the values of one field, that are neither elsewhere nor in the question
    hints: list[Wording] = []
    asked = frozenset(prepare(question).stems)
    content = {name: {stem for value in values for stem in prepare(value).content} for name, values in fields}
    for name, stems in content.items():
        others = asked.union(*(other for one, other in content.items() if one != name))
        hints += [Wording((stem,), "value", name) for stem in sorted(stems - others)]
        hints += [Wording((prepare(word).stems[0],), "name", name) for word in _only_of(name, gold)]
    return Wordings(tuple(dict.fromkeys(full)), tuple(hints))


def _only_of(name: str, gold: Gold) -> tuple[str, ...]:
    """The words of a name that are in no other name and in no value."""
    texts = [*(other for other in gold if other != name), *(value for values in gold.values() for value in values)]
    taken = {stem for text in texts for stem in prepare(text).stems}
    prepared = prepare(name)
    pairs = zip(prepared.words, prepared.stems, strict=True)
    return tuple(word for word, stem in pairs if stem in prepared.content and stem not in taken)


def _ways(text: str) -> Iterator[tuple[str, ...]]:
    """The stems of a text, with its function words and without."""
    prepared = prepare(text)
    return (stems for stems in (prepared.stems, prepared.content) if stems)


def _fits(stems: Sequence[str], text: PreparedText, at: int) -> int:
    """2 if the words at *at* are these, 1 if some have a slip of spelling, 0 if they are others."""
    here = text.stems[at : at + len(stems)]
    if here == tuple(stems):
        return 2
    pairs = zip(stems, here, strict=False)
    return int(len(here) == len(stems) and all(one == other or misspelt(one, other) for one, other in pairs))

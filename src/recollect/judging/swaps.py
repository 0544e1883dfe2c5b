"""Does a reply give what is asked for the value of another? Only where it says so beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from recollect.judging.findings import Finding, no
from recollect.judging.lexicon import ALTERNATIVE, NEGATORS
from recollect.judging.mentions import Gold, Mention, Wordings, wordings
from recollect.judging.said import Said, confirmed, places, prepare

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
    if len(gold) < 2 or not all(values and places(prepare(name).stems, asked) for name, values in gold.items()):
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


def _behind_all(said: Said, found: Sequence[Mention]) -> Sequence[Mention]:
    """The pairs that come behind names, or values, which are told together first; one that comes again opens a pair."""
    lead = len(list(takewhile(lambda one: one.kind == found[0].kind, found)))
    lead -= found[lead - 1 : lead] != [] and found[lead - 1].of in {one.of for one in found[: lead - 1]}
    pairs = found[lead:]
    return pairs if lead > 1 and len(pairs) > 2 and _parted(said, found[lead - 1], pairs[0]) else found


def _parted(said: Said, one: Mention, other: Mention) -> bool:
    """Whether a border of a clause, or a word that may be one, stands between two mentions."""
    border = any(one.end <= start <= other.at for start in said.starts)
    return border or not PIVOTS.isdisjoint(said.words[one.end : other.at])


def _unsure(clause: str, said: Said, found: Sequence[Mention]) -> bool:
    """Whether a word of the clause, outside of what it names, leaves open what it says."""
    taken = confirmed(said).union(*(range(one.at, one.end) for one in found))
    free = {word for place, word in enumerate(said.words) if place not in taken}
    return not UNSURE.isdisjoint(free) or _pointing.search(clause) is not None

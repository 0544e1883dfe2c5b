"""What a published row of facts does not say, worked out from its context: evidence, stale answers, strata.

Facts are compared as normalised words. A fact is split into key and value only where the gold or the next fact says
how long the value is; where more than one reading is left, there is none. What was found so says so in a label: on rows
of our own, whose evidence is known, all chains of one hop were right, and 2 in 100 of the longer ones wrong.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import islice, takewhile
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.fact_lists import serial_and_fact, told_apart
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
from recollect.metrics.text_match import normalise

MOST_HOPS = 4
MOST_CHAINS = 20_000
"""So that a context made to be ambiguous costs no more than any other."""
_OTHER_KEY = re.compile(r"the [a-z]+ (?:of|in)\b")
"""What stands behind `is located in` in `is located in the country of`: the start of another relation."""
_VERBS = frozenset({"is", "was", "are", "were"})

Words = tuple[str, ...]


def fact_finder(texts: Sequence[str]) -> Finder:
    """A finder for one list of facts."""
    return partial(_find_fact, _Index(texts))


@dataclass(frozen=True, slots=True)
class _Fact:
    place: int
    serial: int
    words: Words
    """Normalised."""
    raw: Words
    """As printed, word for word beside `words`."""
    at: tuple[int, ...]
    """Where each stands among all printed words; articles have no normalised word."""
    text: str

    def subject(self, length: int) -> Words:
        """From the first to the last capital or figure among the first *length* words, else up to the verb."""
        marked = [i for i in range(length) if any(sign.isupper() or sign.isdigit() for sign in self.raw[i])]
        if marked:
            return self.words[marked[0] : marked[-1] + 1]
        return tuple(takewhile(lambda word: word not in _VERBS, self.words[:length]))

    def behind(self, length: int) -> str:
        """What is printed behind the first *length* words, without the last full stop."""
        return " ".join(self.text.split()[self.at[length - 1] + 1 :]).removesuffix(".")


class _Index:
    """Facts by what they begin and end with."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_last: dict[str, list[_Fact]] = defaultdict(list)
        self._by_first: dict[Words, list[_Fact]] = defaultdict(list)
        for fact in _facts(texts):
            self._by_last[fact.words[-1]].append(fact)
            self._by_first[fact.words[:2]].append(fact)

    def ending_in(self, value: Words) -> list[_Fact]:
        """Facts that end in *value* and have two words or more before it."""
        n = len(value)
        ends = self._by_last.get(value[-1], ()) if value else ()
        return [fact for fact in ends if len(fact.words) > n + 1 and fact.words[-n:] == value]

    def of_key(self, key: Words) -> list[_Fact]:
        """Facts of one key, oldest first."""
        n = len(key)
        begun = [fact for fact in self._by_first.get(key[:2], ()) if len(fact.words) > n and fact.words[:n] == key]
        return sorted((fact for fact in begun if not _OTHER_KEY.match(fact.behind(n))), key=_serial)


def _serial(fact: _Fact) -> int:
    return fact.serial


def _facts(texts: Sequence[str]) -> Iterator[_Fact]:
    for place, text in enumerate(texts):
        found = serial_and_fact(text)
        if found is None:
            continue
        printed = found[1].split()
        known = [(word, raw, at) for at, raw in enumerate(printed) for word in normalise(raw).split()]
        if len(known) > 2:
            words, raws, ats = zip(*known, strict=True)
            yield _Fact(place, found[0], words, raws, ats, found[1])


class _Hop(NamedTuple):
    key: Words
    value: Words
    facts: tuple[_Fact, ...]
    """All of the key, oldest first; the last one ends in the value."""

    @property
    def subject(self) -> Words:
        return self.facts[-1].subject(len(self.key))


def _find_fact(index: _Index, asked: Asked) -> Recovered | None:
    """By the answer as it is printed; by an alias only where no chain ends in that."""
    words = frozenset(normalise(asked.text).split())
    for alias in asked.gold:
        chains = _chains(index, tuple(normalise(alias).split()), words)
        if chains:
            best = _clearest(chains, words)
            return None if best is None else _recovered(best)
    return None


def _chains(index: _Index, end: Words, asked: Set[str]) -> list[list[_Hop]]:
    """The shortest chains of newest facts from a subject that the question names to *end*."""
    chains = [[hop] for hop in _hops(index, end)]
    for _ in range(MOST_HOPS):
        whole = [chain for chain in chains if _named(chain[0], asked)]
        if whole:
            return whole
        longer = ([hop, *chain] for chain in chains for hop in _hops(index, chain[0].subject))
        chains = list(islice(longer, MOST_CHAINS))
    return []


def _hops(index: _Index, value: Words) -> Iterator[_Hop]:
    """The keys whose newest fact ends in *value*."""
    for fact in index.ending_in(value):
        key = fact.words[: -len(value)]
        facts = index.of_key(key)
        if facts and facts[-1] is fact:
            yield _Hop(key, value, tuple(facts))


def _named(hop: _Hop, asked: Set[str]) -> bool:
    """The question names the subject."""
    return bool(hop.subject) and all(word in asked for word in hop.subject)


def _clearest(chains: Iterable[list[_Hop]], asked: Set[str]) -> list[_Hop] | None:
    """The chain whose keys share most words with the question; `None` where two share as many."""
    ranked = sorted(((_shared(chain, asked), number, chain) for number, chain in enumerate(chains)), reverse=True)
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    return ranked[0][2]


def _shared(chain: Sequence[_Hop], asked: Set[str]) -> float:
    """Share of the keys' words that the question has; subjects of later hops are not asked for by name."""
    words = [word for hop in chain for word in hop.key if hop is chain[0] or word not in hop.subject]
    return sum(word in asked for word in words) / len(words)


def _recovered(chain: Sequence[_Hop]) -> Recovered:
    changed = [hop for hop in chain if _stale(hop)]
    last = chain[-1]
    right = last.facts[-1].behind(len(last.key))
    rejected = told_apart((fact.behind(len(last.key)) for fact in reversed(_stale(last))), right)
    labels = {
        "evidence": "by_rule",
        "stratum": "conflicted" if changed else "unique",
        "hops": str(len(chain)),
        "edited_hops": str(len(changed)),
        "stale_facts": str(sum(len(_stale(hop)) for hop in changed)),
        "gold_serial": str(last.facts[-1].serial),
    }
    if changed:
        labels["distance"] = str(max(hop.facts[-1].serial - _stale(hop)[-1].serial for hop in changed))
    if rejected:
        labels["stale_answer"] = rejected[0]
    return Recovered(tuple(dict.fromkeys(hop.facts[-1].place for hop in chain)), rejected, labels)


def _stale(hop: _Hop) -> list[_Fact]:
    return [fact for fact in hop.facts if fact.words[len(hop.key) :] != hop.value]

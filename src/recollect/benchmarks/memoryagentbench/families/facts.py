"""FactConsolidation: facts with rising serial numbers, where a larger number is newer, and questions about them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.fact_lists import (
    context_of,
    distinguishable,
    fact_labels,
    serial_and_fact,
    texts_of,
)
from recollect.benchmarks.memoryagentbench.families.family import Family, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import fact_parts
from recollect.benchmarks.memoryagentbench.questions import Asked, Finder, Recovered
from recollect.metrics.text_match import normalise

MOST_HOPS = 4
MOST_CHAINS = 20_000
"""Bounds the cost of an ambiguous context."""
_OTHER_KEY = re.compile(r"the [a-z]+ (?:of|in)\b")
"""What follows `is located in` in `is located in the country of`: the start of another relation."""
_VERBS = frozenset({"is", "was", "are", "were"})

Words = tuple[str, ...]


def fact_finder(texts: Sequence[str]) -> Finder:
    """A finder for one list of facts."""
    return _FactIndex(texts).find


@dataclass(frozen=True, slots=True)
class _Fact:
    place: int
    serial: int
    words: Words
    """Normalised."""
    raw: Words
    """As printed, parallel to `words`."""
    at: tuple[int, ...]
    """Position of each among all printed words; articles have no normalised word."""
    text: str

    def subject(self, length: int) -> Words:
        """From the first to the last capital or figure among the first *length* words, else up to the verb."""
        marked = [i for i in range(length) if any(sign.isupper() or sign.isdigit() for sign in self.raw[i])]
        if marked:
            return self.words[marked[0] : marked[-1] + 1]
        return tuple(takewhile(lambda word: word not in _VERBS, self.words[:length]))

    def behind(self, length: int) -> str:
        """What is printed after the first *length* words, without the last full stop."""
        return " ".join(self.text.split()[self.at[length - 1] + 1 :]).removesuffix(".")


class _FactIndex:
    """Facts by their first and last words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_last: dict[str, list[_Fact]] = defaultdict(list)
        self._by_first: dict[Words, list[_Fact]] = defaultdict(list)
        for place, text in enumerate(texts):
            numbered = serial_and_fact(text)
            if numbered is None:
                continue
            serial, statement = numbered
            known = [(word, raw, at) for at, raw in enumerate(statement.split()) for word in normalise(raw).split()]
            if len(known) > 2:
                words, raws, ats = zip(*known, strict=True)
                fact = _Fact(place, serial, words, raws, ats, statement)
                self._by_last[fact.words[-1]].append(fact)
                self._by_first[fact.words[:2]].append(fact)

    def hops(self, value: Words) -> Iterator[_Hop]:
        """The keys, of two words or more, whose newest fact ends in *value*."""
        for fact in self._by_last.get(value[-1], ()) if value else ():
            n = len(fact.words) - len(value)
            if n < 2 or fact.words[n:] != value:
                continue
            key = fact.words[:n]
            begun = (one for one in self._by_first.get(key[:2], ()) if len(one.words) > n and one.words[:n] == key)
            facts = sorted((one for one in begun if not _OTHER_KEY.match(one.behind(n))), key=lambda one: one.serial)
            if facts and facts[-1] is fact:
                yield _Hop(key, value, tuple(facts))

    def find(self, asked: Asked) -> Recovered | None:
        """Evidence by the answer as printed; by an alias only where no chain ends in that.

        The chain decides whose keys share most words with the question, subjects of later hops left out.
        """
        words = frozenset(normalise(asked.text).split())
        for alias in asked.gold:
            ranked = []
            for number, chain in enumerate(self._chains(tuple(normalise(alias).split()), words)):
                later = [word for hop in chain[1:] for word in hop.key if word not in hop.subject]
                known = [*chain[0].key, *later]
                ranked.append((sum(word in words for word in known) / len(known), number, chain))
            if ranked:
                ranked.sort(reverse=True)
                tied = len(ranked) > 1 and ranked[0][0] == ranked[1][0]
                return None if tied else _recovered(ranked[0][2])
        return None

    def _chains(self, end: Words, asked: frozenset[str]) -> list[list[_Hop]]:
        """The shortest chains of newest facts from a subject that the question names to *end*."""
        chains = [[hop] for hop in self.hops(end)]
        for _ in range(MOST_HOPS):
            whole = [chain for chain in chains if chain[0].subject and asked.issuperset(chain[0].subject)]
            if whole:
                return whole
            longer = ([hop, *chain] for chain in chains for hop in self.hops(chain[0].subject))
            chains = list(islice(longer, MOST_CHAINS))
        return []


class _Hop(NamedTuple):
    key: Words
    value: Words
    facts: tuple[_Fact, ...]
    """All of the key, oldest first; the last one ends in the value."""

    @property
    def subject(self) -> Words:
        return self.facts[-1].subject(len(self.key))

    @property
    def stale(self) -> list[_Fact]:
        return [fact for fact in self.facts if fact.words[len(self.key) :] != self.value]


def _recovered(chain: Sequence[_Hop]) -> Recovered:
    last = chain[-1]
    right = last.facts[-1].behind(len(last.key))
    rejected = distinguishable((fact.behind(len(last.key)) for fact in reversed(last.stale)), right)
    newest = [hop.facts[-1] for hop in chain]
    stale = [[fact.serial for fact in hop.stale] for hop in chain]
    labels = {"evidence": "by_rule", **fact_labels([fact.serial for fact in newest], stale, rejected)}
    return Recovered(tuple(dict.fromkeys(fact.place for fact in newest)), rejected, labels)


SIZES = {"6k": 6_000, "32k": 32_768, "64k": 65_536, "262k": 262_144}
"""Name -> tokens, as the published configurations limit the contexts."""
HOPS = ("sh", "mh")
MADE = {hops: f"factconsolidation_{hops}_generated" for hops in HOPS}


FAMILY = Family(
    name="factconsolidation",
    split="Conflict_Resolution",
    output_tokens=10,
    chunk_tokens=512,
    joint="\n",
    passages=plain(texts_of),
    context=joined(context_of),
    measure="substring_exact_match",
    words=lambda source: {"hops": "one fact" if "_sh_" in source.name else "a chain of two to four facts"},
    score=lambda scored: scored.outcome(fact_parts(scored.reply_text, scored.accepted, scored.key.rejected)),
    finder=fact_finder,
)

SOURCES = (
    *(
        Source(name=f"factconsolidation_{hops}_{size}", family=FAMILY, questions=100, context_tokens=tokens)
        for size, tokens in SIZES.items()
        for hops in HOPS
    ),
    *(Source(name=name, family=FAMILY, questions=None) for name in MADE.values()),
)


def source_of(hops: str, size: str) -> Source:
    """The published source of that kind and size."""
    return next(source for source in SOURCES if source.name == f"factconsolidation_{hops}_{size}")

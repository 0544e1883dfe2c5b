"""A context, parsed once: facts, examples, statements, and when each was said."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from recollect.domain.exchange import Context, ContextItem
from recollect.offline.reading.examples import ExampleSet, examples
from recollect.offline.reading.facts.graph import FactGraph
from recollect.offline.reading.facts.pool import FactPool, numbered
from recollect.offline.reading.vectors import Lru, Vectors
from recollect.offline.reading.words import Word, content, words
from recollect.text.dates.calendars import in_order, read_iso
from recollect.text.dates.mentions import Mention, find_dates
from recollect.text.sentences import split


@dataclass(frozen=True, slots=True, eq=False)
class ParsedText:
    """One sentence taken apart; made once per text."""

    text: str
    words: tuple[Word, ...]
    stems: frozenset[str]

    @property
    def asks(self) -> bool:
        """It is a question, and thus says nothing."""
        return self.text.rstrip("\"'”’) ").endswith("?")


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One sentence of one item, with when and by whom it was said."""

    sheet: ParsedText
    stems: frozenset[str]
    """Its own content stems and those of its speaker's name."""
    item: int
    place: int
    """Its number among all statements, in the order of the context."""
    age: int
    """Rank of its item in time; a higher one is newer."""
    said: Moment | None
    speaker: str

    @property
    def text(self) -> str:
        """The sentence."""
        return self.sheet.text


Sheets = Lru[str, tuple[ParsedText, ...]]


class Page:
    """A context, taken apart as far as the operators that read it have asked."""

    def __init__(self, context: Context, sheets: Sheets, vectors: Vectors | None = None) -> None:
        self.items: tuple[ContextItem, ...] = tuple(item for item in context.items if item.text.strip())
        self._context, self._sheets, self.vectors = context, sheets, vectors

    def part(self, items: Sequence[int]) -> Page:
        """The same context with these of its items alone."""
        kept = replace(self._context, items=tuple(self.items[item] for item in items))
        return Page(kept, self._sheets, self.vectors)

    @cached_property
    def pool(self) -> FactPool | None:
        """The numbered facts, if the context is made of them."""
        facts = numbered(self.items)
        return FactPool(facts) if facts else None

    @cached_property
    def web(self) -> FactGraph | None:
        """The same as relations between entities."""
        return FactGraph(self.pool, self.vectors) if self.pool is not None else None

    @cached_property
    def examples(self) -> ExampleSet | None:
        """The labelled examples, if the context is made of them."""
        return examples([item.text for item in self.items], self.vectors)

    @cached_property
    def ages(self) -> tuple[int, ...]:
        """Rank of each item in time, by instant if all tell one, else by place."""
        ranks = [0] * len(self.items)
        said = [moment.said if (moment := moment_of(item.said_at)) else None for item in self.items]
        for rank, place in enumerate(in_order(said)):
            ranks[place] = rank
        return tuple(ranks)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All sentences in the order of the context; of numbered facts each fact, without its serial."""
        made: list[Statement] = []
        if self.pool is not None:
            for place, fact in enumerate(self.pool.facts):  # an item of its own; its place in the pool is its age
                sheet = ParsedText(fact.text, fact.words, frozenset(content(fact.words)))
                made.append(Statement(sheet, sheet.stems, place, place, place, None, ""))
            return tuple(made)
        for item, (age, shown) in enumerate(zip(self.ages, self.items, strict=True)):
            speaker, said = frozenset(content(words(shown.speaker))), moment_of(shown.said_at)
            for sheet in self._sheets.get(shown.text, partial(_parsed, shown.text)):
                made.append(Statement(sheet, sheet.stems | speaker, item, len(made), age, said, shown.speaker))
        return tuple(made)

    @cached_property
    def _by_item(self) -> Mapping[int, Sequence[Statement]]:
        found: dict[int, list[Statement]] = defaultdict(list)
        for statement in self.statements:
            found[statement.item].append(statement)
        return found

    def of_item(self, item: int) -> Sequence[Statement]:
        """The statements of one item."""
        return self._by_item.get(item, ())

    def around(self, item: int) -> frozenset[str]:
        """All stems of an item and of the items before and behind it."""
        near = (statement for place in (item - 1, item, item + 1) for statement in self.of_item(place))
        return frozenset().union(*(statement.stems for statement in near))

    @cached_property
    def index(self) -> Mapping[str, Sequence[int]]:
        """Stem -> places of the statements that hold it."""
        postings: dict[str, list[int]] = defaultdict(list)
        for statement in self.statements:
            for one in statement.stems:
                postings[one].append(statement.place)
        return postings

    @cached_property
    def names(self) -> frozenset[str]:
        """Folded words that stand capitalised inside a sentence, and never uncapitalised anywhere."""
        inside, small = set[str](), set[str]()
        for statement in self.statements:
            for place, word in enumerate(statement.sheet.words):
                if not word.capital:
                    small.add(word.low)
                elif place > 0:
                    inside.add(word.low)
        speakers = {w.low for item in self.items for w in words(item.speaker)}
        return frozenset((inside - small) | speakers)

    def weight(self, one: str) -> float:
        """How much a stem tells, by how few statements hold it."""
        return math.log(1 + (len(self.statements) + 1) / (len(self.index.get(one, ())) + 0.5))

    def weights(self, stems: Iterable[str]) -> Mapping[str, float]:
        """The weights of several stems."""
        return {one: self.weight(one) for one in stems}

    def item_scores(self, weights: Mapping[str, float]) -> Counter[int]:
        """Weight of the wanted stems that each item holds, in any of its statements."""
        held: dict[int, set[str]] = defaultdict(set)
        for one in weights:
            for place in self.index.get(one, ()):
                held[self.statements[place].item].add(one)
        return Counter({item: sum(weights[one] for one in found) for item, found in held.items()})


def _parsed(text: str) -> tuple[ParsedText, ...]:
    sentences = ((sentence, words(sentence)) for sentence in split(text))
    return tuple(ParsedText(sentence, found, frozenset(content(found))) for sentence, found in sentences if found)


class Moment(NamedTuple):
    """A time that an item carries."""

    said: str
    local: datetime
    offset: timedelta | None

    @property
    def day(self) -> date:
        """The local day."""
        return self.local.date()


@lru_cache(maxsize=4096)
def moment_of(said: str | None) -> Moment | None:
    """The time that an item carries, if it carries a readable one."""
    if not said:
        return None
    try:
        read = read_iso(said.strip())
    except ValueError:
        return None
    return Moment(read.said, read.local, read.offset)


def dates_in(text: str, said: Moment | None) -> list[Mention]:
    """The dates that a sentence names, relative ones resolved against the time it was said at."""
    try:
        return find_dates(text, said.day if said is not None else None)
    except (ValueError, OverflowError):
        return []

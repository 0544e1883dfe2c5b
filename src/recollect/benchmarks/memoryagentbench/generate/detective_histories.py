"""Invented detective stories, each with questions about its one case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.detective import CHOICES, MADE, asked_of, question_text
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.detective_cases import CREDITOR, Case, Clue, Query, draw_case
from recollect.benchmarks.memoryagentbench.generate.detective_questions import ASKS, REASONING, draw_queries
from recollect.benchmarks.memoryagentbench.generate.detective_words import CaseTeller, Words, case_words
from recollect.benchmarks.memoryagentbench.histories import keyed
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.histories import Keyed

PER_CHAPTER = 24
"""Paragraphs, about."""
TRIES = 200
MANY = 3
"""So many clues and more have one label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    guests: int
    fillings: int
    """Paragraphs in which nothing is to be learned."""
    each: int
    """Questions of each kind but elimination, which has three, and tools, which has one."""


SIZES = {
    "small": Size(histories=2, guests=6, fillings=180, each=1),
    "medium": Size(histories=6, guests=8, fillings=500, each=2),
    "large": Size(histories=10, guests=10, fillings=2_000, each=2),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row a case."""
    made, words = SIZES[size], case_words(held_out=held_out)
    for number in range(made.histories):
        rng = Random(seed_of("cases", size, seed, number, held_out=held_out))
        yield _row(words, made, number, rng)


def _row(words: Words, made: Size, number: int, rng: Random) -> Keyed:
    case, queries = _solvable(made, rng)
    teller = CaseTeller(words, made.guests, rng)
    book = _told(case, teller, made.fillings, rng)
    places = _places(len(queries), rng)
    asked = [_asked(query, teller, book, place, rng) for query, place in zip(queries, places, strict=True)]
    return keyed(SOURCES[MADE], number, book.passages, asked)


def _solvable(made: Size, rng: Random) -> tuple[Case, list[Query]]:
    """The first case drawn that gives all questions."""
    found = ""
    for _ in range(TRIES):
        case = draw_case(made.guests, rng)
        try:
            return case, draw_queries(case, made.each, rng)
        except ValueError as error:
            found = str(error)
    raise ValueError(f"none of {TRIES} cases gives all questions; of the last, {found}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Book:
    """A story and where its clues are."""

    passages: tuple[str, ...]
    places: dict[Clue, int]


def _told(case: Case, teller: CaseTeller, fillings: int, rng: Random) -> _Book:
    """What is known before the evening, then the evening, then the inquiry, with daily life between."""
    introductions = [teller.introduction(guest) for guest in rng.sample(range(case.guests), case.guests)]
    items: list[Clue | str] = [teller.scene("setting"), *introductions]
    parts = _parts(case, teller, rng)
    total = sum(map(len, parts))
    for number, part in enumerate(parts):
        gaps = [teller.filling(after=number > 1) for _ in range(fillings * len(part) // total)]
        items.extend(rng.sample([*part, *gaps], len(part) + len(gaps)))
        items.extend([teller.scene("discovery")] if number == 1 else [])
    items.append(teller.scene("closing"))
    passages: list[str] = []
    places: dict[Clue, int] = {}
    for number, item in enumerate(items):
        if number % PER_CHAPTER == 0:
            passages.append(teller.heading(number // PER_CHAPTER + 1))
        if isinstance(item, Clue):
            places[item] = len(passages)
        passages.append(teller.clue(item) if isinstance(item, Clue) else item)
    return _Book(passages=tuple(f"{text}\n\n" for text in passages), places=places)


def _parts(case: Case, teller: CaseTeller, rng: Random) -> list[list[Clue | str]]:
    def of(*kinds: str) -> list[Clue | str]:
        return [clue for clue in sorted(case.told) if clue.kind.partition(" ")[0] in kinds]

    def false(*kinds: str) -> list[str]:
        return [teller.clue(clue, decoy=True) for clue in case.decoys if clue.kind in kinds]

    searched = [clue.subject for clue in case.told if clue.kind == "searched"]
    looked = [teller.clue(Clue("searched", spot), decoy=True) for spot in (case.hidden, rng.choice(sorted(searched)))]
    return [
        [*of("thing", CREDITOR, "trait"), *false("thing", "hour")],
        of("place", "hour", "seen"),
        [*of("gone", "mark", "tool", "searched"), *false("place"), *looked],
    ]


def _places(size: int, rng: Random) -> list[int]:
    """Places of the right option: every one before any comes again, in a new order each time."""
    rounds = -(-size // CHOICES)
    return [place for _ in range(rounds) for place in rng.sample(range(CHOICES), CHOICES)][:size]


def _asked(query: Query, teller: CaseTeller, book: _Book, place: int, rng: Random) -> Asked:
    kind = query.path[-1] if query.path else query.kind
    right, *wrong = (teller.value(kind, value) for value in query.options)
    options: Sequence[str] = rng.sample(wrong, len(wrong))
    options = [*options[:place], right, *options[place:]]
    asked = asked_of(question_text(teller.ask(query), options), [f"{'ABCD'[place]}. {right}"])
    labels = {
        "clues": str(len(query.needs)) if len(query.needs) < MANY else f"{MANY}+",
        "reasoning": REASONING[query.kind],
        "asks": ASKS.get(kind, {"spot": "where"}.get(kind, kind)),
    }
    evidence = tuple(sorted(book.places[clue] for clue in query.needs))
    return replace(asked, evidence=evidence, labels={**asked.labels, **labels})

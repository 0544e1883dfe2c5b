"""Invented stories with questions about what happened next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.memoryagentbench.build.event_balance import Balance, Candidate
from recollect.benchmarks.memoryagentbench.build.event_rows import Distractor, Event, event_row, spread
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.events import MADE, SHOWN_BEFORE
from recollect.benchmarks.memoryagentbench.generate import seed_of
from recollect.benchmarks.memoryagentbench.generate.event_plots import WITH_OTHER, Happening, Town
from recollect.benchmarks.memoryagentbench.generate.event_telling import Cast, draw_cast, summary, tell
from recollect.benchmarks.memoryagentbench.generate.event_words import StoryWords, story_words
from recollect.domain.histories import Keyed

PEOPLE, THINGS, PLACES = 7, 8, 10
SETS = 40
"""Sets of wrong options that are drawn for a question; the one that gives least away is asked."""
TRUE, TWINS = 2, 2
"""Options are so many events of the story, and of each so many twins in which one thing is altered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made."""

    histories: int
    events: int
    """That a story tells."""
    questions: int
    """Of a story; one event more is in the chain that they ask about."""


SIZES = {
    "small": Size(histories=2, events=72, questions=10),
    "medium": Size(histories=5, events=240, questions=40),
    "large": Size(histories=5, events=600, questions=100),
}


def make(size: str, seed: int, held_out: bool) -> Iterator[Keyed]:
    """One row a story."""
    made = SIZES[size]
    words = story_words(held_out=held_out)
    balance = Balance()
    for number in range(made.histories):
        rng = Random(seed_of("events", size, seed, number, held_out=held_out))
        yield _row(words, made, number, balance, rng)


def _row(words: StoryWords, made: Size, number: int, balance: Balance, rng: Random) -> Keyed:
    cast = draw_cast(words, people=PEOPLE, things=THINGS, places=PLACES, rng=rng)
    story = Town(people=PEOPLE, things=THINGS, places=PLACES, rng=rng).live(made.events)
    told = tell(words, cast, story, rng)
    chain = spread(len(story), made.questions + 1, rng)
    options = _Options(words, cast, story, rng)
    events = [
        Event(text=options.text(story[n]), places=(told.places[n],), character=cast.people[story[n].actor].name)
        for n in chain
    ]
    wrong = [options.wrong(chain[max(0, i - SHOWN_BEFORE) : i], chain[i], balance) for i in range(1, len(chain))]
    labels = [{"kind": story[n].kind} for n in chain[1:]]
    return event_row(SOURCES[MADE], number, told.passages, events, wrong, rng=rng, labels=labels)


class _Options:
    """Draws wrong options: other events of the story, and twins of them and of the right one that never happened."""

    def __init__(self, words: StoryWords, cast: Cast, story: Sequence[Happening], rng: Random) -> None:
        self._words, self._cast, self._story, self._rng = words, cast, story, rng
        self._texts: dict[Happening, str] = {}
        self._true = {self.text(event) for event in story}

    def text(self, event: Happening) -> str:
        """As a question names it."""
        if event not in self._texts:
            self._texts[event] = summary(self._words, self._cast, event)
        return self._texts[event]

    def wrong(self, shown: Sequence[int], gold: int, balance: Balance) -> list[Distractor]:
        """Five wrong options for the event that comes after those shown."""
        previous = tuple(self.text(self._story[number]) for number in shown)
        drawn = [self._set(shown, gold) for _ in range(SETS)]
        by_text = {tuple(one.text for one in wrong): wrong for wrong in drawn}
        right = self.text(self._story[gold])
        chosen = balance.choose([Candidate(previous, (right, *texts)) for texts in by_text])
        return by_text[chosen.options[1:]]

    def _set(self, shown: Sequence[int], gold: int) -> list[Distractor]:
        """An event from another time, and twins of it and of the right one."""
        wrong: list[Distractor] = []
        taken = {self.text(self._story[number]) for number in (*shown, gold)}
        others = [n for n in range(len(self._story)) if n < shown[-1] or n > gold]
        twins = [self._story[gold]]
        for number in self._rng.sample(others, len(others)):
            if len(twins) < TRUE and self.text(self._story[number]) not in taken:
                twins.append(self._story[number])
                taken.add(self.text(twins[-1]))
                wrong.append(Distractor(text=self.text(twins[-1]), altered=False))
        for event in twins:
            wrong.extend(Distractor(text=text, altered=True) for text in self._twins(event, taken))
        return wrong

    def _twins(self, event: Happening, taken: set[str]) -> list[str]:
        """The event with other people, things or places, always in the same part, so that none stands in the middle."""
        while True:
            part = self._rng.choice(["actor", "thing", "place", *(["other"] if event.kind in WITH_OTHER else [])])
            texts = [self.text(one) for one in _altered(event, part)]
            free = [text for text in texts if text not in self._true and text not in taken]
            if len(free) >= TWINS:
                drawn = self._rng.sample(free, TWINS)
                taken.update(drawn)
                return drawn


def _altered(event: Happening, part: str) -> Iterator[Happening]:
    """The event with every other value in one part."""
    people = [n for n in range(PEOPLE) if n not in {event.actor, event.other}]
    if part == "actor":
        return (event._replace(actor=person) for person in people)
    if part == "other":
        return (event._replace(other=person) for person in people)
    if part == "thing":
        return (event._replace(thing=thing) for thing in range(THINGS))
    return (event._replace(place=place) for place in range(PLACES))

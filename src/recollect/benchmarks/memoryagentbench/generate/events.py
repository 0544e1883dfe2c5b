"""Invented stories with questions about what happened next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.benchmarks.memoryagentbench.families.events import MADE, SHOWN_BEFORE
from recollect.benchmarks.memoryagentbench.generate import event_telling as telling
from recollect.benchmarks.memoryagentbench.generate.event_plots import WITH_OTHER, Happening, Town
from recollect.benchmarks.memoryagentbench.generate.event_rows import Balance, Distractor, Event, event_row, spread
from recollect.benchmarks.memoryagentbench.generate.spec import Size, Spec
from recollect.domain.histories import Keyed

PEOPLE, THINGS, PLACES = 7, 8, 10
SETS = 40
"""Sets of wrong options drawn per question; the one that gives least away is used."""
TRUE, TWINS = 2, 2
"""Events of the story among the options, and altered twins of each."""


def _rows(common: tuple[telling.StoryWords, Balance], made: Size, number: int, rng: Random) -> Iterator[Keyed]:
    words, balance = common
    cast = telling.draw_cast(words, people=PEOPLE, things=THINGS, places=PLACES, rng=rng)
    story = Town(people=PEOPLE, things=THINGS, places=PLACES, rng=rng).live(made.length)
    told = telling.tell(words, cast, story, rng)
    chain = spread(len(story), made.questions + 1, rng)
    options = _Options(words, cast, story, rng)
    events = [
        Event(text=options.text(story[n]), places=(told.places[n],), character=cast.people[story[n].actor].name)
        for n in chain
    ]
    wrong = [options.wrong(chain[max(0, i - SHOWN_BEFORE) : i], chain[i], balance) for i in range(1, len(chain))]
    labels = [{"kind": story[n].kind} for n in chain[1:]]
    yield event_row(SOURCES[MADE], number, told.passages, events, wrong, rng=rng, labels=labels)


class _Options:
    """Draws wrong options: other events of the story, and twins of them and of the right one that never happened."""

    def __init__(self, words: telling.StoryWords, cast: telling.Cast, story: Sequence[Happening], rng: Random) -> None:
        self._words, self._cast, self._story, self._rng = words, cast, story, rng
        self._texts: dict[Happening, str] = {}
        self._true = {self.text(event) for event in story}

    def text(self, event: Happening) -> str:
        """As a question names it."""
        if event not in self._texts:
            self._texts[event] = telling.summary(self._words, self._cast, event)
        return self._texts[event]

    def wrong(self, shown: Sequence[int], gold: int, balance: Balance) -> list[Distractor]:
        """Five wrong options for the event that comes after those shown."""
        previous = [self.text(self._story[number]) for number in shown]
        drawn = [self._set(shown, gold) for _ in range(SETS)]
        return balance.pick(previous, self.text(self._story[gold]), drawn)

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
        people = [n for n in range(PEOPLE) if n not in {event.actor, event.other}]
        values = {"actor": people, "thing": range(THINGS), "place": range(PLACES)}
        if event.kind in WITH_OTHER:
            values["other"] = people
        while True:
            part = self._rng.choice(list(values))
            texts = [self.text(Happening(**{**event._asdict(), part: value})) for value in values[part]]
            free = [text for text in texts if text not in self._true and text not in taken]
            if len(free) >= TWINS:
                drawn = self._rng.sample(free, TWINS)
                taken.update(drawn)
                return drawn


SIZES = {
    "small": Size(histories=2, length=72, questions=10),
    "medium": Size(histories=5, length=240, questions=40),
    "large": Size(histories=5, length=600, questions=100),
}


SPECS = (
    Spec(
        name="events",
        sizes=SIZES,
        begin=lambda order: (telling.story_words(held_out=order.held_out), Balance()),
        rows=_rows,
    ),
)

"""How a fact about a user gets into a session: clues in the first person, and what they hold for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling
from recollect.benchmarks.subtlememory.generate.catalogue import Condition, ValueWords
from recollect.benchmarks.subtlememory.generate.patterns import draw
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.user_words import user_words
from recollect.benchmarks.subtlememory.generate.world_values import capital, lowered

COUNTS = (1, 1, 2, 2, 3)
"""How many sentences tell a fact where the settings leave it open: one masks it, three give it in detail."""
_acts = re.compile(r"I\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A value of the user, and where it holds."""

    trait: str
    value: ValueWords
    condition: Condition | None = None
    """None where it holds without one."""
    lasting: bool = False
    """The condition is a stretch of time."""


def tellings(held: Sequence[Held], settings: GenerationSettings, rng: Random) -> tuple[Telling, ...]:
    """One for each fact of a case; facts of one value are told in different sentences as far as these go.

    Args:
        held: A value for each fact.
        settings: How many sentences tell it.
        rng: The only source of randomness.
    """
    clues = {id(one.value): _clues(one.value, settings, rng) for one in held}
    made: list[Telling] = []
    for place, one in enumerate(held):
        said = list(islice(clues[id(one.value)], _count(settings, rng)))
        made.append(Telling(fact=place, role="user", text=_text(one, said, rng), of=one.trait))
    return tuple(made)


def _count(settings: GenerationSettings, rng: Random) -> int:
    if settings.overlap == "high":
        return 1
    return settings.clues or rng.choice(COUNTS)


def _clues(value: ValueWords, settings: GenerationSettings, rng: Random) -> Iterator[str]:
    """Sentences without end; where they must be alike, always the same."""
    patterns = list(value.held_out if settings.held_out else value.clues)
    if settings.overlap == "high":
        return cycle((draw(rng.choice(patterns), rng),))
    rng.shuffle(patterns)
    return (draw(pattern, rng) for pattern in cycle(patterns))


def _text(held: Held, clues: Sequence[str], rng: Random) -> str:
    """The clues; where they hold in a situation, it begins the first of them, which is one about what the user does."""
    if held.condition is None:
        return " ".join(clues)
    said = draw(held.condition.said, rng)
    situation = draw(rng.choice(user_words().stretch), rng, {"said": said}) if held.lasting else f"{said},"
    first, *others = sorted(clues, key=lambda clue: not _acts.match(clue))
    return " ".join((capital(situation), first if _acts.match(first) else lowered(first), *others))

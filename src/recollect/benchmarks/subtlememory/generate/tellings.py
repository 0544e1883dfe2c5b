"""How a fact about a user gets into a session: clues in the first person, and what they hold for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling
from recollect.benchmarks.subtlememory.generate.catalogue import Condition, ValueWords
from recollect.benchmarks.subtlememory.generate.patterns import draw
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.user_words import user_words

COUNTS = (1, 1, 2, 2, 3)
"""How many sentences tell a fact where the settings leave it open: one masks it, three give it in detail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A value of the user, and where it holds."""

    value: ValueWords
    condition: Condition | None = None
    """None where it holds without one."""
    lasting: bool = False
    """The condition is a stretch of time."""


def tellings(held: Sequence[Held], settings: GenerationSettings, rng: Random) -> tuple[Telling, ...]:
    """One for each fact of a case; facts of one value are told in different sentences as far as these go."""
    clues = {id(one.value): _clues(one.value, settings, rng) for one in held}
    frame = rng.random()
    return tuple(
        Telling(
            fact=place,
            role="user",
            turns=(
                turns := _turns(one, list(islice(clues[id(one.value)], _count(settings, rng))), settings, frame, rng)
            ),
            again=_again(one, len(turns) - 1, rng),
            framed=one.condition is not None,
        )
        for place, one in enumerate(held)
    )


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


def _turns(
    held: Held, clues: Sequence[str], settings: GenerationSettings, frame: float, rng: Random
) -> tuple[str, ...]:
    """The situation stands before the first clue."""
    if held.condition is None:
        return tuple(clues)
    words = user_words()
    frames = words.stretch if held.lasting else words.context
    place = frame if settings.overlap == "high" else rng.random()
    situation = draw(frames[int(place * len(frames))], rng, {"said": draw(held.condition.said, rng)})
    return (f"{situation} {clues[0]}", *clues[1:])


def _again(held: Held, count: int, rng: Random) -> tuple[str, ...]:
    """The situation in other words, for so many clues."""
    if held.condition is None:
        return ()
    words, slots = user_words(), {"said": draw(held.condition.said, rng)}
    patterns = words.stretch_again if held.lasting else words.context_again
    return tuple(draw(pattern, rng, slots) for pattern in rng.sample(patterns, count))

"""Sessions of no case: talk of the same topics in which nothing is told that a question asks for."""

from __future__ import annotations

from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief
from recollect.benchmarks.subtlememory.generate.catalogue import Kind, Topic, kinds, topics
from recollect.benchmarks.subtlememory.generate.user_briefs import LENGTHS
from recollect.benchmarks.subtlememory.items import LEVELS, RELATED, UNRELATED

SHORTER = (6, 8, 10, 12, 14)
"""Messages of a session about the world."""


def distractors(count: int, rng: Random) -> tuple[tuple[str, str, Brief], ...]:
    """So many sessions, each with its source and topic; in turn about the user and about the world."""
    sources = [RELATED, UNRELATED] if kinds() else [RELATED]
    return tuple(_distractor(sources[place % len(sources)], rng) for place in range(count))


def _distractor(source: str, rng: Random) -> tuple[str, str, Brief]:
    about_user = source == RELATED
    given: tuple[Topic | Kind, ...] = topics() if about_user else kinds()
    topic = rng.choice(given)
    brief = Brief(
        tellings=(),
        thread=rng.choice(topic.threads),
        messages=rng.choice(LENGTHS if about_user else SHORTER),
        signal=rng.choice(LEVELS) if about_user else None,
    )
    return source, topic.topic, brief

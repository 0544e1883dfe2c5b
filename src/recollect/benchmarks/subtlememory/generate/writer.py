"""One session: a thread of its topic, as long as it must be, with the steps in which its facts are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief
from recollect.benchmarks.subtlememory.generate.catalogue import FOLDER
from recollect.benchmarks.subtlememory.generate.catalogue_words import content
from recollect.benchmarks.subtlememory.generate.placing import Told, arranged
from recollect.benchmarks.subtlememory.generate.threads import ASIDE, SAID, Exchange, Step
from recollect.benchmarks.subtlememory.items import Turn
from recollect.text.sentences import split
from recollect.worlds.catalogues import parsed
from recollect.worlds.patterns import draw

USER, ASSISTANT = "user", "assistant"
ASIDES = {None: (0, 0, 1), "low": (0, 0, 1), "medium": (1, 2, 2), "high": (3, 4, 5)}
"""How many steps show the person, by how much of the person shows, as far as there are so many."""


def write_session(brief: Brief, rng: Random) -> tuple[Turn, ...]:
    """The messages of a session, as many as the brief says; the user begins and the assistant ends.

    Args:
        brief: What is told, in which thread.
        rng: Of everything that is drawn.

    Raises:
        ValueError: There is more to tell than there are messages, or the thread is too short for them.
    """
    thread = brief.thread
    middle = arranged(brief.tellings, thread.steps, brief.messages // 2 - 2, rng)
    steps = [number for number, one in enumerate(middle) if isinstance(one, Step)]
    shown = frozenset(rng.sample(steps, min(rng.choice(ASIDES[brief.signal]), len(steps))))
    exchanges = [thread.opening, *(_spoken(one, shown=at in shown) for at, one in enumerate(middle)), thread.closing]
    joined = _joined(exchanges, (*middle, thread.closing), thread.task, rng)
    return tuple(
        Turn(role=role, content=" ".join(text.split()))
        for one in joined
        for role, text in ((USER, one.user), (ASSISTANT, one.assistant))
    )


def _joined(
    exchanges: Sequence[Exchange], rest: Sequence[Step | Told | Exchange], task: str, rng: Random
) -> Iterator[Exchange]:
    """Each exchange; what comes after one that strayed names the errand first, unless it does so by itself."""
    words = rng.sample(backs(), len(backs()))
    back = {
        at
        for at, (before, now) in enumerate(pairwise(rest), 2)
        if isinstance(before, Told) and before.strays and not isinstance(now, Told) and not _names(now, task)
    }
    for at, one in enumerate(exchanges):
        yield replace(one, user=f"{draw(words.pop(), rng, {'task': task})} {one.user}") if at in back else one


def _names(step: Step | Exchange, task: str) -> bool:
    """Whether its first sentence says what it is about."""
    first, *_ = split(step.user)
    return bool(content(first) & content(task))


@cache
def backs() -> tuple[str, ...]:
    """Patterns with which a user comes back to the errand; read once."""
    return tuple(parsed(FOLDER / "writer.json")["back"])


def _spoken(one: Step | Told, *, shown: bool) -> Exchange:
    """A step with its aside or without, or an exchange with what is told."""
    if isinstance(one, Step):
        return Exchange(user=one.user.replace(ASIDE, one.aside if shown else ""), assistant=one.assistant)
    moment = one.moment
    if one.role == USER:
        return Exchange(user=moment.user.replace(SAID, one.text), assistant=moment.assistant)
    return Exchange(user=moment.user, assistant=moment.assistant.replace(SAID, one.text))

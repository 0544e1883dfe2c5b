"""One session: a thread of its topic, as long as it must be, with what is to be told on the way."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief
from recollect.benchmarks.subtlememory.generate.placing import ASSISTANT, USER, Placed, Plan, place
from recollect.benchmarks.subtlememory.generate.threads import ENTITY, SAID, Exchange, Step
from recollect.benchmarks.subtlememory.items import Turn

ASIDES = {None: (0, 0, 1), "low": (0, 0, 1), "medium": (1, 2, 2), "high": (3, 4, 5)}
"""How many steps show the person, by how much of the person shows, as far as there are so many."""


def write_session(brief: Brief, rng: Random) -> tuple[Turn, ...]:
    """The messages of a session, as many as the brief says; the user begins and the assistant ends.

    Args:
        brief: What is told, in which thread.
        rng: Of everything that is drawn.

    Raises:
        ValueError: The thread is shorter than the session, or what is to be told does not fit into so many messages.
    """
    thread, exchanges = brief.thread, brief.messages // 2
    if not 1 <= exchanges - 2 <= len(thread.steps):
        raise ValueError(f"a thread of {len(thread.steps)} steps does not fill {brief.messages} messages")
    steps = [thread.steps[number] for number in sorted(rng.sample(range(len(thread.steps)), exchanges - 2))]
    plan = place(brief.tellings, exchanges, rng)
    shown = _shown(brief.signal, plan, len(steps), rng)
    turns = [*_around(thread.opening, plan, 0)]
    for number, step in enumerate(steps, 1):
        turns += _user(step, plan, number, shown=number in shown), _assistant(step, plan, number)
    return (*turns, *_around(thread.closing, plan, exchanges - 1))


def _shown(signal: str | None, plan: Plan, steps: int, rng: Random) -> frozenset[int]:
    """Steps in which the person shows; those first in which the user has nothing to tell or to answer."""
    count = min(rng.choice(ASIDES[signal]), steps)
    mixed = rng.sample(range(1, steps + 1), steps)
    mixed.sort(key=lambda number: len(plan[USER, number].told) + len(plan[USER, number].echoes))
    return frozenset(mixed[:count])


def _around(exchange: Exchange, plan: Plan, number: int) -> tuple[Turn, Turn]:
    """Opening or closing; what had no room elsewhere stands at the end."""
    return (
        _turn(USER, *plan[USER, number].echoes, exchange.user, *plan[USER, number].told),
        _turn(ASSISTANT, exchange.assistant, *plan[ASSISTANT, number].told),
    )


def _user(step: Step, plan: Plan, number: int, *, shown: bool) -> Turn:
    """Answers, says how things are, makes the step's point and tells on the way; asks for what the other is to tell."""
    mine, theirs = plan[USER, number], plan[ASSISTANT, number]
    before, _, after = step.user.partition(SAID)
    front = [*mine.echoes, *([step.aside] if shown else [])]
    told = mine.told if mine.framed or not mine.told else [step.lead, *mine.told]
    return _turn(USER, *front, before, *told, after, *_asked(step, theirs))


def _asked(step: Step, theirs: Placed) -> Sequence[str]:
    """What the user asks about the first thing of which the assistant will tell."""
    subject = next(filter(None, theirs.subjects), "")
    if not subject or not step.ask:
        return ()
    ask = step.ask.replace(ENTITY, subject)
    return (ask[:1].upper() + ask[1:],)


def _assistant(step: Step, plan: Plan, number: int) -> Turn:
    mine, theirs = plan[ASSISTANT, number], plan[USER, number]
    take = [step.take] if theirs.told else []
    found = [step.found, *mine.told] if mine.told else []
    return _turn(ASSISTANT, *take, step.assistant, *found)


def _turn(role: str, *texts: str) -> Turn:
    return Turn(role=role, content=" ".join(text.strip() for text in texts if text.strip()))

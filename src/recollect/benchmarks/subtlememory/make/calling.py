"""How steps ask: at which temperature, how often again, and with which prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.benchmarks.subtlememory.make.prompts import prompt
from recollect.making.schema import Schema
from recollect.making.steps import Check, Given, Item, Sight, Step

Seen = Callable[[Sight, str], Given]
Parts = Callable[[Sight], Sequence[str]]
MAX_TOKENS = 8_192
SENTENCE, MESSAGE, LABEL = 400, 4_000, 60
"""Most characters of a statement, a message and a name."""


class Manner(NamedTuple):
    """How a prompt is asked."""

    temperature: float
    """That of the authors."""
    repairs: int = 2
    """The authors make three attempts where they make more than one."""
    version: int = 1
    """Of the step: goes up when its functions may give something else for the same input."""


MANNERS: Mapping[str, Manner] = {
    "topics": Manner(0.0),
    "plan": Manner(0.1, repairs=4),
    "case": Manner(0.2),
    "case_filter": Manner(0.0),
    "session": Manner(0.4),
    "session_filter": Manner(0.0),
    "questions": Manner(0.3),
    "answers": Manner(0.2),
    "question_filter": Manner(0.0),
}
"""Prompt -> how it is asked. A plan is asked for again more often, since it costs a whole person."""


def step(
    role: str, *, given: Seen, shape: Callable[[Given], Schema], checks: tuple[Check, ...] = (), name: str = ""
) -> Step:
    """A call with the prompt of *role*; the step has its name unless another is given."""
    manner = MANNERS[role]
    return Step(
        name=name or role,
        version=manner.version,
        prompt=prompt(role),
        given=given,
        shape=shape,
        checks=checks,
        temperature=manner.temperature,
        max_tokens=MAX_TOKENS,
        repairs=manner.repairs,
    )


def each(called: Step, parts: Parts, bound: Callable[[Item], int]) -> Step:
    """The call for every part by itself; a part that is rejected is missing alone."""
    return replace(called, parts=parts, bound=bound, needed=False)

"""How the steps of this pipeline ask: at one of two temperatures, and with a prompt that bears the step's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from recollect.benchmarks.amemgym.make.persons import HIGH, LOW, MAX_TOKENS
from recollect.benchmarks.amemgym.make.prompts import prompt
from recollect.making.schema import Schema
from recollect.making.steps import Check, Given, Item, Sight, Step

Seen = Callable[[Sight, str], Given]
Parts = Callable[[Sight], Sequence[str]]
PARAGRAPH, SENTENCES = 4_000, 1_200
"""Most characters of a description, and of a message, an answer or an event."""
NAME, VALUE, QUESTION = 60, 120, 400


def step(
    name: str, version: int, *, given: Seen, shape: Callable[[Given], Schema], checks: tuple[Check, ...] = ()
) -> Step:
    """A call with one right reply, or nearly."""
    return Step(
        name=name,
        version=version,
        prompt=prompt(name),
        given=given,
        shape=shape,
        checks=checks,
        temperature=LOW,
        max_tokens=MAX_TOKENS,
    )


def varied(called: Step) -> Step:
    """The call at the high temperature: many replies are right, and a test lives on their variety."""
    return replace(called, temperature=HIGH)


def each(called: Step, parts: Parts, bound: Callable[[Item], int]) -> Step:
    """The call for every part by itself."""
    return replace(called, parts=parts, bound=bound)

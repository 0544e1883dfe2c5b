"""How steps about the world ask, and that they pass over items of other kinds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from recollect.benchmarks.subtlememory.make.calling import MAX_TOKENS, Manner
from recollect.benchmarks.subtlememory.make.prompts import prompt
from recollect.benchmarks.subtlememory.make.world_tasks import WorldTask
from recollect.making.schema import Schema
from recollect.making.steps import WHOLE, Check, Given, Item, Rule, Ruled, Sight, Step
from recollect.records.codec import decode

Seen = Callable[[Sight, str], Given]
Parts = Callable[[Sight], Sequence[str]]
WRITING, ORDERING, DECIDING = Manner(0.4), Manner(0.2), Manner(0.0, repairs=4)
"""The authors make three attempts, five of a decision; their temperatures for the world are not known, so these are
those which they use for users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """What a sub-type asks of each step."""

    means: str
    facts: str
    plan: str
    talk: str
    talk_filter: str
    question: str
    answer: str
    question_filter: str
    answer_filter: str


@cache
def guidance() -> Mapping[str, Guidance]:
    """Sub-type -> what `world_relations.json` says of it; read once."""
    file = Path(__file__).with_name("world_relations.json")
    said = json.loads(file.read_text(encoding="utf-8"))
    return {name: decode(Guidance, one, where=str(file)) for name, one in said.items()}


def step(
    role: str,
    manner: Manner,
    *,
    given: Seen,
    shape: Callable[[Given], Schema],
    checks: tuple[Check, ...] = (),
    name: str = "",
) -> Step:
    """A call about a case; the step has the name of its prompt unless another is given."""
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
        parts=ours(lambda _: (WHOLE,)),
        bound=bounded(lambda _: 1),
    )


def each(called: Step, parts: Parts, most: Callable[[WorldTask], int]) -> Step:
    """The call for every part by itself; a case has so many at most."""
    return replace(called, parts=ours(parts), bound=bounded(most))


def optional(called: Step) -> Step:
    """The call may fail; what it was for is then left out."""
    return replace(called, needed=False)


def rule(name: str, make: Callable[[Sight], Ruled]) -> Rule:
    """A rule about a case."""
    return Rule(name=name, make=lambda sight: make(sight) if is_ours(sight.item) else Ruled(None))


def is_ours(item: Item) -> bool:
    """The item is a case about the world: one pipeline may hold both kinds."""
    return isinstance(item.data, WorldTask)


def ours(parts: Parts) -> Parts:
    """No parts for items of other kinds."""
    return lambda sight: parts(sight) if is_ours(sight.item) else ()


def bounded(most: Callable[[WorldTask], int]) -> Callable[[Item], int]:
    """At most so many parts, of cases about the world."""
    return lambda item: most(item.data) if is_ours(item) else 0

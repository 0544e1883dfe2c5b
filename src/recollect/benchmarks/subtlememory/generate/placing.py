"""Where in a session what is told comes up: in its steps, each in one of its own as far as there are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Telling

USER, ASSISTANT = "user", "assistant"


@dataclass(slots=True, kw_only=True)
class Placed:
    """What one message must hold."""

    told: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    """What it is told of, by name."""
    echoes: list[str] = field(default_factory=list)
    framed: bool = False
    """It says by itself what it is about."""


Plan = dict[tuple[str, int], Placed]
"""Role and place of a message among those of its role, from 0 -> what it must hold."""


def place(tellings: Sequence[Telling], exchanges: int, rng: Random) -> Plan:
    """A message for every sentence of the tellings.

    Args:
        tellings: What is told, and by whom.
        exchanges: Messages of each role.
        rng: Of the places.

    Raises:
        ValueError: A telling has more sentences than its role has messages, or all would stand in the opening.
    """
    plan: Plan = {(role, number): Placed() for role in (USER, ASSISTANT) for number in range(exchanges)}
    for telling in tellings:
        places = _places(telling, exchanges, plan, rng)
        for turn, (sentence, number) in enumerate(zip(telling.turns, places, strict=True)):
            placed = plan[telling.role, number]
            back = 0 < turn <= len(telling.again) and number > places[turn - 1] + 1
            placed.framed = placed.framed or back or (telling.framed and not turn)
            if back:
                placed.told.append(telling.again[turn - 1])
            placed.told.append(sentence)
            placed.subjects.append(telling.subject)
            if turn < len(telling.echoes) and (USER, number + 1) in plan:
                plan[USER, number + 1].echoes.append(telling.echoes[turn])
    return plan


def _places(telling: Telling, exchanges: int, plan: Plan, rng: Random) -> list[int]:
    """Between opening and ending as far as there is room, where least is told so far, by whomever."""
    wanted = len(telling.turns)
    candidates = list(range(1, exchanges - 1))
    more = [exchanges - 1, 0] if telling.role == USER else [0, exchanges - 1]
    while len(candidates) < wanted and more:
        candidates.append(more.pop(0))
    if len(candidates) < wanted or (telling.role == USER and candidates == [0]):
        raise ValueError(f"{wanted} sentences of one telling do not fit into {2 * exchanges} messages")
    rng.shuffle(candidates)
    candidates.sort(key=lambda number: sum(len(plan[role, number].told) for role in (USER, ASSISTANT)))
    return sorted(candidates[:wanted])

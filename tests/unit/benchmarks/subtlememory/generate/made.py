"""A catalogue of invented parts of life, and persons who live them."""

from __future__ import annotations

from functools import cache
from random import Random

from recollect.benchmarks.subtlememory.generate.cases.user import user_cases
from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    FLOWS,
    Condition,
    Exchange,
    Showing,
    Step,
    Thread,
    Topic,
    Trait,
    ValueWords,
)
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.plans import CasePlan
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import TYPES

_PARTS = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve")


def word(*parts: object) -> str:
    """A word that is nowhere else, the same for the same parts."""
    rng = Random(repr(parts))
    return "".join(rng.choice(_PARTS) for _ in range(rng.randint(3, 5)))


@cache
def topics(count: int = 24, traits: int = 3) -> tuple[Topic, ...]:
    """Topics with traits of four values each."""
    return tuple(_topic(place, traits) for place in range(count))


def planned(seed: int, persons: int = 1, **knobs: int | str) -> tuple[CasePlan, ...]:
    """Cases about users of the base size, of the invented catalogue."""
    settings = GenerationSettings(**knobs)  # type: ignore[arg-type]
    return tuple(
        case
        for persona in draw_personas(persons, seed)
        for case in user_cases(persona, settings, Random(f"{seed} {persona.persona_id}"), topics())
    )


def _topic(place: int, traits: int) -> Topic:
    return Topic(
        topic=f"Topic {place:02d}",
        domain="Lifestyle",
        threads=tuple(_thread(place, at) for at in range(5)),
        traits=tuple(_trait(place, at) for at in range(traits)),
    )


def moments(*parts: object, count: int = 3) -> tuple[Exchange, ...]:
    """Exchanges in which the user tells something."""
    return tuple(
        Exchange(user=f"And the {word(parts, at)} here? {{said}}", assistant=f"Near the {word('a', parts, at)}.")
        for at in range(count)
    )


def _type(place: int, at: int) -> str:
    return TYPES[(3 * place + at) % len(TYPES)]


def _thread(place: int, at: int) -> Thread:
    kind = _type(place, at)

    def said(*parts: object) -> str:
        return f"The {word(place, at, *parts)} is near."

    return Thread(
        conversation_type=kind,
        flow=FLOWS[kind][(place + at) % 3],
        opening=Exchange(user=said("o"), assistant=said("oa")),
        steps=tuple(
            Step(user=f"{said(step, 'u')} {{aside}}", aside=said(step, "aside"), assistant=said(step, "a"))
            for step in range(5)
        ),
        closing=Exchange(user=said("c"), assistant=said("ca")),
        task=f"{word('task', place, at)} and {word('more', place, at)}",
    )


def _trait(place: int, at: int) -> Trait:
    return Trait(
        name=f"trait {place} {at}",
        field=f"Field {place} {at}",
        wanted=f"one {word('w', place, at)} for the week",
        values=tuple(_value(place, at, number) for number in range(4)),
        conditions=tuple(
            Condition(
                said=f"on the days of {word('said', place, at, number)}",
                reason=f"It depends on the {word('why', place, at, number)} that there is.",
                fact=f"when {{name}} has {word('fact', place, at, number)}",
                asked=f"the {word('asked', place, at, number)} days",
            )
            for number in range(3)
        ),
        stretches=tuple(
            Condition(
                said=f"while there is {word('lasts', place, at, number)}",
                reason=f"There is {word('lasts', place, at, number)} with us.",
                fact=f"while {{name}} has {word('stretch', place, at, number)}",
                asked=f"the {word('past', place, at, number)} weeks",
            )
            for number in range(5)
        ),
    )


def _value(place: int, at: int, number: int) -> ValueWords:
    def made(kind: str, turn: int) -> str:
        return word(kind, place, at, number, turn)

    return ValueWords(
        value=f"{made('v', 0)} {made('v', 1)}",
        accepted=(made("acc", 0), made("acc", 1)),
        facts=tuple(f"{{name}} [keeps|holds] to {made('f', turn)}." for turn in range(3)),
        showings=tuple(_showing(place, at, number, turn) for turn in range(3)),
        held_out=tuple(_showing(place, at, number, turn) for turn in range(3, 5)),
        resources=tuple(f"{made('res', turn)} and {made('more', turn)} for all" for turn in range(4)),
    )


def _showing(place: int, at: int, number: int, turn: int) -> Showing:
    """In a thread that depends on the value, so that each has values that show in it."""

    def made(kind: str) -> str:
        return word(kind, place, at, number, turn)

    return Showing(
        thread=_type(place, (number + turn) % 5),
        usual="As a rule",
        before=f"About the {made('before')}.",
        shown=f"{{said}}, I {'carry' if turn < 3 else 'hide'} {made('shown')} along here.",
        more=f"It has {made('more')} in it.",
        after=f"Is that {made('after')}?",
        assistant=f"Near the {made('answer')}.",
    )

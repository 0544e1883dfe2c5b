"""What a question about a user asks for and offers, before it is worded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from recollect.benchmarks.subtlememory.generate.blind import BETWEEN, ONE_OF
from recollect.benchmarks.subtlememory.generate.catalogue import Condition, Trait, ValueWords
from recollect.benchmarks.subtlememory.generate.resources import names
from recollect.benchmarks.subtlememory.items import Asked
from recollect.worlds.patterns import draw

FORM, RESOURCES = "structured_form", "resource_arrangement"
OPTIONS = 4
"""Choices of a field, and resources of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What a question is after."""

    traits: tuple[Trait, ...]
    right: tuple[ValueWords, ...]
    """One for each trait; the two sides of a conflict."""
    rivals: tuple[ValueWords, ...] = ()
    """Values of the same trait that hold under other conditions."""
    condition: Condition | None = None
    lasting: bool = False
    """The condition is a stretch of time."""
    conflict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A resource of the list, or a choice of the field."""

    name: str
    values: tuple[ValueWords, ...]
    """Of each trait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question whose wording is open."""

    aim: Aim
    asked: Asked
    offers: tuple[Offer, ...]
    """Resources, or choices of a form's only field; in the order in which they are listed."""


def draft(form: str, aim: Aim, rng: Random) -> Draft:
    """A question of one of the two forms; what can be chosen comes in seeded order."""
    return _form(aim, rng) if form == FORM else _resources(aim, rng)


def _form(aim: Aim, rng: Random) -> Draft:
    choices = [_choices(trait, aim, rng) for trait in aim.traits]
    kept = {value.value for value in aim.right}
    asked = Asked(
        form=FORM,
        chance=0.0 if aim.conflict else prod(1 / len(each) for each in choices),
        template={
            trait.field: ONE_OF + BETWEEN.join(value.value for value in each)
            for trait, each in zip(aim.traits, choices, strict=True)
        },
        fields={
            (value.value if aim.conflict else trait.field): (value.value, *value.accepted)
            for trait, value in zip(_of_each(aim), aim.right, strict=True)
        },
        others=tuple(value.value for each in choices for value in each if value.value not in kept),
    )
    single = choices[0] if len(choices) == 1 else ()
    return Draft(aim=aim, asked=asked, offers=tuple(Offer(name=value.value, values=(value,)) for value in single))


def _of_each(aim: Aim) -> tuple[Trait, ...]:
    """The trait of each right value."""
    return aim.traits * len(aim.right) if aim.conflict else aim.traits


def _choices(trait: Trait, aim: Aim, rng: Random) -> list[ValueWords]:
    """Values of one trait: all that the question is about, filled up to the usual number, in seeded order."""
    needed = [value for value in trait.values if value in aim.right or value in aim.rivals]
    free = [value for value in trait.values if value not in needed]
    chosen = [*needed, *rng.sample(free, min(len(free), max(OPTIONS - len(needed), 0)))]
    return rng.sample(chosen, len(chosen))


def _resources(aim: Aim, rng: Random) -> Draft:
    sets = _pairs(aim, rng) if len(aim.traits) > 1 else [(value,) for value in _choices(aim.traits[0], aim, rng)]
    told = _told(sets, rng)
    offers = tuple(Offer(name=name, values=values) for name, values in zip(names(told, rng), sets, strict=True))
    right = [one for one in offers if _suits(one, aim)]
    asked = Asked(
        form=RESOURCES,
        chance=0.0 if aim.conflict else 1 / len(offers),
        options=tuple(one.name for one in offers),
        described=dict(zip((one.name for one in offers), told, strict=True)),
        fields={(one.name if aim.conflict else "choice"): (one.name,) for one in right},
        others=tuple(one.name for one in offers if one not in right),
    )
    return Draft(aim=aim, asked=asked, offers=offers)


def _suits(offer: Offer, aim: Aim) -> bool:
    return offer.values[0] in aim.right if aim.conflict else offer.values == aim.right


def _pairs(aim: Aim, rng: Random) -> list[tuple[ValueWords, ...]]:
    """Both right, either wrong, both wrong: each value twice, so that nothing stands out."""
    wrong = tuple(
        rng.choice([value for value in trait.values if value != right])
        for trait, right in zip(aim.traits, aim.right, strict=True)
    )
    sets = [(one, other) for one in (aim.right[0], wrong[0]) for other in (aim.right[1], wrong[1])]
    return rng.sample(sets, len(sets))


def _told(sets: Sequence[tuple[ValueWords, ...]], rng: Random) -> list[str]:
    """A description of each; a value that comes twice is described in two ways."""
    left: dict[str, list[str]] = {}
    told = []
    for values in sets:
        parts = []
        for value in values:
            if not left.get(value.value):
                left[value.value] = rng.sample(value.resources, len(value.resources))
            parts.append(draw(left[value.value].pop(), rng))
        told.append("; ".join(parts))
    return told

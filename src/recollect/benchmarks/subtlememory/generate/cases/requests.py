"""Questions about a user: choices, wording, right and wrong answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from recollect.benchmarks.subtlememory.generate.blind import BETWEEN, ONE_OF
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Condition, Trait, ValueWords
from recollect.benchmarks.subtlememory.generate.catalogue.words import case_words, user_words
from recollect.benchmarks.subtlememory.items import Asked, Qa
from recollect.worlds.patterns import draw, listed

FORM, RESOURCES = "structured_form", "resource_arrangement"
OPTIONS = 4
"""Choices of a field, and resources of a list."""
Three = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Target of a question."""

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
    """A question before it is worded."""

    aim: Aim
    asked: Asked
    offers: tuple[Offer, ...]
    """Resources, or choices of a form's only field; in the order in which they are listed."""


def draft(form: str, aim: Aim, rng: Random) -> Draft:
    """A question of one of the two forms, with its choices in random order."""
    return _form(aim, rng) if form == FORM else _resources(aim, rng)


def _form(aim: Aim, rng: Random) -> Draft:
    choices = [_choices(trait, aim, rng) for trait in aim.traits]
    kept = {value.value for value in aim.right}
    if aim.conflict:
        fields = {value.value: value for value in aim.right}
    else:
        fields = {trait.field: value for trait, value in zip(aim.traits, aim.right, strict=True)}
    asked = Asked(
        form=FORM,
        chance=0.0 if aim.conflict else prod(1 / len(each) for each in choices),
        template={
            trait.field: ONE_OF + BETWEEN.join(value.value for value in each)
            for trait, each in zip(aim.traits, choices, strict=True)
        },
        fields={name: (value.value, *value.accepted) for name, value in fields.items()},
        others=tuple(value.value for each in choices for value in each if value.value not in kept),
    )
    single = choices[0] if len(choices) == 1 else ()
    return Draft(aim=aim, asked=asked, offers=tuple(Offer(name=value.value, values=(value,)) for value in single))


def _choices(trait: Trait, aim: Aim, rng: Random) -> list[ValueWords]:
    """Values of a trait in random order: all that the question is about, filled up to the usual number."""
    needed = [value for value in trait.values if value in aim.right or value in aim.rivals]
    free = [value for value in trait.values if value not in needed]
    chosen = [*needed, *rng.sample(free, min(len(free), max(OPTIONS - len(needed), 0)))]
    return rng.sample(chosen, len(chosen))


def _resources(aim: Aim, rng: Random) -> Draft:
    sets: list[tuple[ValueWords, ...]] = []
    if len(aim.traits) > 1:
        # both right, either wrong, both wrong: each value twice, so that nothing stands out
        wrong = [
            rng.choice([value for value in trait.values if value != right])
            for trait, right in zip(aim.traits, aim.right, strict=True)
        ]
        sets = [(one, other) for one in (aim.right[0], wrong[0]) for other in (aim.right[1], wrong[1])]
        sets = rng.sample(sets, len(sets))
    else:
        sets = [(value,) for value in _choices(aim.traits[0], aim, rng)]
    texts = _descriptions(sets, rng)
    names = _names(texts, rng)
    offers = [Offer(name=name, values=values) for name, values in zip(names, sets, strict=True)]
    right = [one for one in offers if (one.values[0] in aim.right if aim.conflict else one.values == aim.right)]
    asked = Asked(
        form=RESOURCES,
        chance=0.0 if aim.conflict else 1 / len(offers),
        options=names,
        described=dict(zip(names, texts, strict=True)),
        fields={(one.name if aim.conflict else "choice"): (one.name,) for one in right},
        others=tuple(one.name for one in offers if one not in right),
    )
    return Draft(aim=aim, asked=asked, offers=tuple(offers))


def _descriptions(sets: Sequence[tuple[ValueWords, ...]], rng: Random) -> list[str]:
    """A description of each; a value that comes twice is described in two ways."""
    left: dict[str, list[str]] = {}
    texts: list[str] = []
    for values in sets:
        parts = []
        for value in values:
            if not left.get(value.value):
                left[value.value] = rng.sample(value.resources, len(value.resources))
            parts.append(draw(left[value.value].pop(), rng))
        texts.append("; ".join(parts))
    return texts


def _names(texts: Sequence[str], rng: Random) -> tuple[str, ...]:
    """A name of two words for each description, no word twice and none that a description contains."""
    words, text = user_words(), " ".join(texts).casefold()
    first, second = (
        rng.sample([word for word in options if word.casefold() not in text], len(texts))
        for options in (words.first_words, words.second_words)
    )
    return tuple(map(" ".join, zip(first, second, strict=True)))


def worded(draft: Draft, rng: Random) -> str:
    """The whole request; it can be understood alone, but not answered without knowing the user."""
    words, aim, asked = user_words(), draft.aim, draft.asked
    if asked.form == FORM:
        slots = _slots(aim, rng)
        goal = draw(rng.choice(words.form_then if aim.lasting else words.form), rng, slots)
        if aim.condition is not None and not aim.lasting:
            goal = f"{goal} {draw(rng.choice(words.form_when), rng, slots)}"
        lines = (f"- {field}: {choices}" for field, choices in asked.template.items())
        return "\n".join((f"{goal} {draw(rng.choice(words.fields), rng)}", *lines))
    patterns = words.choose if aim.condition is None else words.choose_then if aim.lasting else words.choose_when
    goal = draw(rng.choice(patterns), rng, _slots(aim, rng))
    lead = draw(rng.choice(words.offers), rng)
    lines = (f"- {name}: {asked.described[name]}" for name in asked.options)
    return "\n".join((f"{goal} {lead}", *lines, draw(rng.choice(words.name_one), rng)))


def _slots(aim: Aim, rng: Random) -> dict[str, str]:
    wishes = [draw(trait.wanted, rng) for trait in aim.traits]
    wanted = listed(wishes)
    if len(wishes) == 2:
        wanted = draw(rng.choice(user_words().together), rng, {"first": wishes[0], "second": wishes[1]})
    return {"wanted": wanted, **({"asked": draw(aim.condition.asked, rng)} if aim.condition else {})}


def asked_and_answered(draft: Draft, name: str, rng: Random) -> Qa:
    """A question in words with both sides of answers; *name* is the user's, as facts say it."""
    return Qa(
        query=worded(draft, rng),
        correct_answers=correct_answers(draft, name, rng),
        incorrect_answers=incorrect_answers(draft, rng),
        asked=draft.asked,
    )


def correct_answers(draft: Draft, name: str, rng: Random) -> Three:
    """Short, as a sentence, and with the reason; of a conflict three ways to leave it open."""
    words, aim = user_words(), draft.aim
    if aim.conflict:
        first, second = (accepted[0] for accepted in draft.asked.fields.values())
        one, two, three = (draw(pattern, rng, {"first": first, "second": second}) for pattern in words.open)
        return _filled(draft, (one,)), two, three
    reasons = " ".join(draw(rng.choice(value.facts), rng, {"name": name}) for value in aim.right)
    separator = "\n" if draft.asked.form == FORM else " "
    reasoned = f"{_said(draft, aim.right)}{separator}{reasons}"
    return _short(draft, aim.right), _sentence(draft, aim.right, rng), reasoned


def incorrect_answers(draft: Draft, rng: Random) -> Three:
    """One value wrong of several, another value, that of another condition; of a conflict a silent choice."""
    words, aim = user_words(), draft.aim
    if aim.conflict:
        first, second = (accepted[0] for accepted in draft.asked.fields.values())
        nothing = draw(rng.choice(words.nothing), rng)
        return _filled(draft, (first,)), draw(rng.choice(words.take), rng, {"name": second}), nothing
    if len(aim.traits) == 1:
        # values that hold under other conditions first
        offered = [one.values for one in draft.offers if one.values != aim.right]
        sets = sorted(offered, key=lambda values: values[0] not in aim.rivals)
    else:
        # one value wrong at a time, then all
        wrong = _wrong(draft, rng)
        places = range(len(aim.right))
        sets = [(*aim.right[:place], wrong[place], *aim.right[place + 1 :]) for place in places] + [wrong]
    one, two, three = sets[:3]
    return _short(draft, one), _sentence(draft, two, rng), _said(draft, three)


def _wrong(draft: Draft, rng: Random) -> tuple[ValueWords, ...]:
    """A wrong value of each trait, from the offers if there are any."""
    found: list[ValueWords] = []
    for place, (trait, right) in enumerate(zip(draft.aim.traits, draft.aim.right, strict=True)):
        if draft.offers:
            found.append(next(one.values[place] for one in draft.offers if one.values[place] != right))
        else:
            others = draft.asked.others
            found.append(rng.choice([value for value in trait.values if value != right and value.value in others]))
    return tuple(found)


def _short(draft: Draft, values: Sequence[ValueWords]) -> str:
    """The answer alone: the name, or the filled form."""
    if draft.asked.form == FORM:
        return _filled(draft, [value.value for value in values])
    return _offer(draft, values).name


def _filled(draft: Draft, texts: Sequence[str]) -> str:
    """The form as JSON; the text itself if no form is asked for."""
    if draft.asked.form != FORM:
        return texts[0]
    fields = (trait.field for trait in draft.aim.traits)
    return json.dumps(dict(zip(fields, texts, strict=True)), ensure_ascii=False)


def _said(draft: Draft, values: Sequence[ValueWords]) -> str:
    if draft.asked.form == FORM:
        return "\n".join(f"{trait.field}: {value.value}" for trait, value in zip(draft.aim.traits, values, strict=True))
    return f"{_offer(draft, values).name}."


def _sentence(draft: Draft, values: Sequence[ValueWords], rng: Random) -> str:
    if draft.asked.form == FORM:
        return f"{rng.choice(case_words().filled)}\n{_said(draft, values)}"
    return draw(rng.choice(user_words().take), rng, {"name": _offer(draft, values).name})


def _offer(draft: Draft, values: Sequence[ValueWords]) -> Offer:
    return next(one for one in draft.offers if one.values == tuple(values))

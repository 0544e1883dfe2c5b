"""Answers that are right, and answers that go wrong in the way of their relation; three of each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import ValueWords
from recollect.benchmarks.subtlememory.generate.drafts import FORM, Aim, Draft, Offer
from recollect.benchmarks.subtlememory.generate.user_words import user_words
from recollect.worlds.patterns import draw

Three = tuple[str, str, str]
_FILLED = ("Filled in:", "I would fill it in so:", "The form then reads:")


def correct_answers(draft: Draft, name: str, rng: Random) -> Three:
    """Short, as a sentence, and with the reason; of a conflict three ways to leave it open.

    Args:
        draft: The question.
        name: Of the user, as facts say it.
        rng: Draws the wording.
    """
    words, aim = user_words(), draft.aim
    if aim.conflict:
        first, second = (said[0] for said in draft.asked.fields.values())
        one, two, three = (draw(pattern, rng, {"first": first, "second": second}) for pattern in words.open)
        return _filled(draft, (one,)), two, three
    reasons = " ".join(draw(rng.choice(value.facts), rng, {"name": name}) for value in aim.right)
    return _short(draft, aim.right), _sentence(draft, aim.right, rng), _joined(draft, _said(draft, aim.right), reasons)


def incorrect_answers(draft: Draft, rng: Random) -> Three:
    """One value wrong of several, another value, that of another condition; of a conflict a silent choice.

    Args:
        draft: The question.
        rng: Draws the wording.
    """
    words, aim = user_words(), draft.aim
    if aim.conflict:
        first, second = (said[0] for said in draft.asked.fields.values())
        nothing = draw(rng.choice(words.nothing), rng)
        return _filled(draft, (first,)), draw(rng.choice(words.take), rng, {"name": second}), nothing
    one, two, three = _wrong(draft, rng)
    return _short(draft, one), _sentence(draft, two, rng), _said(draft, three)


def _joined(draft: Draft, said: str, reasons: str) -> str:
    return f"{said}\n{reasons}" if draft.asked.form == FORM else f"{said} {reasons}"


def _short(draft: Draft, values: Sequence[ValueWords]) -> str:
    """As the request wants it: the name, or the filled form."""
    if draft.asked.form == FORM:
        return _filled(draft, [value.value for value in values])
    return _offer(draft, values).name


def _filled(draft: Draft, texts: Sequence[str]) -> str:
    """The form as JSON; where no form is asked for, the text itself."""
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
        return f"{rng.choice(_FILLED)}\n{_said(draft, values)}"
    return draw(rng.choice(user_words().take), rng, {"name": _offer(draft, values).name})


def _offer(draft: Draft, values: Sequence[ValueWords]) -> Offer:
    return next(one for one in draft.offers if one.values == tuple(values))


def _wrong(draft: Draft, rng: Random) -> list[tuple[ValueWords, ...]]:
    """Three sets of values; those that hold under other conditions first."""
    aim = draft.aim
    if len(aim.traits) > 1:
        return _partly_wrong(draft, rng)
    offered = [one.values for one in draft.offers if one.values != aim.right]
    return sorted(offered, key=lambda values: values[0] not in aim.rivals)[:3]


def _partly_wrong(draft: Draft, rng: Random) -> list[tuple[ValueWords, ...]]:
    """One value wrong at a time, then all."""
    aim = draft.aim
    wrong = _others(draft, rng)
    sets = [
        tuple(wrong[at] if at == place else value for at, value in enumerate(aim.right))
        for place in range(len(aim.right))
    ]
    return [*sets, wrong][:3]


def _others(draft: Draft, rng: Random) -> tuple[ValueWords, ...]:
    """A wrong value of each trait: that of the offers, where there are such."""
    aim: Aim = draft.aim
    return tuple(
        next(one.values[place] for one in draft.offers if one.values[place] != right)
        if draft.offers
        else rng.choice([value for value in trait.values if value != right and value.value in draft.asked.others])
        for place, (trait, right) in enumerate(zip(aim.traits, aim.right, strict=True))
    )

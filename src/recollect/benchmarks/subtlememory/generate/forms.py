"""Requests of a user in their own words: what for, what there is to choose from, what to hand back."""

from __future__ import annotations

from random import Random

from recollect.benchmarks.subtlememory.generate.drafts import FORM, Aim, Draft
from recollect.benchmarks.subtlememory.generate.user_words import user_words
from recollect.worlds.patterns import draw


def query(draft: Draft, rng: Random) -> str:
    """The whole request; it can be understood alone, and not be answered without knowing the user."""
    return _form(draft, rng) if draft.asked.form == FORM else _resources(draft, rng)


def _form(draft: Draft, rng: Random) -> str:
    words, aim = user_words(), draft.aim
    slots = _slots(aim, rng)
    goal = draw(rng.choice(words.form_then if aim.lasting else words.form), rng, slots)
    if aim.condition is not None and not aim.lasting:
        goal = f"{goal} {draw(rng.choice(words.form_when), rng, slots)}"
    lines = (f"- {field}: {choices}" for field, choices in draft.asked.template.items())
    return "\n".join((f"{goal} {draw(rng.choice(words.fields), rng)}", *lines))


def _resources(draft: Draft, rng: Random) -> str:
    words, aim = user_words(), draft.aim
    patterns = words.choose if aim.condition is None else words.choose_then if aim.lasting else words.choose_when
    goal = draw(rng.choice(patterns), rng, _slots(aim, rng))
    lines = (f"- {name}: {draft.asked.described[name]}" for name in draft.asked.options)
    lead = draw(rng.choice(words.offers), rng)
    return "\n".join((f"{goal} {lead}", *lines, draw(rng.choice(words.name_one), rng)))


def _slots(aim: Aim, rng: Random) -> dict[str, str]:
    wanted = {"wanted": _wanted(aim, rng)}
    return wanted if aim.condition is None else {**wanted, "asked": draw(aim.condition.asked, rng)}


def _wanted(aim: Aim, rng: Random) -> str:
    wishes = [draw(trait.wanted, rng) for trait in aim.traits]
    if len(wishes) == 1:
        return wishes[0]
    if len(wishes) == 2:
        return draw(rng.choice(user_words().together), rng, {"first": wishes[0], "second": wishes[1]})
    return f"{', '.join(wishes[:-1])} and {wishes[-1]}"

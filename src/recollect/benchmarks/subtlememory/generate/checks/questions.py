"""What every question must keep: choices that differ, a gold among them, and two sides that never meet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import isclose, prod

from recollect.benchmarks.subtlememory.generate.blind import choices
from recollect.benchmarks.subtlememory.generate.checks.sessions import Breach
from recollect.benchmarks.subtlememory.items import Asked, Qa
from recollect.text.normal import normalise

ANSWERS = 3
"""Answers on each side of a generated question."""


def question_problems(qa: Qa, *, generated: bool = True) -> tuple[Breach, ...]:
    """Every rule that a question breaks.

    Args:
        qa: The question with both sides of answers.
        generated: Whether each side must hold three; published sides may hold any number but none.
    """
    found = [*_of_sides(qa, generated=generated)]
    if qa.asked is not None:
        found += [*_of_options(qa, qa.asked), *_of_gold(qa, qa.asked), *_of_chance(qa.asked)]
    return tuple(found)


def _of_sides(qa: Qa, *, generated: bool) -> Iterator[Breach]:
    sides = {"correct": qa.correct_answers, "incorrect": qa.incorrect_answers}
    keys = {name: [normalise(one) for one in answers] for name, answers in sides.items()}
    for name, answers in keys.items():
        if not answers or not all(answers):
            yield Breach(rule="sides", what=f"{name} answers are empty")
        if len(set(answers)) < len(answers):
            yield Breach(rule="sides", what=f"{name} answers repeat one another")
        if generated and len(answers) != ANSWERS:
            yield Breach(rule="sides", what=f"{len(answers)} {name} answers, not {ANSWERS}")
    for both in sorted(set(keys["correct"]) & set(keys["incorrect"])):
        yield Breach(rule="sides", what=f"right and wrong at once: {both}")


def _of_options(qa: Qa, asked: Asked) -> Iterator[Breach]:
    offered = {"": asked.options, **{field: choices(given) for field, given in asked.template.items()}}
    for field, listed in offered.items():
        keys = [normalise(one) for one in listed]
        if len(set(keys)) < len(keys):
            yield Breach(rule="options", what=f"{field or 'the list'} offers one thing twice: {', '.join(listed)}")
        for missing in (one for one in listed if one not in qa.query):
            yield Breach(rule="options", what=f"`{missing}` is not in the question")
    described = [normalise(asked.described.get(option, "")) for option in asked.options]
    if asked.options and (len(set(described)) < len(described) or not all(described)):
        yield Breach(rule="options", what="two options are described alike, or one is not")
    if any(qa.query.count(f"{option}:") > 1 for option in asked.options):
        yield Breach(rule="options", what="an option is listed twice in the question")


def _of_gold(qa: Qa, asked: Asked) -> Iterator[Breach]:
    if not asked.fields:
        yield Breach(rule="gold", what="no accepted value")
    for field, accepted in asked.fields.items():
        offered = _offered(field, asked)
        if offered and not {normalise(one) for one in accepted} & {normalise(one) for one in offered}:
            yield Breach(rule="gold", what=f"`{field}` accepts none of {', '.join(offered)}")
    accepted_of = [{normalise(one) for one in accepted} for accepted in asked.fields.values()]
    for other in asked.others:
        if any(normalise(other) in accepted for accepted in accepted_of):
            yield Breach(rule="gold", what=f"`{other}` is accepted and rejected")
    for answer in qa.correct_answers:
        if missing := [field for field, given in asked.fields.items() if not _names(answer, given)]:
            yield Breach(rule="answers", what=f"a correct answer lacks {', '.join(missing)}: {answer}")
    for answer in qa.incorrect_answers:
        others = [one for one in asked.others if _names(answer, (one,))]
        if asked.fields and not others and all(_names(answer, given) for given in asked.fields.values()):
            yield Breach(rule="answers", what=f"an incorrect answer names all that is right: {answer}")


def _offered(field: str, asked: Asked) -> Sequence[str]:
    """What may be chosen for a field: its own choices, else those of the only field, else the options."""
    if field in asked.template:
        return choices(asked.template[field])
    if len(asked.template) == 1:
        return choices(next(iter(asked.template.values())))
    return asked.options


def _of_chance(asked: Asked) -> Iterator[Breach]:
    """Of a guess among what is offered; of a conflict none."""
    conflict = len(asked.fields) > 1 and not set(asked.fields) <= set(asked.template)
    sizes = [len(choices(given)) for given in asked.template.values()] or [len(asked.options)] * bool(asked.options)
    if not sizes:
        return
    wanted = 0.0 if conflict else prod(1 / size for size in sizes if size)
    if not isclose(asked.chance, wanted):
        yield Breach(rule="chance", what=f"{asked.chance}, where {wanted} is offered")


def _names(answer: str, accepted: Sequence[str]) -> bool:
    """Whether an answer names one of the accepted wordings, also as a value of JSON."""
    text = f" {normalise(_plain(answer))} "
    return any(f" {normalise(one)} " in text for one in accepted)


def _plain(answer: str) -> str:
    try:
        given = json.loads(answer)
    except ValueError:
        return answer
    return " ; ".join(map(str, given.values())) if isinstance(given, dict) else answer

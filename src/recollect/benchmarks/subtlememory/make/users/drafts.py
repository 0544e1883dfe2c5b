"""Requests as they will be asked: the reply, its choices in seeded order, and the right choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.generate.blind import BETWEEN, ONE_OF
from recollect.benchmarks.subtlememory.generate.cases.requests import FORM, RESOURCES
from recollect.benchmarks.subtlememory.items import Asked, Qa

CHOICE = "choice"
"""The one thing that a list of resources asks for."""
CONTRADICTORY = "contradictory"
FORMS = (FORM, RESOURCES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request without its answers."""

    form: str
    request: str
    resources: Mapping[str, str]
    """Name -> description, in the order in which they are listed."""
    fields: Mapping[str, tuple[str, ...]]
    """Field of a form -> its choices."""

    @property
    def query(self) -> str:
        """The request as it is asked."""
        listed = self.resources if self.form == RESOURCES else self.template
        return "\n".join((self.request, *(f"- {name}: {text}" for name, text in listed.items())))

    @property
    def template(self) -> dict[str, str]:
        """Field -> its permitted values, as text."""
        return {name: ONE_OF + BETWEEN.join(choices) for name, choices in self.fields.items()}

    @property
    def offered(self) -> tuple[str, ...]:
        """Everything that can be chosen."""
        if self.form == RESOURCES:
            return tuple(self.resources)
        return tuple(choice for choices in self.fields.values() for choice in choices)


def draft_of(reply: Mapping[str, Any], rng: Random | None = None) -> Draft:
    """The request in a reply; with *rng* in random order, since models tend to list the right choice in one place."""
    resources = {one["name"]: one["description"] for one in reply["resources"]}
    fields = {one["field"]: one["choices"] for one in reply["fields"]}
    if rng is not None:
        resources = {name: resources[name] for name in rng.sample(list(resources), len(resources))}
        fields = {name: rng.sample(choices, len(choices)) for name, choices in fields.items()}
    return Draft(
        form=reply["task_form"],
        request=reply["request"],
        resources=resources,
        fields={name: tuple(choices) for name, choices in fields.items()},
    )


def as_json(draft: Draft) -> dict[str, Any]:
    """A draft as the checks see it; the inverse of `draft_of`."""
    return {
        "task_form": draft.form,
        "request": draft.request,
        "resources": [{"name": name, "description": text} for name, text in draft.resources.items()],
        "fields": [{"field": name, "choices": list(choices)} for name, choices in draft.fields.items()],
    }


def misplaced(draft: Draft, right: Sequence[str], subtype: str) -> Iterator[str]:
    """Problems of *right*: choices that are not offered, or not as many as are asked for."""
    conflict = subtype == CONTRADICTORY
    if conflict or draft.form == RESOURCES:
        wanted = 2 if conflict else 1
        if len(right) != wanted or len(set(right)) < len(right):
            yield f"{len(set(right))} choices are `right`, and {wanted} are asked for"
        yield from (f"`{one}` is `right`, and is not offered" for one in right if one not in draft.offered)
        return
    if len(right) != len(draft.fields):
        yield f"{len(right)} choices are `right`, one for each of {len(draft.fields)} fields is asked for"
        return
    for (name, choices), one in zip(draft.fields.items(), right, strict=True):
        if one not in choices:
            yield f"`{one}` is `right`, and is no choice of `{name}`"


def qa_of(draft: Draft, answers: Mapping[str, Any], subtype: str) -> Qa:
    """The question with its right and wrong answers; *answers* must have passed `misplaced`."""
    right, conflict = answers["right"], subtype == CONTRADICTORY
    if draft.form == RESOURCES:
        names, sizes = [CHOICE], [len(draft.resources)]
    else:
        names, sizes = list(draft.fields), [len(choices) for choices in draft.fields.values()]
    return Qa(
        query=draft.query,
        correct_answers=tuple(answers["correct_answers"]),
        incorrect_answers=tuple(answers["incorrect_answers"]),
        asked=Asked(
            form=draft.form,
            # a single guess never names both sides of a conflict
            chance=0.0 if conflict else prod(1 / size for size in sizes),
            options=tuple(draft.resources),
            described=dict(draft.resources),
            template=draft.template,
            fields={name: (choice,) for name, choice in zip(right if conflict else names, right, strict=True)},
            others=tuple(choice for choice in draft.offered if choice not in right),
        ),
    )

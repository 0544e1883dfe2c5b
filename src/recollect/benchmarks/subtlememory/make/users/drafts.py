"""Requests as they will be asked: what the model wrote, what can be chosen in seeded order, and what is right."""

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
        if self.form == RESOURCES:
            return "\n".join((self.request, *(f"- {name}: {told}" for name, told in self.resources.items())))
        return "\n".join((self.request, *(f"- {name}: {told}" for name, told in self.template.items())))

    @property
    def template(self) -> dict[str, str]:
        """Field -> what may stand there."""
        return {name: ONE_OF + BETWEEN.join(choices) for name, choices in self.fields.items()}

    @property
    def offered(self) -> tuple[str, ...]:
        """Everything that can be chosen."""
        if self.form == RESOURCES:
            return tuple(self.resources)
        return tuple(choice for choices in self.fields.values() for choice in choices)


def draft_of(said: Mapping[str, Any], rng: Random) -> Draft:
    """The request that a reply says; models tend to list what is right at one place, so the order is drawn."""
    resources = {one["name"]: one["description"] for one in said["resources"]}
    fields = {one["field"]: one["choices"] for one in said["fields"]}
    return Draft(
        form=said["task_form"],
        request=said["request"],
        resources={name: resources[name] for name in rng.sample(list(resources), len(resources))},
        fields={name: tuple(rng.sample(choices, len(choices))) for name, choices in fields.items()},
    )


def as_said(draft: Draft) -> dict[str, Any]:
    """A draft as JSON, for what checks see."""
    return {
        "task_form": draft.form,
        "request": draft.request,
        "resources": [{"name": name, "description": told} for name, told in draft.resources.items()],
        "fields": [{"field": name, "choices": list(choices)} for name, choices in draft.fields.items()],
    }


def as_listed(said: Mapping[str, Any]) -> Draft:
    """The draft that `as_said` gave, in its order."""
    return Draft(
        form=said["task_form"],
        request=said["request"],
        resources={one["name"]: one["description"] for one in said["resources"]},
        fields={one["field"]: tuple(one["choices"]) for one in said["fields"]},
    )


def misplaced(draft: Draft, right: Sequence[str], subtype: str) -> Iterator[str]:
    """What of *right* is not offered, or is not as much as is asked for."""
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
    """The question with what is right and wrong; *answers* were found to be offered before."""
    right = answers["right"]
    return Qa(
        query=draft.query,
        correct_answers=tuple(answers["correct_answers"]),
        incorrect_answers=tuple(answers["incorrect_answers"]),
        asked=Asked(
            form=draft.form,
            chance=_chance(draft, subtype),
            options=tuple(draft.resources),
            described=dict(draft.resources),
            template=draft.template,
            fields=_fields(draft, right, subtype),
            others=tuple(one for one in draft.offered if one not in right),
        ),
    )


def _fields(draft: Draft, right: Sequence[str], subtype: str) -> dict[str, tuple[str, ...]]:
    """Accepted values: of each field, of the list, or of the two sides of a conflict."""
    if subtype == CONTRADICTORY:
        return {one: (one,) for one in right}
    names = [CHOICE] if draft.form == RESOURCES else list(draft.fields)
    return {name: (one,) for name, one in zip(names, right, strict=True)}


def _chance(draft: Draft, subtype: str) -> float:
    """Of a guess among what is offered; one answer never names both sides of a conflict."""
    if subtype == CONTRADICTORY:
        return 0.0
    sizes = [len(draft.resources)] if draft.form == RESOURCES else [len(each) for each in draft.fields.values()]
    return prod(1 / size for size in sizes)

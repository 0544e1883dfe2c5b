"""The questions of a user, with their variables and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import AdviceQuestion, LifeDomain, VariableWords
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings

RIVALS = (
    frozenset({"commuting", "remote_work_setup"}),
    frozenset({"job_search", "freelance_business", "team_leadership"}),
    frozenset({"home_renovation", "moving_house"}),
)
"""Domains that exclude each other: nobody commutes daily and works from home."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LifePlan:
    """What one user's life is about."""

    questions: tuple[AdviceQuestion, ...]
    variables: Mapping[str, VariableWords]
    """Name -> the variable with the values of this life."""
    domain_of: Mapping[str, LifeDomain]

    @property
    def schema(self) -> dict[str, tuple[str, ...]]:
        """Variable -> its values."""
        return {name: tuple(value.value for value in one.values) for name, one in self.variables.items()}


def draw_plan(domains: Sequence[LifeDomain], settings: GenerationSettings, rng: Random) -> LifePlan:
    """Questions of different domains, in seeded order; some domains give two that share a variable.

    Raises:
        ValueError: The catalogue has too few domains for so many questions.
    """
    size = settings.num_states_per_question
    fitting = {one.domain: [question for question in one.questions if len(question.needs) == size] for one in domains}
    usable = [one for one in domains if fitting[one.domain]]
    chosen: list[LifeDomain] = []
    for domain in rng.sample(usable, len(usable)):
        rivals = {name for group in RIVALS if domain.domain in group for name in group}
        if rivals.isdisjoint(earlier.domain for earlier in chosen):
            chosen.append(domain)
    chosen = chosen[: max(settings.num_questions - settings.num_shared_domains, 1)]
    found = [(one, fitting[one.domain][turn]) for turn in range(2) for one in chosen if turn < len(fitting[one.domain])]
    if len(found) < settings.num_questions:
        raise ValueError(
            f"num_questions is {settings.num_questions}, but {len(usable)} domains of the catalogue give "
            f"{len(found)} questions of {size} variables; ask for fewer"
        )
    asked = found[: settings.num_questions]
    rng.shuffle(asked)
    return _plan(asked, settings.num_choices_per_state, rng)


def _plan(asked: Sequence[tuple[LifeDomain, AdviceQuestion]], choices: int, rng: Random) -> LifePlan:
    """The questions, and their variables with *choices* values each: neighbours where they have an order."""
    variables: dict[str, VariableWords] = {}
    domain_of: dict[str, LifeDomain] = {}
    for domain, question in asked:
        words = {one.name: one for one in domain.variables}
        for name in question.needs:
            if name in variables:
                continue
            variable = words[name]
            indices = range(len(variable.values))
            if len(indices) > choices:
                start = rng.randrange(len(indices) - choices + 1)
                ordinal = variable.kind == "ordinal"
                kept = indices[start : start + choices] if ordinal else sorted(rng.sample(indices, choices))
                variable = replace(variable, values=tuple(variable.values[index] for index in kept))
            variables[name], domain_of[name] = variable, domain
    return LifePlan(questions=tuple(question for _, question in asked), variables=variables, domain_of=domain_of)

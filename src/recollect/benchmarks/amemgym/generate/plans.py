"""Which questions a user is asked, and the variables and values that they bring with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import AdviceQuestion, LifeDomain, VariableWords
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings

RIVALS = (
    frozenset({"commuting", "remote_work_setup"}),
    frozenset({"job_search", "freelance_business", "team_leadership"}),
    frozenset({"home_renovation", "moving_house"}),
)
"""Domains of which one life has one: nobody travels to work daily and works from the kitchen table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LifePlan:
    """What one user's life is about."""

    questions: tuple[AdviceQuestion, ...]
    variables: Mapping[str, VariableWords]
    """Name -> the variable with the values that it may take here."""
    domain_of: Mapping[str, LifeDomain]
    """Variable -> where it comes from."""

    @property
    def schema(self) -> dict[str, tuple[str, ...]]:
        """Variable -> its values, as a system that knows the schema is told."""
        return {name: tuple(value.value for value in one.values) for name, one in self.variables.items()}


def draw_plan(domains: Sequence[LifeDomain], settings: GenerationSettings, rng: Random) -> LifePlan:
    """Questions of different domains, in seeded order; some domains give two that share a variable.

    Raises:
        ValueError: The catalogue has too few domains for so many questions.
    """
    fitting = {one.domain: _fitting(one, settings) for one in domains}
    usable = [one for one in domains if fitting[one.domain]]
    wanted = max(settings.num_questions - settings.num_shared_domains, 1)
    chosen = _compatible(rng.sample(usable, len(usable)))[:wanted]
    places = [(one, place) for place in range(2) for one in chosen if place < len(fitting[one.domain])]
    if len(places) < settings.num_questions:
        raise ValueError(
            f"num_questions is {settings.num_questions}, but {len(usable)} domains of the catalogue give "
            f"{len(places)} questions of {settings.num_states_per_question} variables; ask for fewer"
        )
    asked = [(one, fitting[one.domain][place]) for one, place in places[: settings.num_questions]]
    rng.shuffle(asked)
    return _plan(asked, settings, rng)


def _compatible(domains: Sequence[LifeDomain]) -> list[LifeDomain]:
    """In order, less those that a rival stands before."""
    kept: list[LifeDomain] = []
    for one in domains:
        rivals = {name for group in RIVALS if one.domain in group for name in group}
        if rivals.isdisjoint(other.domain for other in kept):
            kept.append(one)
    return kept


def _fitting(domain: LifeDomain, settings: GenerationSettings) -> list[AdviceQuestion]:
    return [one for one in domain.questions if len(one.needs) == settings.num_states_per_question]


def _plan(asked: Sequence[tuple[LifeDomain, AdviceQuestion]], settings: GenerationSettings, rng: Random) -> LifePlan:
    variables: dict[str, VariableWords] = {}
    domain_of: dict[str, LifeDomain] = {}
    for domain, question in asked:
        words = {one.name: one for one in domain.variables}
        for name in question.needs:
            if name not in variables:
                variables[name] = _narrowed(words[name], settings.num_choices_per_state, rng)
                domain_of[name] = domain
    return LifePlan(questions=tuple(question for _, question in asked), variables=variables, domain_of=domain_of)


def _narrowed(variable: VariableWords, count: int, rng: Random) -> VariableWords:
    """The variable with *count* of its values: neighbours where they have an order, and fewer where it has fewer."""
    places = range(len(variable.values))
    if len(places) <= count:
        return variable
    start = rng.randrange(len(places) - count + 1)
    kept = places[start : start + count] if variable.kind == "ordinal" else sorted(rng.sample(places, count))
    return VariableWords(name=variable.name, kind=variable.kind, values=tuple(variable.values[place] for place in kept))

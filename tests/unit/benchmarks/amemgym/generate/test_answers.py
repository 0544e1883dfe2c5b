"""The choices of a question."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.amemgym.generate.answers import draw_qas
from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain
from recollect.benchmarks.amemgym.generate.plans import LifePlan, draw_plan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import Trajectory, draw_trajectory
from recollect.worlds.driver import Draws

SETTINGS = GenerationSettings(num_questions=2, num_shared_domains=1, num_changes_per_period=2, num_periods=3)


@pytest.fixture
def plan(stall: LifeDomain) -> LifePlan:
    """Two questions about the stall."""
    return draw_plan([stall], SETTINGS, Random("1"))


@pytest.fixture
def life(plan: LifePlan) -> Trajectory:
    """Four periods of it."""
    return draw_trajectory(plan, SETTINGS, Draws("1"))


def test_every_combination_that_is_lived_has_a_choice(plan: LifePlan, life: Trajectory) -> None:
    """Marked as experience; the rest fills up to the least number and is marked as random."""
    for least in (4, 7):
        qas = draw_qas(plan, life, replace(SETTINGS, min_state_variants=least), Random("1"))
        for qa, question in zip(qas, plan.questions, strict=True):
            lived = {choice.state for choice in qa.answer_choices if choice.type == "experience"}
            assert lived == set(life.combinations(question))
            assert (
                len(qa.answer_choices) == len({choice.state for choice in qa.answer_choices}) == max(least, len(lived))
            )


def test_an_answer_has_one_clause_for_each_variable(plan: LifePlan, life: Trajectory) -> None:
    """Of the value that its combination has, in the order of the variables."""
    for qa in draw_qas(plan, life, SETTINGS, Random("1")):
        for choice in qa.answer_choices:
            rest = choice.answer
            for name, value in zip(qa.required_info, choice.state, strict=True):
                clause = next(one for one in plan.variables[name].named(value).advice if rest.startswith(one))
                rest = rest.removeprefix(clause).strip()
            assert not rest


def test_more_choices_than_there_are_combinations_are_an_error(plan: LifePlan, life: Trajectory) -> None:
    """Three values each give nine."""
    settings = replace(SETTINGS, num_choices_per_state=4, min_state_variants=10, max_state_variants=12)
    with pytest.raises(ValueError, match="has 9 answers, not 10"):
        draw_qas(plan, life, settings, Random("1"))

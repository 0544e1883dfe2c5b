"""Plans and lives within the limits that are set."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from recollect.benchmarks.amemgym.generate.catalogue import LifeDomain, read_catalogue
from recollect.benchmarks.amemgym.generate.plans import draw_plan
from recollect.benchmarks.amemgym.generate.settings import SIZES, GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import draw_trajectory
from recollect.worlds.driver import Draws

ONE = GenerationSettings(num_questions=2, num_shared_domains=1, num_changes_per_period=2, num_periods=3)


def test_questions_come_from_different_domains_but_for_those_that_share() -> None:
    """Ten questions of the base size: six domains with one, two with two that share a variable."""
    plan = draw_plan(read_catalogue(), SIZES.settings("base"), Random("1"))
    homes = [plan.domain_of[question.needs[0]].domain for question in plan.questions]
    assert sorted(homes.count(home) for home in set(homes)) == [1] * 6 + [2] * 2
    assert len(plan.variables) == 6 * 2 + 2 * 3


def test_too_few_domains_are_an_error(stall: LifeDomain) -> None:
    """One domain has two questions of two variables."""
    assert len(draw_plan([stall], ONE, Random("1")).questions) == 2
    with pytest.raises(ValueError, match="give 2 questions of 2 variables"):
        draw_plan([stall], replace(ONE, num_questions=3), Random("1"))


def test_a_variable_of_more_values_is_narrowed_to_neighbours(stall: LifeDomain) -> None:
    """Two of the three values, next to each other where they have an order."""
    settings = replace(ONE, num_choices_per_state=2)
    for seed in range(20):
        plan = draw_plan([stall], settings, Random(seed))
        assert plan.schema["stall_rhythm"] in {("weekend_only", "some_mornings"), ("some_mornings", "daily")}
        assert len(plan.schema["stall_wares"]) == 2


def test_a_life_begins_in_the_middle_and_goes_step_by_step(stall: LifeDomain) -> None:
    """Ordinal values start in the middle of three and never jump."""
    plan = draw_plan([stall], ONE, Random("1"))
    for seed in range(20):
        states = draw_trajectory(plan, ONE, Draws(str(seed))).states
        for name in ("stall_rhythm", "stall_hands"):
            places = [plan.schema[name].index(state[name]) for state in states]
            assert places[0] == 1
            assert all(abs(now - then) <= 1 for then, now in pairwise(places))


def test_periods_have_the_number_of_changes_on_average() -> None:
    """Each has one more or one less at most, and together they are what was set."""
    plan = draw_plan(read_catalogue(), SIZES.settings("base"), Random("1"))
    for seed in range(10):
        life = draw_trajectory(plan, SIZES.settings("base"), Draws(str(seed)))
        counts = [sum(map(len, occasions)) for occasions in life.occasions[1:]]
        assert set(counts) <= {3, 4, 5}
        assert sum(counts) == 40
        assert max(life.changes().values()) <= 3


def test_variables_that_change_together_are_of_one_domain() -> None:
    """Two at most; half of the changes here come with another."""
    settings = replace(SIZES.settings("base"), paired_changes=1.0)
    plan = draw_plan(read_catalogue(), settings, Random("1"))
    together = [
        one
        for seed in range(5)
        for period in draw_trajectory(plan, settings, Draws(str(seed))).occasions
        for one in period
    ]
    pairs = [one for one in together if len(one) > 1]
    assert len(pairs) > 20
    assert all(len(pair) == 2 and len({plan.domain_of[name].domain for name in pair}) == 1 for pair in pairs)


def test_a_question_never_gets_more_combinations_than_choices_are_allowed() -> None:
    """Eighty changes of thirty variables would give more than seven, were it not for the limit."""
    plan = draw_plan(read_catalogue(), SIZES.settings("extra"), Random("1"))
    for seed in range(5):
        life = draw_trajectory(plan, SIZES.settings("extra"), Draws(str(seed)))
        assert all(2 <= len(life.combinations(question)) <= 7 for question in plan.questions)


def test_limits_that_leave_no_life_are_an_error(stall: LifeDomain) -> None:
    """Three variables that may change once each cannot give six changes."""
    settings = replace(ONE, max_changes_per_state=1)
    with pytest.raises(ValueError, match="no life keeps all limits"):
        draw_trajectory(draw_plan([stall], ONE, Random("1")), settings, Draws("1"))

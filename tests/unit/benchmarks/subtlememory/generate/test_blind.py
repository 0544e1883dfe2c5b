"""Questions alone tell nothing: whoever picks by place, length or likeness is right by chance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from recollect.benchmarks.subtlememory.generate import bundles
from recollect.benchmarks.subtlememory.generate.blind import (
    CONSTANTS,
    NAME_ALL,
    SOLVERS,
    blind_rows,
    choices,
    hits,
    is_right,
    offered,
    solved,
)
from recollect.benchmarks.subtlememory.generate.plans import CasePlan
from recollect.benchmarks.subtlememory.generate.settings import SIZES
from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import SUBTYPES, Asked, Qa
from recollect.benchmarks.subtlememory.score import score
from recollect.domain.questions import Question
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.stats.proportions import wilson_interval
from recollect.worlds.solvers import Solver, examined

from tests.unit.benchmarks.subtlememory.generate.made import planned

LIST = Asked(
    form="resource_arrangement",
    chance=0.25,
    options=("Ash Row", "Elm Row", "Oak Row", "Fir Row"),
    described={"Ash Row": "tea with milk", "Elm Row": "tea", "Oak Row": "tea and toast with jam", "Fir Row": "paint"},
    fields={"choice": ("Fir Row",)},
    others=("Ash Row", "Elm Row", "Oak Row"),
)
FORM = Asked(
    form="structured_form",
    chance=1 / 16,
    template={"Drink": "one of: tea / coffee / milk / malt", "Seat": "one of: stool / bench / floor / chair"},
    fields={"Drink": ("malt", "malt drink"), "Seat": ("chair",)},
    others=("tea", "coffee", "milk", "stool", "bench", "floor"),
)
CONFLICT = Asked(
    form="structured_form",
    chance=0.0,
    template={"Drink": "one of: tea / coffee / milk / malt"},
    fields={"malt": ("malt",), "tea": ("tea",)},
    others=("coffee", "milk"),
)


@pytest.mark.parametrize(
    ("solver", "place"),
    [
        ("first", 0),
        ("last", 3),
        ("middle", 1),
        ("shortest", 1),
        ("longest", 2),
        ("most_alike", 1),
        ("least_alike", 3),
    ],
)
def test_a_solver_picks_what_it_is_called(solver: str, place: int) -> None:
    """Of four descriptions, three about tea."""
    shown = tuple(LIST.described[name] for name in LIST.options)
    assert SOLVERS[solver](shown) == place


def test_the_random_solver_is_even_over_places_and_always_says_the_same() -> None:
    """About a quarter each of 4,000 lists."""
    lists = [tuple(f"{number} {place}" for place in range(4)) for number in range(4000)]
    picks = [SOLVERS["at_random"](one) for one in lists]
    assert picks == [SOLVERS["at_random"](one) for one in lists]
    assert all(900 <= count <= 1100 for count in Counter(picks).values())


def test_what_is_offered_is_read_from_lists_and_forms() -> None:
    """Four resources as they are shown; two fields of four."""
    assert offered(LIST)[""][1] == "Elm Row: tea"
    assert offered(FORM)["Seat"] == ("stool", "bench", "floor", "chair")


def test_an_answer_needs_all_fields_and_both_sides_of_a_conflict_and_nothing_else() -> None:
    """One field, one side, or everything at once is wrong."""
    assert is_right(FORM, {"Drink": ("malt",), "Seat": ("chair",)})
    assert not is_right(FORM, {"Drink": ("malt",), "Seat": ("stool",)})
    assert not is_right(FORM, offered(FORM))
    assert is_right(CONFLICT, {"Drink": ("tea", "malt")})
    assert not is_right(CONFLICT, {"Drink": ("tea",)})
    assert not is_right(CONFLICT, offered(CONFLICT))
    assert is_right(LIST, {"": ("Fir Row: paint",)})
    assert not is_right(LIST, offered(LIST))
    assert not is_right(LIST, {})


def test_hits_names_the_solvers_that_are_right() -> None:
    """`Fir Row: paint` stands last and apart; nobody guesses a conflict."""
    assert {"last", "least_alike"} <= set(hits(LIST))
    assert "first" not in hits(LIST)
    assert not hits(CONFLICT)


@pytest.fixture(scope="module")
def many() -> list[CasePlan]:
    """Cases about 30 persons of the base size."""
    return [case for seed in (1, 2, 3) for case in planned(seed, 10)]


def test_no_solver_gains_anything_over_many_persons(many: list[CasePlan]) -> None:
    """30 persons of the base size; one draw of noise is 5 points at most, and the upper end lies below it."""
    rows = blind_rows(many)
    assert {row.group for row in rows} == set(SUBTYPES)
    assert {row.solver for row in rows} == {*SOLVERS, *CONSTANTS, NAME_ALL}
    over = [row for row in rows if row.upper > row.chance + 0.05]
    assert not [(row.group, row.solver, row.share, row.upper) for row in over]
    assert all(row.right == 0 for row in rows if row.solver in {*CONSTANTS, NAME_ALL} or row.group == "contradictory")


WORLD = {"K>1": 9, "any_one": 9, "Temporal": 27, "Context": 13, "contradictory": 18}
"""Questions about the world of one person of the base size; a guess answers none of them."""


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_no_solver_gains_anything_over_ten_histories(seed: int) -> None:
    """The bound of the data's own check: with the questions about the world, upper ends at chance + 5 points."""
    cases = planned(seed, 10)
    knowledge = Asked(form="knowledge", chance=0.0, fields={"value": ("nobody knows",)})
    about = Qa(query="?", correct_answers=("nobody knows",), incorrect_answers=("it is known",), asked=knowledge)
    like = {case.relation_subtype: case for case in cases}
    world = [replace(like[subtype], qas=(about,) * count) for subtype, count in WORLD.items() for _ in range(10)]
    over = [row for row in blind_rows([*cases, *world]) if row.upper > row.chance + 0.05]
    assert not [(row.group, row.solver, row.questions, row.right) for row in over]


@pytest.mark.full
def test_solvers_that_the_generator_does_not_know_gain_nothing_either(many: list[CasePlan]) -> None:
    """Third place, third length, most words, most vowels, last in the alphabet; 30 persons, all but conflicts."""
    strangers: dict[str, Solver] = {
        "third": lambda shown: 2 % len(shown),
        "third length": lambda shown: sorted(range(len(shown)), key=lambda at: len(shown[at]))[2 % len(shown)],
        "most words": lambda shown: max(range(len(shown)), key=lambda at: len(shown[at].split())),
        "most vowels": lambda shown: max(range(len(shown)), key=lambda at: sum(shown[at].count(v) for v in "aeiou")),
        "alphabet": lambda shown: max(range(len(shown)), key=lambda at: shown[at]),
    }
    asked = [qa.asked for case in many for qa in case.qas if qa.asked is not None and qa.asked.chance]
    chance = sum(one.chance for one in asked) / len(asked)
    for name, solver in strangers.items():
        right = sum(
            is_right(one, {field: (shown[solver(shown)],) for field, shown in offered(one).items()}) for one in asked
        )
        assert (wilson_interval(right, len(asked)).high or 0) <= chance + 0.05, name


def test_a_flawed_set_is_found_out() -> None:
    """Right answers moved to the first place: `first` is always right."""
    asked = [qa.asked for case in planned(1, 3) for qa in case.qas if qa.asked is not None]
    lists = [one for one in asked if one.options and one.chance]
    flawed = [replace(one, options=(*one.fields["choice"], *one.others)) for one in lists]
    assert len(flawed) > 50
    assert all("first" in hits(one) for one in flawed)


def _said(solver: Solver) -> Callable[[Question], str]:
    """What a solver replies: the name of a resource, or the form filled in."""

    def reply(question: Question) -> str:
        if question.options:
            shown = [option.text for option in question.options]
            return shown[solver(shown)].partition(":")[0]
        forms = {field: choices(given) for field, given in question.template.items()}
        return (
            json.dumps({field: shown[solver(shown)] for field, shown in forms.items()}) if forms else "I do not know."
        )

    return reply


def test_what_counts_as_a_guess_is_what_the_scorer_and_the_judge_count() -> None:
    """`is_right`, by which designs are drawn, agrees with the run's own scorer and judge on every question."""
    made = bundles(SIZES.settings("small+related_cases=20"), 3)
    asked = {qa.query: qa.asked for one in made for case in one.instances for qa in case.qas if qa.asked is not None}
    replies = {name: _said(solver) for name, solver in SOLVERS.items()}
    for keyed in dataset_of(made, "generated").histories:
        found = examined(
            keyed,
            replies,
            score=score,
            judge=RuleJudge(),
            shared={},
            group=lambda key: key.labels["subtype"],
            chance=lambda question, key: asked[question.text].chance,
        )
        questions = [one for one in keyed.history.questions if one.purpose == "score"]
        assert [one.right for one in found] == [solved(asked[question.text]) for question in questions]

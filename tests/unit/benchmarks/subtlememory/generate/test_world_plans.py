"""What cases about the world are made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.cases.specs import WorldSpec, chained, draw_world_specs
from recollect.benchmarks.subtlememory.generate.catalogue.texts import kinds
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.domain.errors import UsageError

from tests.unit.benchmarks.subtlememory.generate.worlds import festivals

PROPERTIES = {one.name: one for one in festivals()[0].properties}


def specs(**knobs: int) -> tuple[WorldSpec, ...]:
    return draw_world_specs(festivals(), GenerationSettings(**knobs), Random(1))  # type: ignore[arg-type]


def test_relations_sub_types_and_forms_have_even_shares() -> None:
    """55 cases: 19 nuanced, then 18 each; nine of several facts in three forms, 18 conflicts of three claimants."""
    made = specs()
    assert Counter(one.subtype for one in made) == {
        "K>1": 9, "any_one": 9, "Temporal": 10, "Context": 9,
        "a_user_vs_user": 6, "b_user_vs_non_user": 6, "c_non_user_vs_non_user": 6,
    }  # fmt: skip
    assert Counter(one.form for one in made if one.subtype == "K>1") == {"list": 3, "sum": 3, "chain": 3}


def test_properties_suit_what_is_asked_of_them() -> None:
    """Only what changes is dated; only what does not can contradict itself; sums need numbers, chains somebody."""
    for one in specs():
        assert {
            "Temporal": one.told.changes,
            "Context": bool(one.told.editions),
            "sum": bool(one.told.adds_up),
            "chain": one.told.kind == "person",
            "contradictory": not one.told.changes,
        }.get(one.form, True)


def test_what_may_have_two_values_makes_no_conflict() -> None:
    """Of the festivals' properties here only the founder stays; of the catalogue, 39 of 96 conflict."""
    lasting = [replace(one, exclusive=one.name == "founder") for one in PROPERTIES.values()]
    made = draw_world_specs((replace(festivals()[0], properties=tuple(lasting)),), GenerationSettings(), Random(1))
    assert {one.told.name for one in made if one.form == "contradictory"} == {"founder"}
    assert len({one.told.name for one in made if one.form == "any_one"}) > 1
    every = [one for kind in kinds() for one in kind.properties]
    assert (sum(one.exclusive and not one.changes for one in every), len(every)) == (39, 96)


def test_phrases_for_somebody_are_made_of_questions_that_ask_who_did_something() -> None:
    """`To whom does ... go back?` gives none; `Who is the ...?` becomes a noun."""
    assert chained(PROPERTIES["founder"]) == ("the person who founded {entity}", "the person who started {entity}")
    asked = ("Who is the founder of {entity}?", "Who did {entity} honour?", "Who is {entity} named after?")
    assert chained(replace(PROPERTIES["founder"], asked=asked)) == ("the founder of {entity}",)
    assert chained(PROPERTIES["town"]) == ()


def test_the_number_of_facts_follows_the_settings_as_far_as_the_form_allows() -> None:
    """Drawn from the least to the most; asked for, it is cut to that."""
    drawn = {form: {one.facts for one in specs(unrelated_cases=400) if one.form == form} for form in ("list", "sum")}
    assert drawn == {"list": {2, 3, 4}, "sum": {2, 3}}
    most = {one.form: one.facts for one in specs(variants=4)}
    assert most == {"list": 4, "sum": 3, "chain": 4, "any_one": 3, "Temporal": 4, "Context": 3, "contradictory": 2}
    assert {one.form: one.facts for one in specs(variants=2)}["Temporal"] == 3


def test_a_catalogue_that_lacks_something_is_told() -> None:
    """Nothing changes, so nothing can be dated."""
    fixed = replace(festivals()[0], properties=tuple(one for one in PROPERTIES.values() if not one.changes))
    with pytest.raises(UsageError, match=r"no kind of entity for `(Temporal|sum)`"):
        draw_world_specs((fixed,), GenerationSettings(), Random(1))

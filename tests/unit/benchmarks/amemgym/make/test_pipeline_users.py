"""From checked parts to a whole user: combinations, dates, orders of choices, and what is dropped by rule."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.benchmarks.amemgym.generate import items as generated
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.make.answers import variants
from recollect.benchmarks.amemgym.make.persons import people
from recollect.benchmarks.amemgym.make.pipeline import ordered, times
from recollect.benchmarks.amemgym.make.schemas import schema
from recollect.benchmarks.amemgym.settings import BASE, EnvConfig, period_ends
from recollect.making.steps import DroppedError, Item, Sight

ONE = replace(BASE, num_user_profiles=1, num_periods=2)
VALUES = {"a": ["x", "y", "z"], "b": ["p", "q", "r"]}


def sight(results: dict[str, dict[str, Any]], config: EnvConfig = ONE) -> Sight:
    (person,) = people(config)
    return Sight(item=Item(key="u", data=person), results=results)


def lived(config: EnvConfig, *changes: dict[str, str]) -> Sight:
    """A life that begins at `x` and `p`."""
    updates = {
        f"p{number:02d}": {"updated": [{"variable": name, "new": new} for name, new in one.items()]}
        for number, one in enumerate(changes, start=1)
    }
    asked = [{"query": "How?", "required_info": ["b", "a"]}]
    made: dict[str, dict[str, Any]] = {
        "schema": {"": {"schema": VALUES, "questions": asked}},
        "state": {"": {"a": "x", "b": "p"}},
    }
    return sight({**made, "updates": updates}, config)


def test_combinations_that_come_to_be_are_filled_up_to_the_fewest_and_sorted() -> None:
    (found,) = variants(lived(ONE, {"a": "y"}, {"a": "x", "b": "q"})).value
    states = [one["state"] for one in found]
    assert states == sorted(states)
    assert [one["state"] for one in found if one["type"] == "experience"] == [["p", "x"], ["p", "y"], ["q", "x"]]
    assert len(found) == ONE.min_state_variants
    assert len({tuple(one) for one in states}) == len(states)


def test_combinations_are_drawn_by_the_seed() -> None:
    drawn = {str(variants(lived(replace(ONE, seed=seed), {"a": "y"})).value) for seed in (1, 1, 2, 3)}
    assert 1 < len(drawn) <= 3


def test_combinations_are_the_same_whatever_the_order_of_sets_in_a_process() -> None:
    """The authors' code iterates over a set of texts, so that the seed of Python's hashes decides."""
    code = f"from {__name__} import ONE, lived, variants; print(variants(lived(ONE)).value)"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[5],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert said == {f"{variants(lived(ONE)).value}\n"}


def test_more_combinations_than_the_fewest_are_all_kept() -> None:
    changes = [{"a": "y"}, {"b": "q"}, {"a": "z"}, {"b": "r"}]
    (found,) = variants(lived(ONE, *changes)).value
    assert [one["type"] for one in found] == ["experience"] * 5


def test_a_question_with_too_few_combinations_drops_the_user() -> None:
    with pytest.raises(DroppedError) as caught:
        variants(lived(replace(ONE, min_state_variants=10)))
    assert caught.value.check == "too_few_variants"


def merged(names: Sequence[str], config: EnvConfig = ONE) -> Sight:
    facts = [{"info_type": name, "info_choices": ["1", "2", "3"]} for name in names]
    asked = [{"question": "How?", "required_info": facts}]
    variables = [{"name": f"my_{name}", "gathers": [name]} for name in names]
    return sight({"questions": {"": {"questions": asked}}, "variables": {"": {"variables": variables}}}, config)


def test_too_few_variables_for_all_changes_drop_the_user_before_anything_more_is_asked() -> None:
    """Two periods of at least three different changes each need three variables that may change twice."""
    assert list(schema(merged(["a", "b", "c"])).value["schema"]) == ["my_a", "my_b", "my_c"]
    with pytest.raises(DroppedError) as caught:
        schema(merged(["a", "b"]))
    assert caught.value.check == "too_few_variables"


def test_periods_end_on_the_day_of_the_start_or_the_last_one_before_and_never_on_a_leap_day() -> None:
    """31 January 2020 and three months are 30 April; 29 February is always the 28th."""
    odd = replace(BASE, start_date="2019-11-30", num_periods=2)
    assert period_ends(odd) == ["2019-11-30", "2020-02-28", "2020-05-30"]
    assert period_ends(replace(odd, start_date="2020-01-31")) == ["2020-01-31", "2020-04-30", "2020-07-31"]


def test_talks_are_on_the_last_evenings_of_their_period() -> None:
    found = times(["2020-10-01", "2020-11-01"], 1, 3, Random(1))
    assert [one[:10] for one in found] == ["2020-10-30", "2020-10-31", "2020-11-01"]
    many = [one[11:] for seed in range(200) for one in times(["2020-10-01"], 0, 3, Random(seed))]
    assert "19:00:00" <= min(many) < "19:10:00"
    assert "21:50:00" < max(many) < "22:00:00"


def test_more_talks_than_days_drop_the_user() -> None:
    assert len(times(["2021-02-01", "2021-02-28"], 1, 27, Random(1))) == 27
    with pytest.raises(DroppedError) as caught:
        times(["2021-02-01", "2021-02-28"], 1, 28, Random(1))
    assert caught.value.check == "days"


def test_an_order_of_choices_leaves_no_place_right_more_often_than_need_be() -> None:
    """Sorted choices would be right at one place in about half of all periods; chance is a quarter or less."""
    (user,) = generated(GenerationSettings(num_user_profiles=1, num_questions=10, num_periods=10), 3)
    sorted_user = replace(
        user,
        qas=tuple(
            replace(qa, answer_choices=tuple(sorted(qa.answer_choices, key=lambda one: (one.type, one.state))))
            for qa in user.qas
        ),
    )
    shares = []
    for one in (sorted_user, ordered(sorted_user, 1)):
        right = Counter(one.right_choice(qa, number) for qa in one.qas for number in range(len(one.periods)))
        shares.append(max(right.values()) / right.total())
    assert shares[1] < 0.3 < shares[0]
    assert ordered(sorted_user, 1) == ordered(sorted_user, 1) != ordered(sorted_user, 2)

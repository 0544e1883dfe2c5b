"""Rows and users, there and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.rows import item_of, row_of

from tests.unit.benchmarks.amemgym.lives import lives, rows, told


@given(lives())
def test_a_user_comes_back_from_its_row(item: Item) -> None:
    """Also by way of a file, and with fields that nobody knows."""
    assert told(json.loads(json.dumps(row_of(item)))) == item


@pytest.mark.parametrize("place", [0, 1])
def test_a_row_comes_back_from_its_user_in_the_same_order(place: int) -> None:
    row = rows()[place]
    assert list(row_of(told(row))) == list(row)
    assert json.dumps(row_of(told(row))) == json.dumps(row)


def test_unknown_fields_are_kept_with_their_place() -> None:
    assert told(rows()[1]).extra == {"periods/1/mood": "steady", "note": {"by": "hand"}}


def test_hobbies_may_be_a_list_or_a_text() -> None:
    """The authors' code writes a text, their data card says a list."""
    kinds = [told(row).user_profile.hobbies_and_interests for row in rows()]
    assert kinds == ["rowing, baking", ("徒步", "胶片摄影")]


def test_a_session_without_the_field_messages_is_written_without_it() -> None:
    assert "messages" not in row_of(told(rows()[1]))["periods"][0]["sessions"][0]


def test_all_problems_are_named_at_once_with_their_user() -> None:
    row = rows()[0]
    row["user_profile"]["age"] = "old"
    del row["periods"][1]["state"]
    row["qas"][0]["answer_choices"][2]["type"] = "guess"
    item, problems = item_of(row)
    assert item is None
    assert all(problem.startswith("user `u-001`: ") for problem in problems)
    for place in ("user_profile.age", "periods.1.state", "qas.0.answer_choices.2.type"):
        assert any(place in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("way", "value", "said"),
    [
        pytest.param(("user_profile", "age"), "41", "`user_profile.age`", id="number-as-text"),
        pytest.param(("user_profile", "age"), True, "`user_profile.age`", id="truth-as-number"),
        pytest.param(("start_time",), "1 Oct 2020", "`start_time`", id="start"),
        pytest.param(("start_time",), "20201001", "`start_time`", id="compact-date"),
        pytest.param(("periods", 1, "period_end"), "2021-02-30", "`periods.1.period_end`", id="no-such-day"),
        pytest.param(("periods", 0, "sessions", 0, "session_time"), "2020-10-01", "session_time`", id="no-hour"),
        pytest.param(("periods",), None, "`periods`", id="null"),
        pytest.param(("qas",), {}, "`qas`", id="object-for-a-list"),
    ],
)
def test_a_value_of_another_kind_is_named_with_its_place(way: tuple[Any, ...], value: Any, said: str) -> None:
    row: Any = rows()[0]
    holder = row
    for part in way[:-1]:
        holder = holder[part]
    holder[way[-1]] = value
    item, problems = item_of(row)
    assert item is None
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize("data", [None, 3, "x", [], [1]], ids=repr)
def test_what_is_no_object_is_no_user(data: Any) -> None:
    assert item_of(data, "[4]") == (None, ["[4]: it is no object"])

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.offline.judge.fields import judge_conflict, judge_items, judge_json, read_fields, read_items
from recollect.offline.judge.texts import prepare


@pytest.mark.parametrize(
    "reply",
    [
        '{"town": "Ghent", "age": 31}',
        '```json\n{"town": "Ghent", "age": 31}\n```',
        'Here it is: {"TOWN": "Ghent", "age": "31"} I hope it helps.',
        "town: Ghent\nage: 31",
        "- **town**: Ghent\n- **age**: 31",
    ],
)
def test_fields_are_read_from_json_or_lines(reply: str) -> None:
    assert {name: value.strip(" *") for name, value in read_fields(reply).items()} == {"town": "Ghent", "age": "31"}


@given(st.text())
def test_any_reply_can_be_read_for_fields_and_items(reply: str) -> None:
    assert all(isinstance(value, str) for value in read_fields(reply).values())
    assert all(isinstance(item, str) for item in read_items(reply))


def test_a_missing_field_is_wrong_and_says_so() -> None:
    found = judge_json('{"town": "Ghent"}', {"town": ["Ghent"], "age": ["31"]})
    assert found["town"].right
    assert found["age"].why == "field_missing: age"


@pytest.mark.parametrize(
    "reply", ["Rome, Pisa", "1. Rome\n2. Pisa", '["Rome", "Pisa"]', "Rome and Pisa", "- Pisa\n- Rome"]
)
def test_items_are_read_in_any_form_and_order(reply: str) -> None:
    assert all(finding.right for finding in judge_items(reply, {"1": ["Rome"], "2": ["Pisa"]}, None).values())


def test_one_item_serves_one_field() -> None:
    found = judge_items("Rome", {"1": ["Rome"], "2": ["Rome"]}, None)
    assert [finding.right for finding in found.values()] == [True, False]


def test_items_behind_the_asked_number_do_not_count() -> None:
    found = judge_items("Milan, Bari, Rome", {"1": ["Rome"]}, 2)
    assert found["1"].why == "item_missing: none of 2 items"


def test_both_values_of_a_conflict_may_be_dates_or_words() -> None:
    gold = {"first": ["5 May 2023"], "second": ["on Monday"]}
    found = judge_conflict(prepare("When?"), gold, (), prepare("One note says May 5, 2023, the other Monday."))
    assert all(finding.right for finding in found.values())


def test_a_denied_value_of_a_conflict_is_not_named() -> None:
    gold = {"first": ["teal"], "second": ["amber"]}
    found = judge_conflict(prepare("Which?"), gold, (), prepare("teal, not amber"))
    assert [finding.right for finding in found.values()] == [True, False]

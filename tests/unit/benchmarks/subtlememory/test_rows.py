"""Rows and values, there and back."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given

from recollect.benchmarks.subtlememory.items import Asked, Bundle
from recollect.benchmarks.subtlememory.rows import Findings, instance_of, row_of_instance, row_of_talk, shown, talk_of

from tests.unit.benchmarks.subtlememory.bundles import asked_form, bundle, some_bundles

INSTANCE = {
    "instance_id", "persona_id", "persona_str", "source", "case_id", "topic", "relation_type", "relation_subtype",
    "case", "facts", "qas", "session_ids",
}  # fmt: skip
SESSION = {
    "order", "persona_id", "session_id", "timestamp", "source", "case_id", "conversation_type", "conversation_flow",
    "persona_signal_level", "history",
}  # fmt: skip


def test_rows_have_the_published_fields_and_no_others() -> None:
    one = bundle(0)
    instance = row_of_instance(one.instances[0])
    assert instance.keys() == INSTANCE
    assert instance["qas"][0].keys() == {"query", "correct_answers", "incorrect_answers"}
    session = row_of_talk(one.talks[0])
    assert session.keys() == SESSION
    assert session["history"][0].keys() == {"role", "content"}


@given(some_bundles())
def test_values_come_back_from_their_rows(bundles: tuple[Bundle, ...]) -> None:
    """Also by way of a file."""
    found = Findings()
    for one in bundles:
        for talk in one.talks:
            assert talk_of(json.loads(json.dumps(row_of_talk(talk))), talk.order, "", found) == talk
        for instance in one.instances:
            assert instance_of(json.loads(json.dumps(row_of_instance(instance))), "", found) == instance
    assert found == Findings()


def test_what_our_own_files_add_is_said_without_what_is_empty() -> None:
    instance = bundle(0).instances[1]
    bare = replace(instance.qas[0], asked=Asked(form="knowledge", chance=0.0))
    full = replace(instance.qas[0], asked=asked_form())
    rows = row_of_instance(replace(instance, qas=(bare, full)))["qas"]
    assert rows[0]["recollect"] == {"form": "knowledge", "chance": 0.0}
    assert rows[1]["recollect"] == {
        "form": "structured_form",
        "chance": 0.25,
        "difficulty": "easy",
        "options": ["A", "B"],
        "described": {"A": "first"},
        "template": {"seat": "one of: aisle / window"},
        "fields": {"seat": ["aisle", "on the aisle"]},
        "others": ["window"],
    }


def test_a_long_value_is_cut_where_a_problem_repeats_it() -> None:
    assert shown("é") == '"é"'
    assert shown("a" * 100) == f'"{"a" * 56}...'

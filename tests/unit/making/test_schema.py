"""The shape of a reply: every word of a schema is checked, and one that is not is refused."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.making import schema as shape
from recollect.making.schema import Schema, misfits, unknown_words

PERSON = shape.record(
    name=shape.text(1, 10), age=shape.whole_number(0, 120), mood=shape.one_of(["glad", "sad"]), alive=shape.flag()
)
PEOPLE = shape.array(PERSON, 1, 2)
ANN = {"name": "Ann", "age": 3, "mood": "glad", "alive": True}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        pytest.param({}, "the reply is no array: {}", id="another-type"),
        pytest.param([], "the reply has 0 items, at least 1 are asked for", id="too-few"),
        pytest.param([ANN] * 3, "the reply has 3 items, at most 2 are asked for", id="too-many"),
        pytest.param([{**ANN, "name": " "}], "`[0].name` has 0 characters, at least 1 are asked for", id="blank"),
        pytest.param([{**ANN, "name": "A" * 11}], "`[0].name` has 11 characters, at most 10", id="too-long"),
        pytest.param([{**ANN, "age": 121}], "`[0].age` is 121, the most is 120", id="too-old"),
        pytest.param([{**ANN, "age": -1}], "`[0].age` is -1, the least is 0", id="too-young"),
        pytest.param([{**ANN, "age": 3.5}], "`[0].age` is no integer: 3.5", id="a-fraction"),
        pytest.param([{**ANN, "age": True}], "`[0].age` is no integer: True", id="true-is-no-number"),
        pytest.param([{**ANN, "mood": "odd"}], "`[0].mood` is 'odd', not one of glad, sad", id="unknown-word"),
        pytest.param([{**ANN, "alive": 1}], "`[0].alive` is no boolean: 1", id="a-number-is-no-flag"),
        pytest.param([{**ANN, "pet": "cat"}], "`[0]` has `pet`, which nobody asked for", id="one-field-more"),
        pytest.param([{"name": "Ann", "age": 3, "mood": "sad"}], "`[0]` lacks `alive`", id="one-field-less"),
    ],
)
def test_what_does_not_fit_is_told_with_its_path(value: Any, problem: str) -> None:
    assert any(problem in told for told in misfits(PEOPLE, value))


def test_what_fits_has_no_problem() -> None:
    assert not list(misfits(PEOPLE, [ANN, ANN]))


def test_all_problems_come_at_once() -> None:
    assert len(list(misfits(PERSON, {"name": "", "age": 200}))) == 4


def test_providers_are_sent_names_and_types_without_bounds() -> None:
    """Some refuse a strict schema that has them; they are checked here all the same."""
    sent = str(shape.unbounded(PEOPLE))
    assert not re.search("min|max", sent)
    assert "'enum': ['glad', 'sad']" in sent
    assert shape.unbounded(PEOPLE)["items"]["required"] == ["name", "age", "mood", "alive"]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 130) | st.floats(-5, 5) | st.sampled_from(["Ann", "", "glad", "odd"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "age", "mood", "alive", "x"]), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(st.sampled_from([PERSON, PEOPLE, shape.text(), shape.whole_number(0, 3)]), values)
def test_what_fits_also_fits_by_the_reference(schema: Schema, value: Any) -> None:
    """jsonschema 4 is the reference; ours is stricter: `1.0` is no integer, and white space is no text."""
    if not list(misfits(schema, value)):
        jsonschema.validate(value, schema)


@given(st.fixed_dictionaries({"name": st.text("ab", min_size=1, max_size=10), "age": st.integers(0, 120)}))
def test_what_the_reference_takes_fits(value: Any) -> None:
    person = {**value, "mood": "sad", "alive": False}
    jsonschema.validate(person, PERSON)
    assert not list(misfits(PERSON, person))


@pytest.mark.parametrize(
    "schema",
    [{"type": "string", "pattern": "a+"}, {"type": "null"}, {}, shape.array({"type": "string", "format": "date"})],
)
def test_a_word_that_nobody_checks_is_refused(schema: Schema) -> None:
    assert list(unknown_words(schema))
    assert not list(unknown_words(PEOPLE))

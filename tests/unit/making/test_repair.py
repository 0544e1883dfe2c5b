"""A reply is one JSON value of the shape asked for, or nothing; it is never searched for one."""

from __future__ import annotations

import pytest

from recollect.making import schema
from recollect.making.repair import CUT, EMPTY, MOST_PROBLEMS, NOT_JSON, SHAPE, read

ONE = schema.record(n=schema.whole_number(0, 9))


@pytest.mark.parametrize(
    "said",
    [
        '{"n": 3}',
        ' {"n": 3}\n',
        '```json\n{"n": 3}\n```',
        '```\n{"n": 3}\n```',
        '<think>{"n": 4}</think>{"n": 3}',
        '\ufeff{"n": 3}',
    ],
)
def test_the_value_is_read_bare_fenced_or_behind_thoughts(said: str) -> None:
    assert read(said, ONE).value == {"n": 3}


@pytest.mark.parametrize("said", ["3", "3.", " 3.\n", "```\n3.\n```"])
def test_a_number_alone_is_the_record_of_one_integer(said: str) -> None:
    assert read(said, ONE).value == {"n": 3}


@pytest.mark.parametrize("said", ["3.5", "12", "-1", "The 3", "3 or 4", "3.."])
def test_any_other_number_is_not(said: str) -> None:
    assert read(said, ONE).broken in {SHAPE, NOT_JSON}


def test_a_number_alone_is_no_record_of_two_fields() -> None:
    assert read("3", schema.record(n=schema.whole_number(0, 9), m=schema.whole_number(0, 9))).broken == SHAPE


@pytest.mark.parametrize(
    ("said", "broken"),
    [
        pytest.param("", EMPTY, id="empty"),
        pytest.param("<think>hm</think>", EMPTY, id="thoughts-alone"),
        pytest.param('Sure: {"n": 3}', NOT_JSON, id="words-before"),
        pytest.param('{"n": 3} Done.', NOT_JSON, id="words-behind"),
        pytest.param('{"n": 3}{"n": 3}', NOT_JSON, id="two-values"),
        pytest.param('{"n": 3', NOT_JSON, id="torn"),
        pytest.param('{"n": 3, "n": 4}', NOT_JSON, id="a-name-twice"),
        pytest.param('{"n": NaN}', NOT_JSON, id="not-a-number"),
        pytest.param("[" * 100_000, NOT_JSON, id="too-deep"),
        pytest.param('[{"n": 3}]', SHAPE, id="wrapped"),
        pytest.param('{"n": "3"}', SHAPE, id="a-number-as-text"),
    ],
)
def test_anything_else_is_refused_with_its_reason(said: str, broken: str) -> None:
    found = read(said, ONE)
    assert (found.value, found.broken) == (None, broken)
    assert found.problems


def test_a_reply_that_was_cut_off_is_refused_even_if_it_reads_well() -> None:
    assert read('{"n": 3}', ONE, cut=True).broken == CUT


def test_texts_come_without_white_space_around_and_without_half_characters() -> None:
    assert read('{"t": " a\\ud800 "}', schema.record(t=schema.text())).value == {"t": "a?"}


def test_no_more_problems_are_told_than_a_model_can_mend() -> None:
    many = schema.array(schema.whole_number(0, 1))
    assert len(read(str([7] * 50), many).problems) == MOST_PROBLEMS

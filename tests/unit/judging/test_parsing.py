"""A model's verdict is one JSON object with allowed words, or nothing; no text makes the reader fail."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.judging.parsing import REASON, WHOLE, Decision, Unusable, one_line, read_fields, read_whole

WORDS = ("right", "wrong", "abstained")
RIGHT = '{"verdict": "right", "reason": "same city"}'
LABELS = {"f1": "city", "f2": "year"}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["verdict", "reason", "f1", "f2"]) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
SAID = st.text() | st.text(alphabet='{}[]":,`\\ \nrightverdicton').map(str) | JSON.map(json.dumps)


def test_an_object_with_verdict_and_reason_is_a_decision() -> None:
    assert read_whole(RIGHT, WORDS) == {WHOLE: Decision("right", "same city")}


@pytest.mark.parametrize("around", ["```json\n{}\n```", "```\n{}\n```", "  {}\n", "<think>wrong?</think>{}"])
def test_a_block_around_all_of_it_and_thoughts_before_it_are_no_prose(around: str) -> None:
    assert read_whole(around.replace("{}", RIGHT), WORDS) == {WHOLE: Decision("right", "same city")}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "it has no text"),
        ("right", "it is not one JSON object and nothing else"),
        ("The reply is not correct.", "it is not one JSON object and nothing else"),
        (f"Verdict: {RIGHT}", "it is not one JSON object and nothing else"),
        (f"{RIGHT} I am sure.", "it is not one JSON object and nothing else"),
        (f"{RIGHT}\n{RIGHT}", "it is not one JSON object and nothing else"),
        (f"```json\n{RIGHT}\n```\n```json\n{RIGHT}\n```", "it is not one JSON object and nothing else"),
        ('{"verdict": "right", "reason": "cut', "it is not one JSON object and nothing else"),
        ('{"verdict": "wrong", "verdict": "right", "reason": ""}', "it is not one JSON object and nothing else"),
        ('{"verdict": NaN, "reason": ""}', "it is not one JSON object and nothing else"),
        ('"right"', "it is JSON, but no object"),
        (f"[{RIGHT}]", "it is JSON, but no object"),
        ('{"verdict": "right"}', "the object does not have `reason` and `verdict`, and nothing else"),
        ('{"verdict": "right", "reason": "", "score": 1}', "the object does not have `reason` and `verdict`"),
        ('{"verdict": "Right", "reason": ""}', "the verdict of the object is 'Right', not one of right, wrong"),
        ('{"verdict": "not right", "reason": ""}', "the verdict of the object is 'not right', not one of"),
        ('{"verdict": true, "reason": ""}', "the verdict of the object is True, not one of"),
        ('{"verdict": ["right"], "reason": ""}', "the verdict of the object is ['right'], not one of"),
        ('{"verdict": "right", "reason": 7}', "the reason of the object is no text"),
    ],
)
def test_everything_else_is_unusable_and_says_why(said: str, problem: str) -> None:
    found = read_whole(said, WORDS)
    assert isinstance(found, Unusable)
    assert found.problem.startswith(problem)


def test_a_word_that_this_question_does_not_allow_is_unusable() -> None:
    assert isinstance(read_whole('{"verdict": "abstained", "reason": ""}', ("right", "wrong")), Unusable)


def test_each_field_has_its_decision() -> None:
    said = json.dumps({"f2": {"verdict": "wrong", "reason": "b"}, "f1": {"verdict": "right", "reason": "a"}})
    assert read_fields(said, LABELS, WORDS) == {"city": Decision("right", "a"), "year": Decision("wrong", "b")}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"f1": {"verdict": "right", "reason": ""}}, "the entries are f1 instead of f1, f2"),
        ({}, "the entries are none instead of f1, f2"),
        (
            {name: {"verdict": "right", "reason": ""} for name in ("f1", "f2", "f3")},
            "the entries are f1, f2, f3 instead of f1, f2",
        ),
        (
            {"f1": {"verdict": "right", "reason": ""}, "f2": {"verdict": "yes", "reason": ""}},
            "the verdict of entry f2 is 'yes'",
        ),
        ({"f1": "right", "f2": "right"}, "entry f1 does not have `reason` and `verdict`"),
    ],
)
def test_a_missing_or_malformed_entry_spoils_all_entries(said: object, problem: str) -> None:
    found = read_fields(json.dumps(said), LABELS, WORDS)
    assert isinstance(found, Unusable)
    assert found.problem.startswith(problem)


def test_a_reason_is_one_line_of_bounded_length_that_can_be_stored() -> None:
    said = json.dumps({"verdict": "right", "reason": "a\n\tb " + "\ud800" + "x" * 1000})
    found = read_whole(said, WORDS)
    assert not isinstance(found, Unusable)
    reason = found[WHOLE].reason
    assert reason.startswith("a b ?x")
    assert len(reason) == REASON
    reason.encode()


@given(SAID)
def test_any_text_is_a_decision_with_an_allowed_word_or_unusable(said: str) -> None:
    whole = read_whole(said, WORDS)
    assert isinstance(whole, Unusable) or whole[WHOLE].verdict in WORDS
    fields = read_fields(said, LABELS, WORDS)
    assert isinstance(fields, Unusable) or set(fields) == {"city", "year"}


@given(st.sampled_from(WORDS), st.text())
def test_what_the_form_asks_for_is_read_back(verdict: str, reason: str) -> None:
    for ascii_only in (True, False):
        found = read_whole(json.dumps({"reason": reason, "verdict": verdict}, ensure_ascii=ascii_only), WORDS)
        assert not isinstance(found, Unusable)
        assert found[WHOLE].verdict == verdict


@pytest.mark.parametrize("said", ["[" * 100_000, '{"a":' * 100_000, "9" * 10_000, '{"verdict": ' + "9" * 10_000 + "}"])
def test_deep_and_huge_texts_are_unusable_too(said: str) -> None:
    assert isinstance(read_whole(said, WORDS), Unusable)


@given(st.text(), st.integers(min_value=1, max_value=300))
def test_one_line_is_never_longer_than_it_may_be(text: str, most: int) -> None:
    line = one_line(text, most)
    assert len(line) <= most
    assert "\n" not in line

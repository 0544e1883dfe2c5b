"""From replies to choices; what is right was decided by hand."""

from __future__ import annotations

import pytest

from recollect.benchmarks.amemgym.score import (
    authors_guess,
    lenient_states,
    read_choice,
    strict_json,
    strict_states,
)

OPTIONS = (
    "Draw up a rota for all seven days of the week.",
    "Prepare alone on Friday and keep the evenings free.",
    "Share Friday's work between the two of you.",
    "Close at noon and do the books after lunch.",
)


@pytest.mark.parametrize(
    ("reply", "number", "form"),
    [
        pytest.param('{"answer": 3}', 3, "json", id="json"),
        pytest.param('So I think\n```json\n{"answer": 2, "why": "x"}\n```\nThat is all.', 2, "json", id="fence"),
        pytest.param('```json\n{"answer": 1}\n```\n```json\n{"answer": 2}\n```', 1, "json", id="first-fence"),
        pytest.param('{"answer": "3"}', 3, "other_json", id="quoted-number"),
        pytest.param('{"Answer": 4}', 4, "other_json", id="capital-key"),
        pytest.param('I choose {"answer": 4}.', 4, "other_json", id="object-in-prose"),
        pytest.param('```\n{"answer": 2}\n```', 2, "other_json", id="fence-without-name"),
        pytest.param('{"answer": 4.0}', 4, "other_json", id="decimal"),
        pytest.param("3", 3, "number", id="bare"),
        pytest.param("**2.**", 2, "number", id="bold"),
        pytest.param("Answer: 2", 2, "number", id="label"),
        pytest.param("[3]", 3, "number", id="list"),
        pytest.param("The best answer is 4, because noon suits you.", 4, "number", id="stated"),
        pytest.param("2. Prepare alone on Friday and keep the evenings free.", 2, "number", id="with-its-text"),
        pytest.param("B", 2, "letter", id="letter"),
        pytest.param("The answer is (C).", 3, "letter", id="letter-stated"),
        pytest.param("Close at noon and do the books after lunch.", 4, "prose", id="text"),
        pytest.param("I would say: share Friday's work between the two of you!", 3, "prose", id="text-in-prose"),
        pytest.param("Share Friday's work between the two of", 3, "prose", id="text-cut-off"),
        pytest.param("To me choice 2 looks right, going by the talks", 2, "prose", id="named"),
        pytest.param('{"answer": 0}', None, "zero", id="zero"),
        pytest.param("0", None, "zero", id="bare-zero"),
        pytest.param('{"answer": 5}', None, "out_of_range", id="too-large"),
        pytest.param('{"answer": -1}', None, "out_of_range", id="negative"),
        pytest.param("7", None, "out_of_range", id="bare-too-large"),
        pytest.param('{"answer": true}', None, "unreadable", id="truth"),
        pytest.param('{"answer": null}', None, "unreadable", id="null"),
        pytest.param("", None, "unreadable", id="empty"),
        pytest.param("I do not know.", None, "unreadable", id="declined"),
        pytest.param("Both option 1 and option 3 would do", None, "unreadable", id="two-named"),
        pytest.param("{" * 5_000, None, "unreadable", id="deep"),
    ],
)
def test_a_reply_is_read_as_a_reader_would(reply: str, number: int | None, form: str) -> None:
    found = read_choice(reply, OPTIONS)
    assert (found.number, found.form) == (number, form)
    assert found.strict == (number if form == "json" else None)


def test_two_options_in_full_are_no_choice() -> None:
    assert read_choice(f"{OPTIONS[0]} Then: {OPTIONS[1]}", OPTIONS).number is None


def test_what_is_too_deep_is_no_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        strict_json("[" * 100_000)


def test_a_guess_goes_by_the_question_and_reaches_every_option() -> None:
    """Chi-square of 400 guesses over 4 options stays far below its 0.001 quantile, 16.3."""
    found = [authors_guess(f"q{number:016x}", 4) for number in range(400)]
    assert found == [authors_guess(f"q{number:016x}", 4) for number in range(400)]
    assert sum((found.count(option) - 100) ** 2 / 100 for option in (1, 2, 3, 4)) < 16.3


def test_states_are_read_strictly_or_not_at_all() -> None:
    assert strict_states('{"a": "x", "c": "y"}', ["a", "b"]) == {"a": "x"}
    assert strict_states('Here: {"a": "x"}', ["a"]) is None
    assert strict_states('["a"]', ["a"]) is None


def test_states_are_read_from_an_object_in_prose_or_from_lines() -> None:
    assert lenient_states('Here: {"stall_days": "daily "}', ["stall_days"]) == {"stall_days": "daily"}
    assert lenient_states('stall_days: "daily"\nhelp: none', ["stall_days", "age"]) == {"stall_days": "daily"}

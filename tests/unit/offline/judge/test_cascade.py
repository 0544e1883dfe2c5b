"""Accepted and rejected references together."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recollect.domain.outcomes import Verdict

Ask = Callable[..., Verdict]
Code = Callable[[Verdict], str]
NOW = "Where does Greta live now?"


@pytest.mark.parametrize(
    ("reply", "right", "reason"),
    [
        ("Oslo", 1.0, "exact"),
        ("Bergen", 0.0, "rejected_matched"),
        ("Oslo and Bergen", 0.0, "rejected_matched"),
        ("first Bergen, now Oslo", 0.0, "rejected_matched"),
        ("She lived in Bergen before and is in Oslo now.", 1.0, "named"),
        ("She moved from Bergen to Oslo.", 1.0, "last_state"),
        ("She moved from Oslo to Bergen.", 0.0, "rejected_matched"),
        ("She left Oslo and lives in Bergen.", 0.0, "rejected_matched"),
        ("Oslo, no longer Bergen", 1.0, "named"),
        ("Rome", 0.0, "no_match"),
    ],
)
def test_a_rejected_value_may_only_be_told_as_past(ask: Ask, code: Code, reply: str, right: float, reason: str) -> None:
    """`first` is no cue of a state that passed: a false reject, the safer side."""
    verdict = ask(NOW, "Oslo", reply, rejected=["Bergen"])
    assert (verdict.value(), code(verdict)) == (right, reason)


def test_an_exact_answer_is_right_although_a_rejected_one_is_like_it(ask: Ask) -> None:
    assert ask("Who?", "Helen Park", "Helen Park", rejected=["Helen Parker", "Park"]).value() == 1.0


def test_an_exact_rejected_answer_is_wrong_although_it_holds_the_accepted_one(ask: Ask, code: Code) -> None:
    verdict = ask("Which car?", "blue car", "dark blue car", rejected=["dark blue car"])
    assert (verdict.value(), code(verdict)) == (0.0, "rejected_matched")


def test_an_answer_that_fits_both_is_wrong(ask: Ask, code: Code) -> None:
    verdict = ask("Who heads the club?", "Anton Meier", "Meier", rejected=["Anna Meier"])
    assert (verdict.value(), code(verdict)) == (0.0, "rejected_matched")


def test_any_accepted_reference_is_enough(ask: Ask) -> None:
    assert ask("Which country?", ["the Netherlands", "Holland"], "Holland").value() == 1.0

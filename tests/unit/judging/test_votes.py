"""Several votes become one: a majority of all that were asked, or undecided."""

from __future__ import annotations

import pytest

from recollect.judging.parsing import Decision, Unusable, count

RIGHT, WRONG, AWAY = Decision("right", "same"), Decision("wrong", "other"), Decision("abstained", "declines")
VOID = Unusable("it has no text")


@pytest.mark.parametrize(
    ("votes", "value", "code"),
    [
        ([RIGHT], 1.0, "model_right"),
        ([WRONG], 0.0, "model_wrong"),
        ([AWAY], 0.0, "model_abstained"),
        ([VOID], None, "judge_unusable"),
        ([RIGHT, RIGHT, WRONG], 1.0, "model_right"),
        ([RIGHT, WRONG, AWAY], 0.0, "model_wrong"),
        ([RIGHT, AWAY, AWAY], 0.0, "model_abstained"),
        ([RIGHT, WRONG], None, "judge_tie"),
        ([RIGHT, RIGHT, VOID], 1.0, "model_right"),
        ([RIGHT, WRONG, VOID], None, "judge_tie"),
        ([RIGHT, VOID, VOID], None, "judge_tie"),
        ([VOID, VOID, VOID], None, "judge_unusable"),
    ],
)
def test_more_than_half_of_all_votes_decide(votes: list[Decision | Unusable], value: float | None, code: str) -> None:
    found = count(votes)
    assert found.value == value
    assert found.why.partition(":")[0] == code


def test_the_reason_of_every_vote_is_kept() -> None:
    why = count([RIGHT, VOID, WRONG, RIGHT]).why
    assert why == "judge_tie: 2 of 4 votes for right: right, same; unusable, it has no text; wrong, other; right, same"
    assert count([RIGHT, RIGHT, WRONG]).why == "model_right: 2 of 3 votes: right, same; right, same; wrong, other"
    assert count([RIGHT]).why == "model_right: same"

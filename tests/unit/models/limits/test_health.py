"""An endpoint that answers no more is told, and ends the run."""

from __future__ import annotations

import pytest

from recollect.domain.errors import DeadModelError, MalformedError, RetryableError
from recollect.models.limits.health import IN_A_ROW, QUIET_S, Health

DOWN = RetryableError("nobody listens.", cause="connection_refused")


def test_calls_given_up_in_a_row_end_the_run() -> None:
    """The last of them; those before are faults of their own."""
    health = Health()
    for _ in range(IN_A_ROW - 1):
        health.given_up("here", DOWN)
    with pytest.raises(DeadModelError, match="here: 3 calls in a row"):
        health.given_up("here", DOWN)


def test_an_answer_between_and_another_endpoint_do_not_count() -> None:
    """Only what is down is dead."""
    health = Health()
    for number in range(3 * IN_A_ROW):
        health.given_up(f"place {number}", DOWN)
        health.given_up("here", DOWN)
        health.answered("here")


def test_a_model_that_rambles_is_not_dead() -> None:
    """Its replies are faults, each for itself."""
    health = Health()
    for _ in range(3 * IN_A_ROW):
        health.given_up("here", MalformedError("prose", cause="not_json"))


def test_a_break_is_told_once_in_a_while() -> None:
    """Sixty-four callers that wait for one server are one remark."""
    now, told = [0.0], list[str]()
    health = Health(say=told.append, clock=lambda: now[0])
    for _ in range(64):
        health.again("here", DOWN)
    assert told == ["nobody listens. Trying again."]
    now[0] = QUIET_S
    health.again("here", DOWN)
    health.again("here", RetryableError("slow down", cause="rate_limited"))
    assert len(told) == 2

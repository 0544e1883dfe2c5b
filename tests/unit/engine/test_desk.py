"""Calls that a system makes from threads of its own: whose they are, and that none fails unseen."""

from __future__ import annotations

import pytest

from recollect.contracts.call_context import CallContext
from recollect.domain.errors import RetryableError
from recollect.engine.systems.call_context import CurrentCall, run_in_context


def lost() -> RetryableError:
    """A call that got no reply."""
    return RetryableError("the server broke", cause="server_error")


def test_a_call_belongs_to_what_the_system_is_doing() -> None:
    """And to nothing before it did anything."""
    desk, occasion = CurrentCall(), CallContext(stage="observe", trial="t")
    assert desk.occasion() is None
    assert run_in_context(occasion, desk.occasion, desk) is occasion


def test_a_call_between_two_works_belongs_to_the_last_one() -> None:
    """A vendor's thread may go on after `write` returned."""
    desk = CurrentCall()
    run_in_context(CallContext(stage="observe", trial="t", row="r"), lambda: None, desk)
    late = desk.occasion()
    assert late is not None
    assert (late.stage, late.trial, late.row) == ("observe", "t", "r")


def test_what_fails_between_two_works_breaks_the_next_one_once() -> None:
    """Else it would be nobody's fault; told twice it would cost what has nothing to do with it."""
    desk = CurrentCall()
    run_in_context(CallContext(stage="observe"), lambda: None, desk)
    late = desk.occasion()
    assert late is not None
    late.note("prompt", lost())
    with pytest.raises(RetryableError, match="the server broke"):
        run_in_context(CallContext(stage="settle"), lambda: None, desk)
    assert run_in_context(CallContext(stage="recall"), lambda: "found", desk) == "found"


def test_what_failed_between_and_was_mended_breaks_nothing() -> None:
    """Asked again, it got its reply."""
    desk = CurrentCall()
    run_in_context(CallContext(stage="observe"), lambda: None, desk)
    late = desk.occasion()
    assert late is not None
    late.note("prompt", lost())
    late.note("prompt", None)
    assert run_in_context(CallContext(stage="settle"), lambda: "well", desk) == "well"


def test_equal_calls_are_counted_on_from_a_work_into_what_follows_it() -> None:
    """Two samples of one prompt stay two, though the second came late."""
    desk, occasion = CurrentCall(), CallContext(stage="observe")
    run_in_context(occasion, lambda: occasion.ordinal("prompt"), desk)
    late = desk.occasion()
    assert late is not None
    assert late.ordinal("prompt") == 1

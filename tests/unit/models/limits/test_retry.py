"""Which answer is which error, and how long to wait before the next try."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import CallError, RefusedError, RetryableError
from recollect.models.limits.retry import backoff, classify, is_hopeless, retry_after, wait_after
from recollect.models.wire.transport import HttpResponse

NOW = "Sat, 21 Nov 2026 10:00:00 GMT"


def answered(status: int, error: Any = None, **headers: str) -> HttpResponse:
    body = b"" if error is None else json.dumps({"error": error}).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponse(status=status, headers=names, body=body, host="h:1")


def error_of(answer: HttpResponse) -> CallError:
    error = classify(answer)
    assert error is not None
    return error


@pytest.mark.parametrize("status", [200, 201, 204])
def test_success_is_no_error(status: int) -> None:
    assert classify(answered(status)) is None


@pytest.mark.parametrize(
    ("answer", "cause", "kind"),
    [
        pytest.param(answered(408), "timeout", RetryableError, id="408"),
        pytest.param(answered(409), "server_error", RetryableError, id="409"),
        pytest.param(answered(425), "server_error", RetryableError, id="425"),
        pytest.param(answered(429), "rate_limited", RetryableError, id="429"),
        pytest.param(answered(500), "server_error", RetryableError, id="500"),
        pytest.param(answered(502), "server_error", RetryableError, id="502"),
        pytest.param(answered(503), "overloaded", RetryableError, id="503"),
        pytest.param(answered(504), "server_error", RetryableError, id="504"),
        pytest.param(answered(529), "overloaded", RetryableError, id="529"),
        pytest.param(answered(500, {"type": "overloaded_error"}), "overloaded", RetryableError, id="500-overloaded"),
        pytest.param(answered(401, {"message": "wrong key"}), "not_allowed", RefusedError, id="401"),
        pytest.param(answered(403), "not_allowed", RefusedError, id="403"),
        pytest.param(answered(402), "no_credit", RefusedError, id="402"),
        pytest.param(answered(429, {"code": "insufficient_quota"}), "no_credit", RefusedError, id="429-no-quota"),
        pytest.param(
            answered(400, {"message": "Your credit balance is too low"}), "no_credit", RefusedError, id="400-no-credit"
        ),
        pytest.param(
            answered(429, {"status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota, see billing"}),
            "rate_limited",
            RetryableError,
            id="429-quota-of-a-minute",
        ),
        pytest.param(
            answered(429, {"message": "Request too large for m on tokens per min (TPM): Limit 10, Requested 12"}),
            "too_long",
            RefusedError,
            id="429-more-than-a-minute-holds",
        ),
        pytest.param(
            answered(429, {"message": "exceeds the limit of 30 tokens per minute"}),
            "rate_limited",
            RetryableError,
            id="429-tokens-per-minute",
        ),
        pytest.param(
            answered(400, {"code": "context_length_exceeded", "message": "x"}), "too_long", RefusedError, id="400-long"
        ),
        pytest.param(
            answered(400, {"message": "prompt is too long: 9 tokens > 8 maximum"}),
            "too_long",
            RefusedError,
            id="400-prompt-too-long",
        ),
        pytest.param(answered(413), "too_long", RefusedError, id="413"),
        pytest.param(answered(400, {"code": "content_filter"}), "filtered", RefusedError, id="400-filtered"),
        pytest.param(answered(400), "bad_request", RefusedError, id="400"),
        pytest.param(answered(404, "no such model"), "bad_request", RefusedError, id="404"),
        pytest.param(answered(422), "bad_request", RefusedError, id="422"),
        pytest.param(answered(302), "bad_request", RefusedError, id="redirect"),
    ],
)
def test_every_status_has_its_cause(answer: HttpResponse, cause: str, kind: type[CallError]) -> None:
    error = error_of(answer)
    assert error.cause == cause
    assert type(error) is kind
    assert f"server at h:1: HTTP {answer.status}" in str(error)


def test_what_the_server_says_is_in_the_message_and_what_looks_like_a_key_is_not() -> None:
    error = error_of(answered(401, {"message": "Incorrect key sk-proj-abcdefgh12345678 for model x"}))
    assert "Incorrect key *** for model x" in str(error)


def test_a_page_of_html_is_shown_by_its_beginning() -> None:
    error = error_of(HttpResponse(status=502, body=b"<html>\n<h1>Bad   gateway</h1>" + b"x" * 5000, host="h"))
    assert "<html> <h1>Bad gateway</h1>" in str(error)
    assert len(str(error)) < 400


def test_the_pause_that_is_asked_for_comes_with_the_error_and_survives_pickling() -> None:
    error = error_of(answered(429, retry_after="7"))
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, RetryableError)
    assert (again.retry_after, again.cause, str(again)) == (7.0, "rate_limited", str(error))


def test_a_pause_of_hours_is_a_refusal() -> None:
    """No run waits for tomorrow's quota; the message says how long it would be."""
    error = error_of(answered(429, retry_after="43200"))
    assert isinstance(error, RefusedError)
    assert error.cause == "rate_limited"
    assert "43,200 s" in str(error)


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        pytest.param({}, None, id="none"),
        pytest.param({"retry-after": "3"}, 3.0, id="seconds"),
        pytest.param({"Retry-After": " 0.25 "}, 0.25, id="part-of-a-second"),
        pytest.param({"retry-after": "1500ms"}, 1.5, id="unit-ms"),
        pytest.param({"retry-after": "2s"}, 2.0, id="unit-s"),
        pytest.param({"retry-after": "0"}, 0.0, id="at-once"),
        pytest.param({"retry-after-ms": "250", "retry-after": "1"}, 0.25, id="ms-before-seconds"),
        pytest.param({"x-ms-retry-after-ms": "250"}, 0.25, id="ms-by-another-name"),
        pytest.param({"retry-after": "Sat, 21 Nov 2026 10:00:30 GMT", "date": NOW}, 30.0, id="date"),
        pytest.param({"retry-after": "Sat, 21 Nov 2026 11:00:10 +0100", "date": NOW}, 10.0, id="date-of-another-zone"),
        pytest.param({"retry-after": "Sat, 21 Nov 2026 09:00:00 GMT", "date": NOW}, 0.0, id="date-gone-by"),
        pytest.param({"retry-after": "Sat, 21 Nov 2026 10:00:30 GMT"}, None, id="date-without-a-clock"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
        pytest.param({"retry-after": "-5"}, None, id="negative"),
        pytest.param({"retry-after": "nan"}, None, id="nan"),
        pytest.param({"retry-after": "9" * 400}, None, id="endless"),
    ],
)
def test_a_pause_is_read_in_every_form_it_comes_in(headers: dict[str, str], wanted: float | None) -> None:
    assert retry_after(headers) == wanted


@given(st.text(), st.text())
def test_whatever_the_header_says_it_is_a_pause_or_nothing(told: str, date: str) -> None:
    pause = retry_after({"retry-after": told, "date": date})
    assert pause is None or 0 <= pause < float("inf")


@given(st.integers(100, 599), st.binary(max_size=80), st.text(max_size=20))
def test_any_answer_is_a_success_or_a_named_error(status: int, body: bytes, told: str) -> None:
    error = classify(HttpResponse(status=status, headers={"retry-after": told}, body=body))
    assert (error is None) == (200 <= status < 300)
    assert error is None or error.cause


@given(st.integers(1, 10_000), st.text(max_size=10))
def test_waits_are_bounded_and_the_same_in_every_run(attempt: int, key: str) -> None:
    wait = backoff(attempt, key)
    assert 0.1 <= wait <= 30.0
    assert wait == backoff(attempt, key)


def test_waits_grow_with_each_try_and_differ_between_calls() -> None:
    waits = [backoff(attempt, "k") for attempt in range(1, 8)]
    assert waits == sorted(waits)
    assert waits[0] <= 0.2
    assert sum(waits) > 15.0  # a server that restarts is waited for
    assert len({backoff(3, str(key)) for key in range(50)}) == 50


def test_a_call_that_was_one_too_many_comes_back_soon_however_often_that_was() -> None:
    """The gate holds calls back; a failure of the server lets the wait grow."""
    assert wait_after(["rate_limited"] * 6, "k") <= 0.2
    assert wait_after(["server_error"] * 6, "k") >= 5.0
    assert wait_after(["rate_limited"] * 6 + ["server_error"], "k") <= 0.2


def test_what_the_server_asks_for_is_the_least_that_is_waited() -> None:
    assert wait_after(["rate_limited"], "k", 12.5) == 12.5
    assert wait_after(["server_error"] * 7, "k", 0.01) > 5


def test_refusals_as_one_too_many_use_up_less_patience_than_failures_and_still_end() -> None:
    assert not is_hopeless(["server_error"] * 7, 8)
    assert is_hopeless(["server_error"] * 8, 8)
    assert not is_hopeless(["rate_limited"] * 20 + ["timeout"] * 7, 8)
    assert is_hopeless(["overloaded"] * 32, 8)

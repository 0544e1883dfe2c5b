"""What an endpoint complains of, and which error that is: the same words mean the same in a status and in a reply."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.wire.parsing import Json, shown

LONGEST_PAUSE_S = 900.0
"""Whoever asks for a longer pause has a limit by the hour or the day: no run waits for that."""

_TOO_LARGE = re.compile(r"(?i)request (is )?too large|request_too_large")
"""Also where the status says rate limit: one request alone is above what a minute allows."""
_TOO_LONG = re.compile(
    r"(?i)context[ _](length|window|size)|maximum context|(prompt|input) is too long|string_above_max_length"
    r"|exceeds the (model'?s? )?(maximum|max|limit)\b.*\btoken"
)
_NO_CREDIT = re.compile(
    r"(?i)insufficient[ _](quota|credit|balance|funds)|credit balance|payment[ _]required|billing_(hard|not)"
)
_FILTERED = re.compile(r"(?i)content[ _]?(filter|policy|management policy)|responsibleaipolicy|data_inspection_failed")
_RATE = re.compile(r"(?i)rate[ _-]?limit|too[ _]many[ _]requests|throttl|resource[ _]exhausted|\b429\b")
_OVERLOADED = re.compile(r"(?i)overload|unavailable|(over|no|insufficient|at)[ _]capacity|\b(503|529)\b")

_ADVICE = {
    "rate_limited": "Lower `in_flight`, or set `per_minute` to what the endpoint allows.",
    "overloaded": "Try again later, or lower `in_flight`.",
    "server_error": "Try again later; if it stays, ask those who run the endpoint.",
    "timeout": "Raise `timeout_s`, or lower `in_flight`.",
    "not_allowed": "Check the key that `key_env` names, and what it may use.",
    "no_credit": "Add credit or raise the quota, then run again: what was paid for is kept.",
    "too_long": "Lower the context budget or `max_tokens`, or take a model that reads more at once.",
    "filtered": "The provider does not let this prompt or reply through.",
    "bad_request": "Check `model`, `base_url` and the fields under `extra`.",
    "error_in_reply": "If it stays, ask those who run the endpoint.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointError:
    """An error as the endpoint words it."""

    message: str
    marks: str = ""
    """Its type, code and status, as they came."""
    number: int | None = None
    """Its code, where that is an HTTP status."""


def error_details_in(value: Json) -> EndpointError | None:
    """The error that a JSON reply holds, if it holds one."""
    error = value.get("error")
    if isinstance(error, str) and error:
        return EndpointError(message=error, marks=_marks(value), number=_number(value))
    if isinstance(error, dict) and error:
        return _worded(error)
    bare = "choices" not in value and "data" not in value
    if value.get("object") == "error" or (bare and "message" in value and ("code" in value or "type" in value)):
        return _worded(value)
    return EndpointError(message=_text(error)) if error and bare else None


def error_details_of(body: bytes) -> EndpointError:
    """The error of a reply whose status says that it is one; what it begins with where it is no JSON."""
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        return EndpointError(message=shown(body))
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return EndpointError(message=shown(body))
    return error_details_in(value) or _worded(value)


def error_in_reply(place: str, complaint: EndpointError) -> CallError:
    """The error of a complaint that came with a status that said all was well."""
    limited = complaint.number == 429 or bool(_RATE.search(complaint.marks))
    known = _whatever_the_status(complaint, limited=limited)
    if known:
        return _refused(place, "error in a reply", known, complaint)
    if limited:
        return _retryable(place, "error in a reply", "rate_limited", complaint)
    if _OVERLOADED.search(complaint.marks) or complaint.number in {503, 529}:
        return _retryable(place, "error in a reply", "overloaded", complaint)
    if complaint.number is not None and 400 <= complaint.number < 500:
        return _refused(place, "error in a reply", "error_in_reply", complaint)
    if complaint.number is not None:
        return _retryable(place, "error in a reply", "error_in_reply", complaint)
    return MalformedError(_told(place, "error in a reply", "error_in_reply", complaint), cause="error_in_reply")


def error_of_status(place: str, status: int, complaint: EndpointError, wait: float | None) -> CallError:
    """The error of an HTTP status that is none of success; *wait* is what its headers ask for, in seconds."""
    how = f"HTTP {status}"
    known = "not_allowed" if status in {401, 403} else _whatever_the_status(complaint, limited=status == 429)
    known = known or {402: "no_credit", 413: "too_long"}.get(status, "")
    if known:
        return _refused(place, how, known, complaint)
    cause = _worth_another_try(status, complaint)
    if cause is None:
        return _refused(place, how, "bad_request", complaint)
    if wait is not None and wait > LONGEST_PAUSE_S:
        asked = EndpointError(message=f"{complaint.message} (asks to wait {wait:,.0f} s)")
        return _refused(place, how, cause, asked)
    return _retryable(place, how, cause, complaint, wait or 0.0)


def _worth_another_try(status: int, complaint: EndpointError) -> str | None:
    if status == 429:
        return "rate_limited"
    if status in {503, 529} or (status >= 500 and _OVERLOADED.search(complaint.marks)):
        return "overloaded"
    if status == 408:
        return "timeout"
    return "server_error" if status >= 500 or status in {409, 425} else None


def _whatever_the_status(complaint: EndpointError, *, limited: bool) -> str:
    """Causes that no second try mends, by the words that providers use for them."""
    words = f"{complaint.marks} {complaint.message}"
    if _NO_CREDIT.search(words):
        return "no_credit"
    if _TOO_LARGE.search(words) or (not limited and _TOO_LONG.search(words)):
        return "too_long"
    return "filtered" if _FILTERED.search(complaint.marks) else ""


def _worded(error: Json) -> EndpointError:
    said = next((error[name] for name in ("message", "detail", "msg", "error") if error.get(name)), error)
    return EndpointError(message=_text(said), marks=_marks(error), number=_number(error))


def _text(said: object) -> str:
    if isinstance(said, str):
        return said
    try:
        return json.dumps(said)
    except RecursionError:
        return "an error nested too deep to be shown"


def _marks(error: Json) -> str:
    inner = error.get("innererror")
    more = [inner.get("code")] if isinstance(inner, dict) else []
    found = [error.get(name) for name in ("type", "code", "status")] + more
    return " ".join(str(mark) for mark in found if isinstance(mark, str | int))


def _number(error: Json) -> int | None:
    for name in ("code", "status"):
        found = error.get(name)
        number = int(found) if isinstance(found, str) and re.fullmatch("[45][0-9]{2}", found) else found
        if isinstance(number, int) and 400 <= number < 600:
            return number
    return None


def _told(place: str, how: str, cause: str, complaint: EndpointError) -> str:
    return f"{place}: {how}: `{shown(complaint.message)}`. {_ADVICE[cause]}"


def _refused(place: str, how: str, cause: str, complaint: EndpointError) -> RefusedError:
    return RefusedError(_told(place, how, cause, complaint), cause=cause)


def _retryable(place: str, how: str, cause: str, complaint: EndpointError, wait: float = 0.0) -> RetryableError:
    return RetryableError(_told(place, how, cause, complaint), cause=cause, retry_after=wait)

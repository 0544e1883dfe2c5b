"""Errors of an endpoint, with an HTTP status or inside a reply, as errors of Recollect."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.wire.parsing import Json, shown

LONGEST_PAUSE_S = 900.0
"""A longer pause means a limit by the hour or the day: no run waits for that."""

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
    number: int | None = None


def error_details_in(value: Json) -> EndpointError | None:
    """The error in a JSON reply, if there is one."""
    error = value.get("error")
    if isinstance(error, str) and error:
        return EndpointError(message=error, marks=_marks(value), number=_number(value))
    if isinstance(error, dict) and error:
        return _details(error)
    bare = "choices" not in value and "data" not in value
    if value.get("object") == "error" or (bare and "message" in value and ("code" in value or "type" in value)):
        return _details(value)
    return EndpointError(message=_text(error)) if error and bare else None


def error_details_of(body: bytes) -> EndpointError:
    """The error in the body of an error response; its beginning where it is no JSON."""
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        return EndpointError(message=shown(body))
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return EndpointError(message=shown(body))
    return error_details_in(value) or _details(value)


def error_in_reply(place: str, complaint: EndpointError) -> CallError:
    """The error of a complaint in a successful response."""
    number = complaint.number
    limited = number == 429 or bool(_RATE.search(complaint.marks))
    kind: type[CallError] = RetryableError
    cause = _permanent_cause(complaint, limited=limited)
    if cause:
        kind = RefusedError
    elif limited:
        cause = "rate_limited"
    elif _OVERLOADED.search(complaint.marks) or number in {503, 529}:
        cause = "overloaded"
    else:
        cause = "error_in_reply"
        if number is None:
            kind = MalformedError
        elif 400 <= number < 500:
            kind = RefusedError
    return kind(_message(place, "error in a reply", cause, complaint.message), cause=cause)


def error_of_status(place: str, status: int, complaint: EndpointError, wait: float | None) -> CallError:
    """The error of an unsuccessful HTTP status; *wait* is what its headers ask for, in seconds."""
    how, text = f"HTTP {status}", complaint.message
    cause = "not_allowed" if status in {401, 403} else _permanent_cause(complaint, limited=status == 429)
    cause = cause or {402: "no_credit", 413: "too_long"}.get(status, "")
    if cause:
        return RefusedError(_message(place, how, cause, text), cause=cause)
    if status in {503, 529} or (status >= 500 and _OVERLOADED.search(complaint.marks)):
        cause = "overloaded"
    elif status >= 500 or status in {409, 425}:
        cause = "server_error"
    else:
        cause = {429: "rate_limited", 408: "timeout"}.get(status, "bad_request")
    if cause == "bad_request":
        return RefusedError(_message(place, how, cause, text), cause=cause)
    if wait is not None and wait > LONGEST_PAUSE_S:
        return RefusedError(_message(place, how, cause, f"{text} (asks to wait {wait:,.0f} s)"), cause=cause)
    return RetryableError(_message(place, how, cause, text), cause=cause, retry_after=wait or 0.0)


def _permanent_cause(complaint: EndpointError, *, limited: bool) -> str:
    """A cause that no retry changes, by the words that providers use for it."""
    words = f"{complaint.marks} {complaint.message}"
    if _NO_CREDIT.search(words):
        return "no_credit"
    if _TOO_LARGE.search(words) or (not limited and _TOO_LONG.search(words)):
        return "too_long"
    return "filtered" if _FILTERED.search(complaint.marks) else ""


def _details(error: Json) -> EndpointError:
    message = next((error[name] for name in ("message", "detail", "msg", "error") if error.get(name)), error)
    return EndpointError(message=_text(message), marks=_marks(error), number=_number(error))


def _text(message: object) -> str:
    if isinstance(message, str):
        return message
    try:
        return json.dumps(message)
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


def _message(place: str, how: str, cause: str, text: str) -> str:
    return f"{place}: {how}: `{shown(text)}`. {_ADVICE[cause]}"

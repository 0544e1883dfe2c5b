"""Our errors as a caller over HTTP is told them: a status, and an error object of OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.errors import (
    CallError,
    InterruptedRunError,
    OverBudgetError,
    RefusedError,
    RetryableError,
    UsageError,
)
from recollect.gateway.backing import BadRequestError

FINAL = {"x-should-retry": "false"}
"""The call was tried as often as it is worth; SDKs that know the header do not multiply that by their own tries."""
_TYPES: Mapping[int, str] = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}


def status_of(error: Exception) -> tuple[int, str]:
    """The HTTP status of *error*, and a short code for it."""
    if isinstance(error, BadRequestError):
        return error.status, error.code
    if isinstance(error, OverBudgetError):
        return 402, "over_budget"
    if isinstance(error, InterruptedRunError):
        return 503, "interrupted"
    cause = error.cause if isinstance(error, CallError) else ""
    if isinstance(error, RetryableError) and cause == "rate_limited":
        return 429, cause
    if isinstance(error, RefusedError | UsageError):
        return 400, cause or "refused"
    return 500, cause or type(error).__name__


def told(error: Exception) -> tuple[int, Mapping[str, Any]]:
    """Status and body for *error*. What is not our own is told by its name alone: it may hold anything."""
    from recollect.domain.errors import RecollectError

    status, code = status_of(error)
    message = str(error) if isinstance(error, RecollectError) else f"the gateway broke: {type(error).__name__}"
    kind = _TYPES.get(status, "api_error")
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}

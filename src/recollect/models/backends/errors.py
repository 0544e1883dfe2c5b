"""What a package raises, as errors with causes: by the statuses and kinds in its chain of causes, never by its class.

Packages wrap the errors of the SDKs that they call, and those wrap the errors of their HTTP clients. The innermost one
that knows an HTTP status has the server's own words; where there is none, the kinds of the innermost ones tell whether
the connection failed, the time was up, or the reply was none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from recollect.domain.errors import CallError, MalformedError, RefusedError, RetryableError
from recollect.models.backends.secrets import masked
from recollect.models.limits.retry import retry_after
from recollect.models.settings import ModelSettings
from recollect.models.wire.errors import EndpointError, error_details_of, error_in_reply, error_of_status
from recollect.models.wire.parsing import label_of, shown

UNKNOWN = "back_end"
"""Cause of what is none of the others."""
_LATE = re.compile(r"Timeout")
_REFUSED = re.compile(r"ConnectError|ConnectorError|ConnectionRefused|ConnectTimeout|gaierror|NameResolution")
_CLOSED = re.compile(r"Connection|Disconnect|RemoteProtocol|ReadError|WriteError|IncompleteRead|BrokenPipe")
_MARKS = {"ContextWindowExceededError": "context_length_exceeded", "ContentPolicyViolationError": "content_filter"}
"""What classes of packages say, in the words that providers use."""


def error_of(settings: ModelSettings, error: BaseException) -> CallError:
    """The named error that *error* is."""
    chain = tuple(_chain(error))
    answered = [one for one in chain if _status(one) is not None and _is_of_server(one)]
    if answered:
        return _by_status(settings, answered[-1], chain)
    return _by_kind(label_of(settings), chain) or _other(settings, chain)


def _by_kind(place: str, chain: Sequence[BaseException]) -> CallError | None:
    """What broke where no server answered; `None` where the kinds of the errors do not say."""
    if any(_lacks_key(one) for one in chain):
        told = f"{place}: no key was found. Set the variable that the package reads, such as `OPENAI_API_KEY`"
        return RefusedError(f"{told}, or name one with `key_env`.", cause="not_allowed")
    names = " ".join(type(one).__name__ for one in chain if not _is_of_wrapper(one))
    if _REFUSED.search(names):
        told = f"{place}: it cannot be reached. Check that it runs, `base_url`, and the network."
        return RetryableError(told, cause="connection_refused")
    if _LATE.search(names):
        return RetryableError(f"{place}: no reply in time. Raise `timeout_s`.", cause="timeout")
    if any(isinstance(one, json.JSONDecodeError) for one in chain):
        return MalformedError(f"{place}: the reply is not JSON. Check `base_url`.", cause="not_json")
    if _CLOSED.search(names):
        told = f"{place}: the connection was closed before the reply was complete. It is tried again."
        return RetryableError(told, cause="connection_closed")
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those that it was made of, the outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        last = getattr(error, "last_attempt", None)  # of a retrier that was told to try once
        if last is None:
            yield error
        error = last.exception() if last is not None else error.__cause__ or error.__context__


def _lacks_key(error: BaseException) -> bool:
    """OpenAI's SDK, which many providers are reached by, raises the bare base of its errors where it has no key."""
    return type(error).__name__ == "OpenAIError" and type(error).__module__.startswith("openai")


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        found = getattr(holder, "status_code", None)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 400:
            return found
    return None


def _is_of_server(error: BaseException) -> bool:
    """Its status was sent by a server, and not made up for an error that had none."""
    return _headers(error) is not None and not _is_of_wrapper(error)


def _is_of_wrapper(error: BaseException) -> bool:
    return type(error).__module__.startswith(("litellm", "inspect_ai"))


def _headers(error: BaseException) -> Mapping[str, str] | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else None


def _by_status(settings: ModelSettings, error: BaseException, chain: Sequence[BaseException]) -> CallError:
    known = next((one for one in reversed(chain) if getattr(one, "body", None)), error)
    wait = retry_after(_headers(error) or {})
    return error_of_status(label_of(settings), _status(error) or 500, _complaint(settings, known, chain), wait)


def _complaint(settings: ModelSettings, error: BaseException, chain: Sequence[BaseException]) -> EndpointError:
    """The server's own words, or those of the package."""
    body = getattr(error, "body", None)
    marks = " ".join(_MARKS[type(one).__name__] for one in chain if type(one).__name__ in _MARKS)
    if isinstance(body, Mapping):
        told = error_details_of(masked(settings, json.dumps({"error": dict(body)}, default=str).encode()))
        return EndpointError(message=told.message, marks=f"{told.marks} {marks}".strip(), number=told.number)
    return EndpointError(message=shown(masked(settings, str(error).encode("utf-8", "replace"))), marks=marks)


def _other(settings: ModelSettings, chain: Sequence[BaseException]) -> CallError:
    """An error without a server's status: the package has one of its own, or could not make sense of the reply."""
    place, first = label_of(settings), chain[0]
    status = _status(first)
    made_up = status == 500 and _is_of_wrapper(first)  # for replies that it could not read
    if status is not None and not made_up:
        return error_of_status(place, status, _complaint(settings, first, chain), None)
    if _is_of_wrapper(first):
        return error_in_reply(place, _complaint(settings, first, chain))
    told = f"{place}: the package could not make sense of the reply ({type(first).__name__})."
    return MalformedError(f"{told} If it stays, look at what the server sends.", cause=UNKNOWN)

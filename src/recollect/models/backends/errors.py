"""Errors of packages as errors with causes, by the statuses and types in their chains of causes.

Packages wrap the errors of the SDKs that they call, and those wrap the errors of their HTTP clients. The innermost one
with an HTTP status has the server's message; where there is none, the types of the innermost ones tell whether the
connection failed, timed out, or gave a malformed reply.
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
_REFUSED = re.compile(r"ConnectError|ConnectorError|ConnectionRefused|ConnectTimeout|gaierror|NameResolution")
_CLOSED = re.compile(r"Connection|Disconnect|RemoteProtocol|ReadError|WriteError|IncompleteRead|BrokenPipe")
_MARKS = {"ContextWindowExceededError": "context_length_exceeded", "ContentPolicyViolationError": "content_filter"}
"""Error class of a package -> the code that providers use."""


def error_of(settings: ModelSettings, error: BaseException) -> CallError:
    """The named error of *error*."""
    chain = tuple(_chain(error))
    answered = [link for link in chain if _status(link) and _headers(link) is not None and not _is_wrapper(link)]
    if answered:
        worded = next((link for link in reversed(chain) if getattr(link, "body", None)), answered[-1])
        complaint, wait = _complaint(settings, worded, chain), retry_after(_headers(answered[-1]) or {})
        return error_of_status(label_of(settings), _status(answered[-1]) or 500, complaint, wait)
    return _by_kind(label_of(settings), chain) or _other(settings, chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        last = getattr(error, "last_attempt", None)  # of a retrier that tries once
        if last is None:
            yield error
        error = last.exception() if last is not None else error.__cause__ or error.__context__


def _by_kind(place: str, chain: Sequence[BaseException]) -> CallError | None:
    # OpenAI's SDK, which many providers use, raises the base class of its errors where it has no key
    if any(type(link).__name__ == "OpenAIError" and type(link).__module__.startswith("openai") for link in chain):
        problem = f"{place}: no key was found. Set the variable that the package reads, such as `OPENAI_API_KEY`"
        return RefusedError(f"{problem}, or name one with `key_env`.", cause="not_allowed")
    names = " ".join(type(link).__name__ for link in chain if not _is_wrapper(link))
    if _REFUSED.search(names):
        problem = f"{place}: it cannot be reached. Check that it runs, `base_url`, and the network."
        return RetryableError(problem, cause="connection_refused")
    if "Timeout" in names:
        return RetryableError(f"{place}: no reply in time. Raise `timeout_s`.", cause="timeout")
    if any(isinstance(link, json.JSONDecodeError) for link in chain):
        return MalformedError(f"{place}: the reply is not JSON. Check `base_url`.", cause="not_json")
    if _CLOSED.search(names):
        problem = f"{place}: the connection was closed before the reply was complete. It is tried again."
        return RetryableError(problem, cause="connection_closed")
    return None


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        found = getattr(holder, "status_code", None)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 400:
            return found
    return None


def _is_wrapper(error: BaseException) -> bool:
    return type(error).__module__.startswith(("litellm", "inspect_ai"))


def _headers(error: BaseException) -> Mapping[str, str] | None:
    """Headers of the response; an error without them may have a made-up status."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else None


def _complaint(settings: ModelSettings, error: BaseException, chain: Sequence[BaseException]) -> EndpointError:
    body = getattr(error, "body", None)
    marks = " ".join(_MARKS[type(link).__name__] for link in chain if type(link).__name__ in _MARKS)
    if isinstance(body, Mapping):
        found = error_details_of(masked(settings, json.dumps({"error": dict(body)}, default=str).encode()))
        return EndpointError(message=found.message, marks=f"{found.marks} {marks}".strip(), number=found.number)
    return EndpointError(message=shown(masked(settings, str(error).encode("utf-8", "replace"))), marks=marks)


def _other(settings: ModelSettings, chain: Sequence[BaseException]) -> CallError:
    """An error without a server's status: the package made one up, or could not parse the reply."""
    place, first = label_of(settings), chain[0]
    status = _status(first)
    if status is not None and not (status == 500 and _is_wrapper(first)):  # 500: a reply that it could not parse
        return error_of_status(place, status, _complaint(settings, first, chain), None)
    if _is_wrapper(first):
        return error_in_reply(place, _complaint(settings, first, chain))
    problem = f"{place}: the package could not make sense of the reply ({type(first).__name__})."
    return MalformedError(f"{problem} If it stays, look at what the server sends.", cause=UNKNOWN)

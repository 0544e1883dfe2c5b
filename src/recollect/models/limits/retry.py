"""Retries: which response is which error, how long the server asks to wait, how long to wait otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import blake2b

from recollect.domain.errors import CallError
from recollect.models.limits.gate import TOO_MANY
from recollect.models.wire.errors import error_details_of, error_of_status
from recollect.models.wire.transport import HttpResponse

FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 30.0
PATIENCE = 4
"""A rate-limited call gets so many times the tries of one that fails."""
_FACTOR = 2.0
_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(ms|s)?")
_IN_MS = ("retry-after-ms", "x-ms-retry-after-ms")


def classify(response: HttpResponse) -> CallError | None:
    """The error of a response; `None` where its status is one of success."""
    if 200 <= response.status < 300:
        return None
    place = f"server at {response.host}" if response.host else "server"
    complaint = error_details_of(response.body)
    return error_of_status(place, response.status, complaint, retry_after(response.headers))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; `None` where it does not say, or in no way that can be read.

    A date is measured against the reply's own: the clock here may be wrong, and is no part of a run.
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    for name in _IN_MS:
        seconds = _seconds(lower.get(name, ""), 1000)
        if seconds is not None:
            return seconds
    seconds = _seconds(lower.get("retry-after", ""), 1)
    if seconds is not None:
        return seconds
    end, now = _date(lower.get("retry-after", "")), _date(lower.get("date", ""))
    return None if end is None or now is None else max(0.0, (end - now).total_seconds())


def backoff(attempt: int, key: str) -> float:
    """Seconds to wait after try *attempt*, counted from 1: longer each time, capped, spread by a digest of *key*.

    The same call waits the same time in every run; different calls do not come back all at once.
    """
    full = min(LONGEST_WAIT_S, FIRST_WAIT_S * _FACTOR ** min(max(attempt, 1) - 1, 16))
    digest = blake2b(f"{key}:{attempt}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return full * (0.5 + int.from_bytes(digest, "big") / 2**65)


def wait_after(causes: Sequence[str], key: str, asked_s: float = 0.0) -> float:
    """Seconds to wait before the next try, after tries that failed by *causes*; at least what the server asked for.

    A rate-limited call is tried again soon, since the gate limits all calls; waiting longer each time would leave the
    endpoint idle while every caller sleeps.
    """
    failed = [cause for cause in causes if cause not in TOO_MANY]
    refused = bool(causes) and causes[-1] in TOO_MANY
    own = backoff(1, f"{key}:{len(causes)}") if refused else backoff(len(failed), key)
    return max(asked_s, own)


def is_hopeless(causes: Sequence[str], attempts: int) -> bool:
    """Whether to give up a call after tries that failed by *causes*, where *attempts* of them may fail.

    Rate limits do not count as failures, since they say nothing about the call; yet they are not retried forever.
    """
    failed = sum(cause not in TOO_MANY for cause in causes)
    return failed >= attempts or len(causes) >= PATIENCE * attempts


def _seconds(text: str, parts: int) -> float | None:
    """A plain number in *parts* of a second, or one that names its unit."""
    match = _NUMBER.fullmatch(text.lower())
    if match is None:
        return None
    number = float(match[1]) / {"ms": 1000, "s": 1, None: parts}[match[2]]
    return number if math.isfinite(number) else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
        return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None

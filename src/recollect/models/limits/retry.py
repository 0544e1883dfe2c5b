"""When to try again: which answer is which error, how long the server asks to wait, how long we wait by ourselves."""

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
"""A call that is refused as one too many gets so many times the tries of one that fails."""
_FACTOR = 2.0
_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(ms|s)?")
_IN_MS = ("retry-after-ms", "x-ms-retry-after-ms")


def classify(answered: HttpResponse) -> CallError | None:
    """The error that an answer is; `None` where its status says that it is none."""
    if 200 <= answered.status < 300:
        return None
    place = f"server at {answered.host}" if answered.host else "server"
    complaint = error_details_of(answered.body)
    return error_of_status(place, answered.status, complaint, retry_after(answered.headers))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; `None` where it does not say, or in no way that can be read.

    A date is measured against the reply's own: the clock here may be wrong, and is no part of a run.
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    for name in _IN_MS:
        told = _seconds(lower.get(name, ""), 1000)
        if told is not None:
            return told
    told = _seconds(lower.get("retry-after", ""), 1)
    return told if told is not None else _until(lower.get("retry-after", ""), lower.get("date", ""))


def backoff(attempt: int, key: str) -> float:
    """Seconds to wait after try *attempt*, counted from 1: longer each time, capped, spread by a digest of *key*.

    The same call waits the same time in every run; different calls do not come back all at once.
    """
    full = min(LONGEST_WAIT_S, FIRST_WAIT_S * _FACTOR ** min(max(attempt, 1) - 1, 16))
    drawn = blake2b(f"{key}:{attempt}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return full * (0.5 + int.from_bytes(drawn, "big") / 2**65)


def wait_after(causes: Sequence[str], key: str, told_s: float = 0.0) -> float:
    """Seconds to wait before the next try, after tries that failed by *causes*; at least what the server asked for.

    Whoever was refused as one too many comes back soon: it is the gate that holds calls back, for all of them. Waiting
    longer each time would leave the endpoint idle while every caller sleeps.
    """
    failed = [cause for cause in causes if cause not in TOO_MANY]
    refused = bool(causes) and causes[-1] in TOO_MANY
    own = backoff(1, f"{key}:{len(causes)}") if refused else backoff(len(failed), key)
    return max(told_s, own)


def is_hopeless(causes: Sequence[str], attempts: int) -> bool:
    """Whether to give up a call after tries that failed by *causes*, where *attempts* of them may fail.

    Refusals as one too many do not count as failures, for they say nothing about the call; yet they end some time.
    """
    failed = sum(cause not in TOO_MANY for cause in causes)
    return failed >= attempts or len(causes) >= PATIENCE * attempts


def _seconds(told: str, parts: int) -> float | None:
    """A plain number in *parts* of a second, or one that names its unit."""
    match = _NUMBER.fullmatch(told.lower())
    if match is None:
        return None
    number = float(match[1]) / {"ms": 1000, "s": 1, None: parts}[match[2]]
    return number if math.isfinite(number) else None


def _until(told: str, now: str) -> float | None:
    end, start = _date(told), _date(now)
    if end is None or start is None:
        return None
    return max(0.0, (end - start).total_seconds())


def _date(told: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(told)
        return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None

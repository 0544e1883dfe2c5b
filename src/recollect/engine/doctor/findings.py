"""What a check can say, and what a check is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from recollect.engine.doctor.bench import Bench
from recollect.records.memory_card import Outcome


class Finding(NamedTuple):
    """What came of a check."""

    result: Outcome
    why: str
    number: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check; the table of them is the doctor."""

    name: str
    proves: str
    how: str
    run: Callable[[Bench], Finding]


def passed(why: str, number: float | None = None) -> Finding:
    """It is as it should be, as far as was looked."""
    return Finding("pass", why, number)


def failed(why: str, number: float | None = None) -> Finding:
    """It is not."""
    return Finding("fail", why, number)


def absent(why: str) -> Finding:
    """It cannot be told of this system, and why."""
    return Finding("not available", why)


HOLDS_NOTHING = absent("it holds nothing, by its traits")

"""Splits the work between processes and machines: a trial is a shard."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.domain.errors import UsageError
from recollect.engine.plan import Trial


def shard(trials: Sequence[Trial], number: int, of: int) -> list[Trial]:
    """The *number*-th of *of* parts; every trial is in exactly one of them, whoever asks."""
    if not 1 <= number <= of:
        raise UsageError(f"--shard {number}/{of}: the first number counts from 1 to the second.")
    ordered = sorted(trials, key=lambda trial: trial.trial_id)
    return ordered[number - 1 :: of]


def parse_shard(text: str) -> tuple[int, int]:
    """`2/8` as numbers."""
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal()):
        raise UsageError(f"--shard {text!r}: not of the form i/n, such as 2/8.")
    return int(first), int(second)

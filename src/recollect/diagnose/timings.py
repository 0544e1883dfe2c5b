"""Seconds of single calls. They differ from run to run, and are no part of what a run is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from recollect.diagnose.estimates import rounded
from recollect.diagnose.trial_records import Measure
from recollect.domain.steps import Arm
from recollect.records.summary import Timing


class _Clock(NamedTuple):
    task: str
    row: str
    stage: str
    arm: str


def timings(measures: Iterable[tuple[str, str, Measure]]) -> tuple[Timing, ...]:
    """Per task, row, stage and arm; every call counts, also those of attempts that were given up."""
    found: dict[_Clock, list[float]] = defaultdict(list)
    for task, row, measure in measures:
        found[_Clock(task, row, measure.stage, measure.arm or "")].append(measure.seconds)
    return tuple(_timing(clock, sorted(seconds)) for clock, seconds in sorted(found.items()))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the *ordered* values that at least *share* of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _timing(clock: _Clock, ordered: Sequence[float]) -> Timing:
    return Timing(
        task=clock.task,
        row=clock.row,
        stage=clock.stage,
        arm=Arm(clock.arm) if clock.arm else None,
        calls=len(ordered),
        total_s=rounded(sum(ordered)) or 0.0,
        p50_s=quantile(ordered, 0.5),
        p95_s=quantile(ordered, 0.95),
    )

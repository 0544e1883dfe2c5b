"""What a judged score says of its judge: the check that measured it, or that there is none."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.judging.calibration import JUDGE_CHECK, UNCALIBRATED
from recollect.records.summary import Summary


def checks_of(summary: Summary) -> Mapping[str, str]:
    """Judged task -> id of the judge's check, or `uncalibrated`; tasks that no judge weighs are not in it."""
    said = summary.config.get(JUDGE_CHECK) or UNCALIBRATED
    return {task.task: str(said) for task in summary.tasks if task.judged}


def worded(check: str) -> str:
    """The same for a sentence; empty stays empty."""
    return f"judge check {check}" if check not in ("", UNCALIBRATED) else check

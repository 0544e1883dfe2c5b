"""Where the wrong answers of a row were lost, or in words why nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from recollect.domain.steps import Arm
from recollect.records.summary import Failures
from recollect.report import charts
from recollect.report.links import link_to

UNKNOWN = "unknown"
NOTHING_KEPT = "keeps nothing, so nothing could be lost on the way"
NOT_NAMED = "not known: the evidence is not named, or an arm has no answer that counts"


class LossLine(NamedTuple):
    """One row of the table."""

    failures: Failures
    chart: Markup
    links: Mapping[str, str]
    """Label -> the questions that were lost there."""
    behind: str
    """A link to the answers that have no place: all of a row that keeps nothing."""
    why: str
    """Why *hidden* answers have no place of their own; empty where all have one."""
    hidden: int

    @property
    def is_known(self) -> bool:
        """Some of the answers have a place of their own, or there are none."""
        return not self.hidden or self.hidden < self.failures.wrong


def loss_line(failures: Failures, *, floor: str, arms: frozenset[Arm]) -> LossLine:
    """The line of a row.

    Args:
        failures: The counts.
        floor: The row that remembers nothing, of which no place can be told.
        arms: Those that tell of this row: its own, and the oracle's where the task has one.
    """
    keeps_nothing = failures.row == floor
    hidden = failures.wrong if keeps_nothing else failures.counts.get(UNKNOWN, 0)
    counts = {UNKNOWN: hidden} if keeps_nothing else failures.counts
    names = {UNKNOWN: "wrong" if keeps_nothing else "lost nobody knows where"}
    told = (
        charts.Segment(f"lost {label}", many, names.get(label, f"lost at {label}")) for label, many in counts.items()
    )
    about = {"task": failures.task, "row": failures.row}
    return LossLine(
        failures=failures,
        chart=charts.stacked_bar(failures.row, list(told)),
        links={label: link_to(**about, failure=label) for label, many in counts.items() if many},
        behind=link_to(**about, arm="system") if keeps_nothing else link_to(**about, failure=UNKNOWN),
        why=NOTHING_KEPT if keeps_nothing else _why(arms) if hidden else "",
        hidden=hidden,
    )


def _why(arms: frozenset[Arm]) -> str:
    missing = [str(arm) for arm in (Arm.ORACLE, Arm.READBACK) if arm not in arms]
    if not missing:
        return NOT_NAMED
    return f"not known: needs the arm{'s' if len(missing) > 1 else ''} {' and '.join(missing)}"

"""What every table says of a row: that the system itself ran, that something stood in its place, or that it did not.

Where rules stood in for the model that a system calls, the system ran; what its score is worth is said beside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.ran import ABSENT, RAN, Ran
from recollect.records.summary import Estimate, RowFacts, Summary
from recollect.report.plain import plain

PLUMBING = (
    "these systems were given rules in the place of a chat model. Their scores measure plumbing, that what went in is "
    "found again, and not the systems"
)
RULES = "rules-"
"""How the fingerprint of a model begins that is made of rules."""


class Absent(NamedTuple):
    """A row that was asked for and has no number anywhere."""

    row: str
    why: str


def stood_by_row(summary: Summary) -> dict[str, Ran]:
    """Row -> how it stood; the oracle's row is no system."""
    return {one.row: Ran(word=one.ran, why=one.ran_why) for one in summary.rows if one.kind != "oracle"}


def absent_rows(summary: Summary) -> list[Absent]:
    """Those that this machine could not run at all, and that have no cells."""
    counted = {number.row for number in summary.numbers}
    return [Absent(one.row, one.ran_why) for one in summary.rows if one.ran == ABSENT and one.row not in counted]


def unscored(ran: Ran) -> str:
    """Why a row shows no score, in one line; empty where it may show one."""
    return "" if ran.word == RAN else f"{ran.word}: {ran.why}".rstrip(". ")


def no_score(absent: Absent) -> Estimate:
    """In the place of its score."""
    return Estimate(estimate=None, why=unscored(Ran(word=ABSENT, why=absent.why)))


def plumbed(summary: Summary) -> list[str]:
    """Rows whose own model was rules."""
    return [one.row for one in summary.rows if _by_rules(one)]


def _by_rules(row: RowFacts) -> bool:
    return row.kind != "oracle" and str(row.system.get("model", "")).startswith(RULES)


def marker(stood: Mapping[str, Ran]) -> Callable[[str], Markup]:
    """A filter for templates: a row's word, to stand beside its name; nothing for what is no system."""

    def stood_of(row: str) -> Markup:
        ran = stood.get(row)
        if ran is None:
            return Markup("")
        if ran.word == RAN:
            return Markup(' <span class="note">{}</span>').format(ran.word)
        return Markup(' <span class="mark-chip" title="{}">{}</span>').format(plain(ran.why), ran.word)

    return stood_of

"""What tables say of a row and of a cell: whether the system ran, its card, its judge's check, its outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, get_args

from markupsafe import Markup

from recollect.contracts.verdicts import JUDGE_CHECK, UNCALIBRATED
from recollect.domain.questions import Purpose
from recollect.domain.steps import Arm
from recollect.records.memory_card import CARDS, NOT_EXAMINED
from recollect.records.provenance import ABSENT, RAN, Ran
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.summary import Number, Summary
from recollect.report.text import plain

PLUMBING = (
    "these systems were given rules in the place of a chat model. Their scores measure plumbing, that what went in is "
    "found again, and not the systems"
)
RULES = "rules-"
"""Prefix of the fingerprint of a model made of rules."""


class Absent(NamedTuple):
    """A requested row without any number."""

    row: str
    why: str


def provenance_by_row(summary: Summary) -> dict[str, Ran]:
    """The oracle's row is not a system."""
    return {one.row: Ran(word=one.ran, why=one.ran_why) for one in summary.rows if one.kind != "oracle"}


def absent_rows(summary: Summary) -> list[Absent]:
    """Rows that this machine could not run, which have no cells."""
    counted = {number.row for number in summary.numbers}
    return [Absent(one.row, one.ran_why) for one in summary.rows if one.ran == ABSENT and one.row not in counted]


def why_unscored(ran: Ran) -> str:
    """Why a row has no score, in one line; empty where it may have one."""
    return "" if ran.word == RAN else f"{ran.word}: {ran.why}".rstrip(". ")


def no_score(absent: Absent) -> Estimate:
    return Estimate(estimate=None, why=why_unscored(Ran(word=ABSENT, why=absent.why)))


def rule_based_rows(summary: Summary) -> list[str]:
    """Rows whose own model is made of rules."""
    return [
        one.row for one in summary.rows if (one.kind != "oracle" and str(one.system.get("model", "")).startswith(RULES))
    ]


def marker(stood: Mapping[str, Ran]) -> Callable[[str], Markup]:
    """A template filter: whether a row's system ran, for display next to its name; empty if it is no system."""

    def stood_of(row: str) -> Markup:
        ran = stood.get(row)
        if ran is None:
            return Markup("")
        if ran.word == RAN:
            return Markup(' <span class="note">{}</span>').format(ran.word)
        return Markup(' <span class="mark-chip" title="{}">{}</span>').format(plain(ran.why), ran.word)

    return stood_of


def card_of(summary: Summary, row: str) -> str:
    """The id of the row's card with its failed checks, or `not examined`; empty for rows that are no memories."""
    kinds = {one.row: one.kind for one in summary.rows if one.ran != ABSENT}
    return str(summary.config.get(CARDS, {}).get(row, NOT_EXAMINED)) if kinds.get(row) == "memory" else ""


def card_mark(card: str) -> list[tuple[str, str]]:
    """A mark with its meaning, where checks of the memory failed."""
    return [("fails checks", f"recollect doctor: {card}")] if "fails:" in card else []


def cards_by_row(summary: Summary) -> dict[str, str]:
    return {one.row: card for one in summary.rows if (card := card_of(summary, one.row))}


def checks_of(summary: Summary) -> Mapping[str, str]:
    """Judged task -> id of the judge's check, or `uncalibrated`."""
    said = summary.config.get(JUDGE_CHECK) or UNCALIBRATED
    return {task.task: str(said) for task in summary.tasks if task.judged}


def check_worded(check: str) -> str:
    """The same in a sentence; empty stays empty."""
    return f"judge check {check}" if check not in ("", UNCALIBRATED) else check


OutcomeName = Literal["right", "partly", "wrong", "abstained", "undecided", "fault", "not available", "unfinished"]
OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)
MEANINGS: Mapping[OutcomeName, str] = {
    "right": "value 1",
    "partly": "value between 0 and 1",
    "wrong": "value 0",
    "abstained": "declined to answer; counts, with 1 where that is right",
    "undecided": "the judge gave nothing usable; not in the mean",
    "fault": "something broke; not in the mean",
    "not available": "the system cannot do this; not in the mean",
    "unfinished": "not asked yet; not in the mean",
}


def is_main(number: Number) -> bool:
    """The score of a row in the headline table: by its own search, or the oracle's."""
    return number.purpose == "score" and number.arm is (Arm.ORACLE if number.kind == "oracle" else Arm.SYSTEM)


ARMS = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK, Arm.READBACK_PURE)
"""In the order of the tables."""


class Asked(NamedTuple):
    """The cells behind one bar."""

    task: str
    row: str
    arm: Arm
    purpose: Purpose


def outcome_of(cell: CellOutcome) -> OutcomeName:
    """The outcome by which the page sorts a cell."""
    if cell.status == "scored":
        return "right" if cell.value == 1.0 else "wrong" if not cell.value else "partly"
    return "not available" if cell.status == "not_available" else cell.status


def outcome_counts(cells: Iterable[CellOutcome]) -> Mapping[Asked, Counter[OutcomeName]]:
    """Cells of each task, row, arm and purpose by outcome."""
    counts: dict[Asked, Counter[OutcomeName]] = {}
    for cell in cells:
        name = Asked(cell.task, cell.row, cell.arm, cell.purpose)
        counts.setdefault(name, Counter())[outcome_of(cell)] += 1
    return counts

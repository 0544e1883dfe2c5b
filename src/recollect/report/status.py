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
from recollect.records.tables.summary import CellOutcome, Estimate, RowFacts, Summary
from recollect.report.text import plain

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


def provenance_by_row(summary: Summary) -> dict[str, Ran]:
    """Row -> how it stood; the oracle's row is no system."""
    return {one.row: Ran(word=one.ran, why=one.ran_why) for one in summary.rows if one.kind != "oracle"}


def absent_rows(summary: Summary) -> list[Absent]:
    """Those that this machine could not run at all, and that have no cells."""
    counted = {number.row for number in summary.numbers}
    return [Absent(one.row, one.ran_why) for one in summary.rows if one.ran == ABSENT and one.row not in counted]


def why_unscored(ran: Ran) -> str:
    """Why a row shows no score, in one line; empty where it may show one."""
    return "" if ran.word == RAN else f"{ran.word}: {ran.why}".rstrip(". ")


def no_score(absent: Absent) -> Estimate:
    """In the place of its score."""
    return Estimate(estimate=None, why=why_unscored(Ran(word=ABSENT, why=absent.why)))


def rule_based_rows(summary: Summary) -> list[str]:
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


FAILS = "fails:"
"""In what is said of a card where checks failed."""


def card_of(summary: Summary, row: str) -> str:
    """The id of the row's card with the checks that failed, or `not examined`; empty where no memory is under test."""
    kinds = {one.row: one.kind for one in summary.rows if one.ran != ABSENT}
    return str(summary.config.get(CARDS, {}).get(row, NOT_EXAMINED)) if kinds.get(row) == "memory" else ""


def card_mark(card: str) -> list[tuple[str, str]]:
    """A mark with its meaning, where checks of the memory failed."""
    return [("fails checks", f"recollect doctor: {card}")] if FAILS in card else []


def cards_by_row(summary: Summary) -> dict[str, str]:
    """Row -> what is said of its card; rows that are no memories are not in it."""
    return {one.row: card for one in summary.rows if (card := card_of(summary, one.row))}


def checks_of(summary: Summary) -> Mapping[str, str]:
    """Judged task -> id of the judge's check, or `uncalibrated`; tasks that no judge weighs are not in it."""
    said = summary.config.get(JUDGE_CHECK) or UNCALIBRATED
    return {task.task: str(said) for task in summary.tasks if task.judged}


def check_worded(check: str) -> str:
    """The same for a sentence; empty stays empty."""
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
ARMS = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK, Arm.READBACK_PURE)
"""In the order of the tables."""


class Asked(NamedTuple):
    """Cells that one bar counts."""

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
    """How many cells of each task, row, arm and purpose came to what."""
    counts: dict[Asked, Counter[OutcomeName]] = {}
    for cell in cells:
        name = Asked(cell.task, cell.row, cell.arm, cell.purpose)
        counts.setdefault(name, Counter())[outcome_of(cell)] += 1
    return counts

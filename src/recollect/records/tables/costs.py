"""What the calls of models took: counts, tokens, seconds and money, added up from single calls.

Money is in US dollars at list prices. What is not known is `None` with its reason, and never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

CostUnit = Literal["money", "tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSums:
    """Calls added up. Tokens and money are of all that was charged, tries that gave nothing among them."""

    paid: int = 0
    """Those that were paid for by a process that was killed before it could say so, too."""
    cached: int = 0
    """Answered from the cache."""
    failed: int = 0
    """Given up, and tries that were charged and gave nothing."""
    input_tokens: int = 0
    output_tokens: int = 0
    provider_cached_tokens: int = 0
    """Share of the input that the provider had in its own cache."""
    reasoning_tokens: int = 0
    """Share of the output that was thought and not said."""
    saved_tokens: int = 0
    """In and out, of the replies from the cache: not charged, and in none of the sums above."""
    estimated: int = 0
    """Calls whose tokens were counted here: the provider told none."""
    uncounted: int = 0
    """Answered calls without tokens; the sums of tokens are then too small."""
    money: float = 0.0
    unpriced: int = 0
    """Paid calls without a price; the sum of money is then too small."""
    seconds: float = 0.0
    """From the first try to the reply, waits included."""
    waited: float = 0.0
    """Of these, spent waiting: for a free place, for a rate limit, after an error."""

    @property
    def calls(self) -> int:
        """All of them."""
        return self.paid + self.cached + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """The calls of one row, stage and role on one task; the four are empty where a call belongs to none."""

    task: str
    row: str
    stage: str
    role: str
    sums: CallSums
    p50_s: float | None = None
    """Of single paid calls, as is what follows; `None` where there are none."""
    p95_s: float | None = None
    p50_money: float | None = None
    p95_money: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Values of single questions or histories."""

    mean: float
    p50: float
    p95: float
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCost:
    """What a row itself takes on a task: writing, and searching and answering in its main arm.

    Judging and simulated users belong to the measurement, the other arms to the diagnosis. A reply from the cache
    counts as what it cost when this run paid for it; where another run did, its money is not known.
    """

    task: str
    row: str
    questions: int
    histories: int
    question_money: Spread | None = None
    question_tokens: Spread | None = None
    """In and out."""
    question_seconds: Spread | None = None
    history_money: Spread | None = None
    """The write side of one history."""
    history_tokens: Spread | None = None
    history_seconds: Spread | None = None
    why: str = ""
    """Why there is no money, or there are no tokens."""

    def whole(self, unit: CostUnit) -> float | None:
        """All that the row took, by question: its share of writing included."""
        asked = self.question_money if unit == "money" else self.question_tokens
        written = self.history_money if unit == "money" else self.history_tokens
        if asked is None or written is None or not self.questions:
            return None
        return (asked.total + written.total) / self.questions


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCost:
    """What one role takes for a history on a row: every call about it, in all stages and arms.

    A reply from the cache counts as when it was paid for: so many tokens does one history take.
    """

    task: str
    row: str
    role: str
    histories: int
    """For which any role of the row was called; one that was gone through several times counts each time."""
    calls: int
    """That got a reply."""
    input_tokens: Spread | None = None
    output_tokens: Spread | None = None
    money: Spread | None = None
    why: str = ""
    """Why there are no tokens, or there is no money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """From how many questions a history on a row is cheaper than showing the reader everything."""

    task: str
    row: str
    against: str
    unit: CostUnit | None = None
    write: float | None = None
    """Spent on writing a history, beyond what `against` spends."""
    saved: float | None = None
    """Spared by each question."""
    questions: int | None = None
    """0: from the start."""
    why: str = ""
    """Why there is no such number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The ledger of a run, added up."""

    total: CallSums
    cached_share: float | None = None
    """Of the calls that got a reply; `None` where none did."""
    lines: tuple[CostLine, ...] = ()
    """By task, row, stage and role; they add up to `total`."""
    stages: tuple[CostLine, ...] = ()
    """By row and stage, over all tasks and roles; they add up to `total` too."""
    rows: tuple[RowCost, ...] = ()
    roles: tuple[RoleCost, ...] = ()
    """By task, row and role, for a history: the simulated user and the judge too."""
    break_even: tuple[BreakEven, ...] = ()
    units: Mapping[str, CostUnit] = field(default_factory=dict)
    """Task -> what its rows can be compared by; a task is missing where there is nothing."""
    models: Mapping[str, int] = field(default_factory=dict)
    """Model -> calls."""
    priced: tuple[str, ...] = ()
    """Dates of the prices used."""

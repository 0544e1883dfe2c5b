"""How the policy of an agent changed, what it covers, and what of the newest states the agent then held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from recollect.domain.ids import HistoryId
from recollect.records.tables.cells import Estimate

FIRST_POLICY = "first policy"
"""Name of the input of a system that holds the policy in force before any other is adopted."""
Cover = Literal["absent", "implied", "explicit"]
"""No line shares a word with a state's name or values; one does; one line holds every word of its name."""
COVERS: tuple[Cover, ...] = ("absent", "implied", "explicit")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyVersion:
    """The policy that an agent followed with one user in one period."""

    history: HistoryId
    replicate: int
    period: int
    lines: tuple[str, ...]
    added: tuple[str, ...] = ()
    """Lines that the policy of the period before did not have."""
    removed: tuple[str, ...] = ()
    """Lines that it had."""
    covers: Mapping[str, Cover] = field(default_factory=dict)
    """State -> how far this policy covers it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyNumbers:
    """One period of a row, or all of it."""

    period: int | None
    """`None`: all periods."""
    score: Estimate
    """Of the answers at its end."""
    by_source: Estimate
    """Share of the states told in a period of whose message something was recalled at its end: an upper bound."""
    by_words: Estimate
    """Share of them whose value stands in something recalled, word for word: a lower bound."""
    by_probe: Estimate
    """Share of them that the agent itself could name when it was asked."""
    covers: Mapping[Cover, Estimate]
    """Share of all states of the users by how far the policy in force covers them."""
    lines: float
    """Mean number of lines of a policy, over users."""
    added: float
    """Mean number of lines that are new."""
    removed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRow:
    """One row on one task whose system follows a policy."""

    task: str
    row: str
    evolved: bool
    """Any policy was replaced by another one."""
    whole: PolicyNumbers
    periods: tuple[PolicyNumbers, ...]
    versions: tuple[PolicyVersion, ...]
    """By user, replicate and period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecall:
    """Share of the states told in a period that a model finds borne out by what an agent recalled at its end."""

    task: str
    row: str
    period: int | None
    """`None`: all periods."""
    recall: Estimate
    undecided: int
    """States on which the model gave nothing usable, or the agent tells nothing."""

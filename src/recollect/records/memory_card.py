"""The card of a memory: what was examined of it, what came of it, and under which id a report names that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.records.digests import canonical, opaque
from recollect.records.provenance import ProvenanceKind

Outcome = Literal["pass", "fail", "not available"]
OwnModel = Literal["none", "rules", "model"]
CARDS = "cards"
"""Entry of `run.json`, beside the config: row -> the id of the card it had when the run was made."""
NOT_EXAMINED = "not examined"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One check and what came of it."""

    name: str
    proves: str
    how: str
    result: Outcome
    why: str
    """What was observed; for `not available`, the reason."""
    seconds: float
    number: float | None = None
    """What was measured, where the check measures: seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCard:
    """All that an examination found."""

    card: str
    """Its id: a digest of the system, the doctor's version, and each check with its result."""
    name: str
    version: int
    settings: Mapping[str, Any]
    traits: Mapping[str, Any]
    system: Mapping[str, Any]
    """The row's fingerprint: models included that can change what it holds."""
    ran: ProvenanceKind
    """`ran against a fake`: something stood in the system's place."""
    ran_why: str = ""
    """What stood in."""
    model: OwnModel
    """The chat model that it called, if any: `rules` says that the checks saw its plumbing."""
    doctor: int
    checks: tuple[CheckLine, ...]
    packages: Mapping[str, str] = field(default_factory=dict)
    """Packages loaded during the examination, with versions."""
    date: str
    """The day of the examination, as the caller says it; part of no identity."""

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.checks if line.result == "fail")


def card_id(system: Mapping[str, Any], doctor: int, checks: Iterable[CheckLine]) -> str:
    """The same for the same system with the same results, whenever and wherever it was examined."""
    told = [[line.name, line.result] for line in checks]
    return opaque("dc", canonical(dict(system)), doctor, canonical(told))


def card_label(card: MemoryCard) -> str:
    """The id, and which checks failed."""
    return f"{card.card} (fails: {', '.join(card.failed)})" if card.failed else card.card

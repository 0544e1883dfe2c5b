"""The result of a question: verdicts, parts, outcomes. Undefined is `None` with a reason; a fault is never a zero."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The kinds of outcomes."""

    SCORED = "scored"
    ABSTAINED = "abstained"
    """Declined; stays in the denominator with 0, or 1 where the key wants it."""
    UNDECIDED = "undecided"
    """The judge gave nothing usable."""
    FAULT = "fault"
    """Something failed; with its cause."""
    NOT_AVAILABLE = "not_available"
    """The system or the reader cannot do this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One decision of a judge."""

    name: str
    value: float | None
    """In [0, 1]; `None` is undecided."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's decisions on one reply."""

    parts: tuple[Judgement, ...]
    judge: str
    """Its fingerprint."""

    def value(self, name: str = "right") -> float | None:
        """The value of a part; `None` if it is absent or undecided."""
        return next((part.value for part in self.parts if part.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One measure of one answer."""

    name: str
    value: float | None
    weight: float = 0.0
    """Share in the outcome's value; 0 for secondary measures."""
    gate: bool = False
    """A zero here makes the outcome zero."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one question under one system and arm."""

    status: Status
    value: float | None = None
    """In [0, 1] if scored or abstained, else `None`."""
    parts: tuple[Part, ...] = ()
    why: str = ""

    def __post_init__(self) -> None:
        counted = self.status in (Status.SCORED, Status.ABSTAINED)
        if counted != (self.value is not None):
            raise ValueError(f"an outcome has a value where it is scored, got {self.status} with {self.value}")
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise ValueError(f"an outcome lies in [0, 1], got {self.value}")

    @classmethod
    def scored(cls, value: float, *, parts: tuple[Part, ...] = (), why: str = "") -> Outcome:
        """The answer has a score."""
        return cls(status=Status.SCORED, value=value, parts=parts, why=why)

    @classmethod
    def abstained(cls, value: float, *, parts: tuple[Part, ...] = (), why: str = "") -> Outcome:
        """The system declined; *value* is 1 only where the key wants that."""
        return cls(status=Status.ABSTAINED, value=value, parts=parts, why=why)

    @classmethod
    def missing(cls, status: Status, why: str) -> Outcome:
        """There is nothing to score, with the reason."""
        return cls(status=status, why=why)

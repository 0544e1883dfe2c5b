"""How often each stage is repeated, and which repeat an answer or a verdict comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import product

MOST = 1_000
"""Repeats of one stage; a bound that keeps `Take.told_apart` unambiguous."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Take:
    """One answer to a question, and one verdict on it, inside a trial; all takes share what was found."""

    answer: int = 0
    judge: int = 0

    def told_apart(self, replicate: int) -> int:
        """A number that no other take of the same question in any replicate has; *replicate* itself for the first."""
        return replicate + MOST * (self.answer + MOST * self.judge)


FIRST = Take()
"""The only take of what is not repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often each stage is done: each ingest is answered so often, each answer judged so often."""

    ingest: int = 1
    """Whole trials: the system is opened and fed anew."""
    answer: int = 1
    judge: int = 1

    def __post_init__(self) -> None:
        for stage in fields(self):
            times = getattr(self, stage.name)
            if not 1 <= times <= MOST:
                raise ValueError(f"`repeats` of `{stage.name}` lie in 1 to {MOST}, got {times}")

    @classmethod
    def of(cls, said: int | Mapping[str, int]) -> Repeats:
        """As a config says it: a number repeats whole trials."""
        return cls(ingest=said) if isinstance(said, int) else cls(**said)

    @property
    def said(self) -> int | dict[str, int]:
        """As a config says it: a number where only ingest is repeated, so that such a run is what it always was."""
        if self.answer == self.judge == 1:
            return self.ingest
        return {"ingest": self.ingest, "answer": self.answer, "judge": self.judge}

    def takes(self, *, judged: bool) -> tuple[Take, ...]:
        """Those of one question in one trial, in the order of asking; only a judge's verdicts are repeated alone."""
        verdicts = self.judge if judged else 1
        return tuple(Take(answer=a, judge=j) for a, j in product(range(self.answer), range(verdicts)))

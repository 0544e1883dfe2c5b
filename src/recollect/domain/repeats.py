"""How often each stage is repeated, and the repeat that an answer or a verdict comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import product

MOST = 1_000
"""Repeats of one stage; a bound that keeps `Take.replicate_id` unambiguous."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Take:
    """One answer to a question, and one verdict on it, in a trial; all takes share one recall."""

    answer: int = 0
    judge: int = 0

    def replicate_id(self, replicate: int) -> int:
        """A number unique among the takes of a question in all replicates; *replicate* itself for the first."""
        return replicate + MOST * (self.answer + MOST * self.judge)


FIRST = Take()
"""The only take without repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often each stage is run: answers per ingest, verdicts per answer."""

    ingest: int = 1
    """Whole trials, each with a new instance of the system."""
    answer: int = 1
    judge: int = 1

    def __post_init__(self) -> None:
        for stage in fields(self):
            times = getattr(self, stage.name)
            if not 1 <= times <= MOST:
                raise ValueError(f"`repeats` of `{stage.name}` lie in 1 to {MOST}, got {times}")

    @classmethod
    def of(cls, value: int | Mapping[str, int]) -> Repeats:
        """From a config, where a number repeats whole trials."""
        return cls(ingest=value) if isinstance(value, int) else cls(**value)

    @property
    def as_config(self) -> int | dict[str, int]:
        """As in a config: a number if only ingest is repeated."""
        if self.answer == self.judge == 1:
            return self.ingest
        return {"ingest": self.ingest, "answer": self.answer, "judge": self.judge}

    def takes(self, *, judged: bool) -> tuple[Take, ...]:
        """The takes of one question in one trial, in order; only the verdicts of a judge are repeated."""
        verdicts = self.judge if judged else 1
        return tuple(Take(answer=a, judge=j) for a, j in product(range(self.answer), range(verdicts)))

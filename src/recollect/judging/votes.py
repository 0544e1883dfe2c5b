"""Several votes become one finding: the majority of all that were asked, and undecided where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.domain.outcomes import Judgement
from recollect.judging.verdict_text import Decision, Unusable, one_line

UNUSABLE = "judge_unusable"
TIE = "judge_tie"
RIGHT = "right"


class Counted(NamedTuple):
    """What the votes on one thing came to."""

    value: float | None
    """1 or 0 where more than half of all votes say so, else `None`."""
    why: str
    """Opens with a reason code; the reason of each vote stands in it."""

    def named(self, name: str) -> Judgement:
        """The same as a part of a verdict."""
        return Judgement(name=name, value=self.value, why=self.why)


def count(votes: Sequence[Decision | Unusable]) -> Counted:
    """The majority of *votes*; one that cannot be used is a vote for neither side."""
    usable = [vote for vote in votes if isinstance(vote, Decision)]
    right = sum(vote.verdict == RIGHT for vote in usable)
    said = "; ".join(_said(vote) for vote in votes)
    if not usable:
        return Counted(None, f"{UNUSABLE}: {said}")
    if 2 * max(right, len(usable) - right) <= len(votes):
        return Counted(None, f"{TIE}: {right} of {len(votes)} votes for right: {said}")
    won = [vote for vote in usable if (vote.verdict == RIGHT) == (2 * right > len(votes))]
    code = f"model_{won[0].verdict}" if len({vote.verdict for vote in won}) == 1 else "model_wrong"
    share = f"{len(won)} of {len(votes)} votes: " if len(votes) > 1 else ""
    reasons = said if len(votes) > 1 else usable[0].reason
    return Counted(float(won[0].verdict == RIGHT), f"{code}: {share}{reasons}")


def _said(vote: Decision | Unusable) -> str:
    return f"unusable, {one_line(vote.problem)}" if isinstance(vote, Unusable) else f"{vote.verdict}, {vote.reason}"

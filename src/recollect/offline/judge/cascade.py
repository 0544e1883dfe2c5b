"""The rules in their order: the first that decides ends the comparison of an answer with one reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from recollect.offline.judge.amounts import judge_durations, judge_number, numbers_missing
from recollect.offline.judge.dates import judge_dates
from recollect.offline.judge.findings import Finding, no, yes
from recollect.offline.judge.naming import (
    judge_dump,
    judge_list,
    judge_named,
    judge_same_words,
    judge_shorter,
    judge_spelling,
    last_state,
    mentions,
)
from recollect.offline.judge.polarity import judge_polarity
from recollect.offline.judge.similarity import Cosine, guard, judge_meaning, judge_wording, overlap
from recollect.offline.judge.texts import PreparedText, prepare

Rule = Callable[[PreparedText, PreparedText, PreparedText], Finding | None]
"""(question, reference, answer) to a decision, or `None` to pass on."""


def _judge_exact(_: PreparedText, ref: PreparedText, answer: PreparedText) -> Finding | None:
    return yes("exact") if ref.stems and ref.words == answer.words else None


RULES: tuple[Rule, ...] = (
    _judge_exact,
    judge_polarity,
    judge_dates,
    judge_durations,
    judge_dump,
    judge_number,
    numbers_missing,
    judge_named,
    judge_same_words,
    judge_list,
    judge_shorter,
    guard,
    judge_spelling,
    judge_wording,
)


def compare(question: PreparedText, ref: PreparedText, answer: PreparedText, cosine: Cosine | None = None) -> Finding:
    """Decide whether *answer* gives the reference *ref*."""
    for rule in RULES:
        if finding := rule(question, ref, answer):
            return finding
    if cosine is not None and (finding := judge_meaning(question, ref, answer, cosine)):
        return finding
    return no("no_match", f"F1 of stems {overlap(question, ref, answer)[0]:.2f}")


class Against(NamedTuple):
    """What an answer is compared with."""

    accepted: tuple[PreparedText, ...]
    rejected: tuple[PreparedText, ...] = ()

    @classmethod
    def of(cls, accepted: Sequence[str], rejected: Sequence[str] = ()) -> Against:
        """From the texts of a key."""
        return cls(tuple(map(prepare, accepted)), tuple(map(prepare, rejected)))


def weigh(question: PreparedText, against: Against, answer: PreparedText, cosine: Cosine | None = None) -> Finding:
    """Decide by accepted and rejected references together.

    An exact match decides by itself. Where both sides match, the answer is right only if it tells the rejected value
    as past and the accepted one as what holds.
    """
    accepted = _best([compare(question, ref, answer, cosine) for ref in against.accepted])
    rejected = _best([compare(question, ref, answer, cosine) for ref in against.rejected])
    if not rejected.right or accepted.code == "exact":
        return accepted
    if not accepted.right or rejected.code == "exact":
        return no("rejected_matched", rejected.why)
    old = [at for ref in against.rejected for at in mentions(ref, answer)]
    new = [at for ref in against.accepted for at in mentions(ref, answer)]
    if last_state(answer, new, old):
        return yes("last_state", accepted.why)
    return no("rejected_matched", f"beside the accepted one ({rejected.why})")


def _best(findings: Sequence[Finding]) -> Finding:
    """The exact match, else the first that accepts, else the first."""
    order = sorted(findings, key=lambda finding: (not finding.right, finding.code != "exact"))
    return order[0] if order else no("no_reference")

"""The judge's verdict, followed by measures without a judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.text_match import text_scores, word_match


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The judge's verdict; without one the outcome is undecided."""
    parts: list[Part] = []
    if key.gold:
        scores = text_scores(reply.text, list(key.gold))
        parts = [Part(name="exact_match", value=float(scores.exact_match)), Part(name="f1", value=float(scores.f1))]
    if key.gold and key.rejected:
        stale = any(word_match(reply.text, old) for old in key.rejected)
        fresh = any(word_match(reply.text, new) for new in key.gold)
        parts.append(Part(name="stale", value=float(stale and not fresh)))
    right = verdict.value("right") if verdict is not None else None
    why = "; ".join(part.why for part in verdict.parts if part.name == "right") if verdict is not None else "no verdict"
    if right is None:
        return Outcome(status=Status.UNDECIDED, parts=tuple(parts), why=why)
    known = (Part(name="right", value=right, weight=1.0, why=why), *parts)
    if reply.abstained:
        return Outcome.abstained(float(key.abstain), parts=known, why=why)
    return Outcome.scored(right, parts=known, why=why)

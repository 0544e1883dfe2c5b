"""Questions about dialogues: the judge decides, and what needs no judge stands beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.scoring.short_answers import accepted, best, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.text_match import normalise, substring_match, token_f1, word_match

RIGHT = "right"
_NOTHING_TOLD = "the history does not tell, so there are no words to match"


def score_dialogue(
    question: Question,  # noqa: ARG001 - a scorer's form
    key: Key,
    reply: Reply,
    verdict: Verdict | None,
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """The judge's verdict; without one, or where it decided nothing, the outcome is undecided.

    Source:
        LongMemEval (Wu et al. 2025), the judged accuracy; an unanswerable question wants the reply that says so.
    """
    beside = tuple(_beside(key, said_by(reply)))
    right = verdict.value(RIGHT) if verdict is not None else None
    reasons = [part.why for part in verdict.parts if part.name == RIGHT] if verdict is not None else []
    why = "; ".join(reasons) or "no verdict"
    if right is None:
        return Outcome(status=Status.UNDECIDED, parts=beside, why=why)
    parts = (Part(name=RIGHT, value=right, weight=1.0, why=why), *beside)
    if reply.abstained:
        return Outcome.abstained(float(key.abstain), parts=parts, why=why)
    return Outcome.scored(right, parts=parts, why=why)


def _beside(key: Key, said: str) -> Iterator[Part]:
    if key.abstain:
        yield Part(name="substring_exact_match", value=None, why=_NOTHING_TOLD)
        yield Part(name="f1", value=None, why=_NOTHING_TOLD)
        return
    gold = accepted(key)
    yield Part(name="substring_exact_match", value=best(_holds, (said,), gold))
    yield Part(name="f1", value=best(lambda text, answer: token_f1(text, answer).f1, (said,), gold))
    if key.rejected:
        stale = best(word_match, (said,), key.rejected) and not best(word_match, (said,), gold)
        yield Part(name="stale", value=float(bool(stale)))


def _holds(said: str, answer: str) -> float:
    return float(bool(normalise(said)) and bool(normalise(answer)) and substring_match(said, answer))

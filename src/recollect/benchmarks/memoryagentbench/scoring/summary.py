"""Summaries: the judge's F1 of key points, times fluency; word overlap beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.scoring.short_answers import best, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Judgement, Outcome, Part, Status, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.rouge import rouge_l

F1_SUMMARY, RIGHT = "f1_summary", "right"
BESIDE = ("fluency", "recall", "precision")


def score_summary(
    question: Question,  # noqa: ARG001 - a scorer's form
    key: Key,
    reply: Reply,
    verdict: Verdict | None,
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """The judge's F1; without one, or where it decided nothing, the outcome is undecided.

    A judge that only says right or wrong is taken at its word.

    Source:
        HELMET (Yen et al. 2024) as used by MemoryAgentBench, section 2.2.5 of its notes.
    """
    beside = tuple(_beside(key, said_by(reply), verdict))
    found = _deciding(verdict)
    if found is None or found.value is None:
        why = found.why if found is not None else "no verdict"
        return Outcome(status=Status.UNDECIDED, parts=beside, why=why)
    parts = (Part(name=F1_SUMMARY, value=found.value, weight=1.0, why=found.why), *beside)
    if reply.abstained:
        return Outcome.abstained(0.0, parts=parts, why=found.why)
    return Outcome.scored(found.value, parts=parts, why=found.why)


def _deciding(verdict: Verdict | None) -> Judgement | None:
    """The part that says how good the summary is."""
    parts = {part.name: part for part in verdict.parts} if verdict is not None else {}
    return parts.get(F1_SUMMARY) or parts.get(RIGHT)


def _beside(key: Key, said: str, verdict: Verdict | None) -> Iterator[Part]:
    for part in verdict.parts if verdict is not None else ():
        if part.name in BESIDE:
            yield Part(name=part.name, value=part.value, why=part.why)
    yield Part(name="rouge_l", value=best(lambda text, gold: rouge_l(text, gold).f1, (said,), key.gold))

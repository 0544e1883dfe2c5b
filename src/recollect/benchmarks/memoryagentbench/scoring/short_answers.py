"""Short answers: the paper's measure, strict and first; kinder readings and what was wrong beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.parsing import lenient_answer, strict_answer
from recollect.metrics.text_match import exact_match, normalise, substring_match, token_f1, word_match

Match = Callable[[str, str], float]


def score_fact(
    question: Question,  # noqa: ARG001 - a scorer's form
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """Whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`."""
    return outcome(reply, fact_parts(said_by(reply), accepted(key), key.rejected))


def score_label(
    question: Question,  # noqa: ARG001
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """Whether what stands behind its `Answer:`, or the whole reply, is the label."""
    return outcome(reply, label_parts(said_by(reply), accepted(key)))


def said_by(reply: Reply) -> str:
    """The words that are weighed."""
    return "" if reply.abstained else reply.text


def accepted(key: Key) -> Sequence[str]:
    """The accepted answers that are words at all, if any is."""
    return [alias for alias in key.gold if normalise(alias)] or key.gold


def outcome(reply: Reply, parts: Iterable[Part]) -> Outcome:
    """The first part is the measure; an empty reply is wrong, a declined one is abstained with 0."""
    known = tuple(parts)
    if reply.abstained:
        return Outcome.abstained(0.0, parts=known, why="declined to answer")
    return Outcome.scored(known[0].value or 0.0, parts=known, why="" if reply.text.strip() else "the reply is empty")


def fact_parts(said: str, gold: Sequence[str], rejected: Sequence[str]) -> Iterable[Part]:
    """The measures of a short answer, the paper's first."""
    strict = (said, strict_answer(said))
    lenient = lenient_answer(said)
    right = best(_holds, strict, gold)
    yield Part(name="substring_exact_match", value=right, weight=1.0)
    yield Part(name="exact_match", value=best(exact_match, strict, gold))
    yield Part(name="f1", value=best(_f1, strict, gold))
    yield Part(name="lenient_exact_match", value=best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    yield Part(name="lenient_word_match", value=best(word_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    yield _stale(said, rejected, right=bool(right))


def label_parts(said: str, gold: Sequence[str]) -> Iterable[Part]:
    """The measures of a label, the paper's first."""
    lenient = lenient_answer(said)
    yield Part(name="exact_match", value=best(exact_match, (strict_answer(said),), gold), weight=1.0)
    yield Part(name="lenient_exact_match", value=best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")


def _stale(said: str, rejected: Sequence[str], *, right: bool) -> Part:
    if not rejected:
        return Part(name="stale", value=None, why="no stale answer is known")
    return Part(name="stale", value=float(not right and bool(best(word_match, (said,), rejected))))


def _holds(said: str, answer: str) -> float:
    """An empty reply holds nothing, and an answer without a letter or figure is in no reply."""
    return float(bool(normalise(said)) and bool(normalise(answer)) and substring_match(said, answer))


def _f1(said: str, answer: str) -> float:
    return token_f1(said, answer).f1


def best(match: Match, readings: Iterable[str], answers: Iterable[str]) -> float:
    """The best match of any reading with any answer; 0 where nothing was said."""
    wanted = list(answers)
    return max((float(match(said, answer)) for said in readings if said.strip() for answer in wanted), default=0.0)

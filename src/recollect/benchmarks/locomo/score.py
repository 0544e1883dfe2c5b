"""The authors' F1; the judge's verdict and what else is worth knowing stand beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.benchmarks.locomo.answers import answer_f1, says_nothing_is_known, stemmed_f1
from recollect.benchmarks.locomo.categories import CATEGORIES, NUMBERS
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.text_match import exact_match


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The authors' score of the reply; needs no verdict, but shows it."""
    said = "" if reply.abstained else reply.text
    declined = float(reply.abstained or says_nothing_is_known(said))
    parts = tuple(_declining(key, said, declined) if key.abstain else _answering(key, said, declined))
    value = parts[0].value or 0.0
    parts = (parts[0], _judged(verdict), *parts[1:])
    if reply.abstained:
        return Outcome.abstained(value, parts=parts, why="declined to answer")
    return Outcome.scored(value, parts=parts, why="" if said.strip() else "the reply is empty")


def _answering(key: Key, said: str, declined: float) -> Iterator[Part]:
    f1 = answer_f1(NUMBERS[key.labels["category"]], said, key.gold[0])
    yield Part(name="f1", value=f1, weight=1.0)
    yield Part(name="declined", value=declined)
    yield Part(
        name="exact_match", value=float(bool(said.strip()) and any(exact_match(said, gold) for gold in key.gold))
    )


def _declining(key: Key, said: str, declined: float) -> Iterator[Part]:
    yield Part(name="declined", value=declined, weight=1.0)
    if key.rejected:
        yield Part(name="trap_f1", value=0.0 if declined else max(stemmed_f1(said, trap) for trap in key.rejected))


def _judged(verdict: Verdict | None) -> Part:
    if verdict is None:
        return Part(name="right", value=None, why="no verdict")
    why = "; ".join(part.why for part in verdict.parts if part.name == "right")
    return Part(name="right", value=verdict.value("right"), why=why)


def paper_columns(by_category: Mapping[str, Sequence[float]]) -> dict[str, float | None]:
    """The columns of the paper's tables: the mean of each category, and over all questions.

    Args:
        by_category: Category -> the score of each of its questions, ratios.

    Returns:
        A ratio for each category and `overall`, the mean over all questions; `None` where there is none.

    Source:
        LoCoMo, tables 2 and 3; `analyze_acc` of the released evaluation, checked in
        `tests/unit/benchmarks/locomo/test_parity.py`.
    """
    columns = {category.name: _mean(by_category.get(category.name, ())) for category in CATEGORIES.values()}
    return {**columns, "overall": _mean([score for scores in by_category.values() for score in scores])}


def _mean(scores: Sequence[float]) -> float | None:
    return sum(scores) / len(scores) if scores else None

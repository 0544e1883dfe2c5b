"""Where the noise of repeated measurements comes from: variance components of verdicts in answers in ingests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Nested = Sequence[Sequence[Sequence[float]]]
"""The values of one question: ingest, answer, verdict. Every list inside has at least one entry."""
NEGLIGIBLE = 1e-15
"""A sum of squares below this is what rounding leaves of equal values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """What one stage adds to the variance of a single value."""

    variance: float
    """In squared units of the values; never negative."""
    df: int
    """Degrees of freedom. Of ingest: repeated ingests, for the questions of a history share them."""
    clamped: bool = False
    """The equations gave a negative variance: the stage adds less than can be told from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedVariance:
    """A component for each stage that was repeated; one that was not is `None`, and its noise is in the one above."""

    ingest: Component | None
    answer: Component | None
    judge: Component | None


def nested_variance(histories: Iterable[Iterable[Nested]]) -> NestedVariance:
    """Split the variance between repeats of the same question into ingest, answer and judge.

    Every question has its own mean. Mean squares of all questions are pooled and set equal to what they are expected
    to be, from the innermost stage outwards; lists may be of unequal length. Ingest noise that questions of a history
    share leaves the estimate unbiased, but makes it as unsteady as the number of ingests.

    Args:
        histories: The values of each question of each history, in any unit.

    Returns:
        Components; `None` for a stage that no question repeats.

    Raises:
        ValueError: If a question has an empty list.

    Source:
        Searle, Casella and McCulloch (1992), Variance Components, section 5.3 (unbalanced nested analysis of variance);
        planted components are recovered in `tests/reference/test_noise_simulated.py`.
    """
    pooled = _Sums()
    for history in histories:
        ingests = 0
        for question in history:
            pooled = pooled.plus(_sums(question))
            ingests = max(ingests, len(question) - 1)
        pooled = pooled.plus(_Sums(ingest_df=ingests))
    judge = _component(pooled.judge, pooled.judge_df, pooled.judge_df)
    within = pooled.answer - pooled.answer_df * _variance(judge)
    answer = _component(within, pooled.answer_size, pooled.answer_df)
    between = pooled.ingest - pooled.between_df * _variance(judge) - pooled.answer_in_ingest * _variance(answer)
    ingest = _component(between, pooled.ingest_size, pooled.ingest_df)
    return NestedVariance(ingest=ingest, answer=answer, judge=judge)


class _Sums(NamedTuple):
    """Sums of squares, their degrees of freedom, and how often each component is in them."""

    judge: float = 0
    judge_df: float = 0
    answer: float = 0
    answer_df: float = 0
    answer_size: float = 0
    ingest: float = 0
    between_df: float = 0
    answer_in_ingest: float = 0
    ingest_size: float = 0
    ingest_df: float = 0

    def plus(self, other: _Sums) -> _Sums:
        return _Sums(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def _sums(question: Nested) -> _Sums:
    if not question or not all(ingest and all(ingest) for ingest in question):
        raise ValueError("a question has an empty list; leave out what has no value")
    ingests = [_ingest(ingest) for ingest in question]
    sizes = [one.size for one in ingests]
    total = sum(sizes)
    within = [one.squares / one.size for one in ingests]
    return _Sums(
        judge=sum(one.judge for one in ingests),
        judge_df=sum(one.size - one.answers for one in ingests),
        answer=sum(one.answer for one in ingests),
        answer_df=sum(one.answers - 1 for one in ingests),
        answer_size=total - sum(within),
        ingest=_squares([one.mean for one in ingests], sizes),
        between_df=len(ingests) - 1,
        answer_in_ingest=sum(within) - sum(one.squares for one in ingests) / total,
        ingest_size=total - sum(size**2 for size in sizes) / total,
    )


class _Ingest(NamedTuple):
    mean: float
    size: int
    answers: int
    squares: int
    """Sum of the squared numbers of verdicts."""
    answer: float
    judge: float


def _ingest(answers: Sequence[Sequence[float]]) -> _Ingest:
    sizes = [len(verdicts) for verdicts in answers]
    means = [sum(verdicts) / len(verdicts) for verdicts in answers]
    return _Ingest(
        mean=sum(size * mean for size, mean in zip(sizes, means, strict=True)) / sum(sizes),
        size=sum(sizes),
        answers=len(sizes),
        squares=sum(size**2 for size in sizes),
        answer=_squares(means, sizes),
        judge=sum(_squares(verdicts, [1] * len(verdicts)) for verdicts in answers),
    )


def _squares(values: Sequence[float], weights: Sequence[int]) -> float:
    mean = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
    found = sum(weight * (value - mean) ** 2 for weight, value in zip(weights, values, strict=True))
    return found if found > NEGLIGIBLE else 0.0


def _component(left: float, size: float, df: float) -> Component | None:
    """What is *left* of a sum of squares, over how often the component is in it."""
    if not df or size <= 0:
        return None
    variance = left / size
    return Component(variance=max(0.0, variance), df=int(df), clamped=variance < -NEGLIGIBLE)


def _variance(component: Component | None) -> float:
    return 0.0 if component is None else component.variance

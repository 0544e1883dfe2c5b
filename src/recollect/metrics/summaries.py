"""Score of a summary: fluency, times the harmonic mean of recall of key points and precision of sentences."""

from __future__ import annotations

from typing import NamedTuple


class SummaryCounts(NamedTuple):
    """What a judge counted."""

    fluency: int
    """1 for a text that reads well to its end, else 0."""
    points_found: int
    points: int
    """Key points that the summary should have."""
    sentences_found: int
    """Sentences that the reference supports."""
    sentences: int
    """Of the summary."""


class SummaryScores(NamedTuple):
    """The measures of one summary; ratios, in [0, 1] where the counts are sound."""

    fluency: float
    recall: float
    precision: float
    f1: float


def published_summary_scores(counts: SummaryCounts) -> SummaryScores:
    """The measures as the paper's program computes them: counts above their total are kept, and a share of 0 is 0.

    Source:
        HELMET (Yen et al. 2024), judging of summaries, as used by MemoryAgentBench; checked in
        `tests/reference/test_mab_parity.py`.
    """
    recall = counts.points_found / counts.points if counts.points > 0 else 0.0
    precision = counts.sentences_found / counts.sentences if counts.sentences > 0 else 0.0
    return SummaryScores(float(counts.fluency), recall, precision, counts.fluency * _harmonic(recall, precision))


def share(found: int, total: int) -> float | None:
    """*found* of *total* as a ratio, at most 1; `None` where *total* is 0.

    Raises:
        ValueError: If a count is below 0.
    """
    if min(found, total) < 0:
        raise ValueError(f"counts start at 0, got {found} of {total}")
    return min(found, total) / total if total else None


def summary_f1(fluency: float | None, recall: float | None, precision: float | None) -> float | None:
    """Fluency times the harmonic mean of recall and precision.

    Args:
        fluency: 1 or 0.
        recall: Share of the key points that the summary has.
        precision: Share of its sentences that the reference supports.

    Returns:
        A ratio in [0, 1]; 0 where one of the three is 0, else `None` where one is undecided.

    Source:
        HELMET (Yen et al. 2024), as used by MemoryAgentBench; checked in `tests/reference/test_mab_parity.py`.
    """
    if 0.0 in (fluency, recall, precision):
        return 0.0
    if fluency is None or recall is None or precision is None:
        return None
    return fluency * _harmonic(recall, precision)


def _harmonic(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision > 0 else 0.0

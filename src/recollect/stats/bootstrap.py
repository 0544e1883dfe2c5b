"""The resampling engine: many systems under the same resamples, as one matrix product.

A resample draws as many clusters as there are, with replacement, and takes whole clusters. What a draw
needs of a cluster is only how often it was drawn, so 10,000 draws are a matrix of counts, and the means of
all systems under all draws are that matrix times the clusters' sums.

The bits come straight from PCG64, whose stream numpy keeps the same over its versions; its sampling methods
(`integers`, `multinomial`) may change. Same seed, same resamples, on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DRAWS = 10_000
"""The default number of resamples: fixes the second decimal of an interval's end, in percent."""

# Counting is fastest within the processor's cache, a matrix product well beyond it.
_CELLS_PER_COUNT = 1 << 15
_CELLS_PER_PRODUCT = 1 << 20
_GRID = float(1 << 32)


def resampled_means(sums: FloatArray, sizes: FloatArray, *, rng_seed: int, draws: int = DRAWS) -> FloatArray:
    """Mean of each column under each resample of whole clusters.

    All columns see the same resamples, so differences of columns are paired by construction.

    Args:
        sums: Sum of the scores per cluster and system, shape (clusters, systems).
        sizes: Questions per cluster, shape (clusters,), each at least 1.

    Returns:
        Sum over the drawn clusters divided by their questions, shape (draws, systems), in the unit of the scores.

    Raises:
        ValueError: If there is no cluster, a cluster is empty, or the shapes differ.

    Source:
        Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 6; resampling of whole clusters:
        Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8.
    """
    if sums.ndim != 2 or sizes.shape != sums.shape[:1] or not len(sizes) or sizes.min() < 1 or draws < 1:
        raise ValueError(
            f"need sums (clusters, systems) and sizes (clusters,) of at least 1 and 1 draw, got {sums.shape}, "
            f"{sizes.shape} and {draws} draws"
        )
    # On a binary grid every product and sum is exact, so the order in which BLAS adds cannot show.
    columns = np.column_stack([np.round(sums * _GRID) / _GRID, sizes])
    totals = np.concatenate([counts @ columns for counts in _cluster_counts(len(sizes), draws, rng_seed)])
    means: FloatArray = totals[:, :-1] / totals[:, -1:]
    return means


def _cluster_counts(clusters: int, draws: int, rng_seed: int) -> Iterator[FloatArray]:
    """How often each cluster was drawn, in blocks of shape (some draws, clusters)."""
    bits = np.random.PCG64(rng_seed)
    rows, few = (max(1, cells // clusters) for cells in (_CELLS_PER_PRODUCT, _CELLS_PER_COUNT))
    for start in range(0, draws, rows):
        block = np.empty((min(rows, draws - start), clusters))
        for first in range(0, len(block), few):
            part = block[first : first + few]
            # 32 bits scaled to a cluster index: the bias is below clusters / 2**32.
            picked = ((_words(bits, part.size) * np.uint64(clusters)) >> np.uint64(32)).astype(np.int64)
            picked += np.repeat(np.arange(len(part), dtype=np.int64) * clusters, clusters)
            part[:] = np.bincount(picked, minlength=part.size).reshape(part.shape)
        yield block


def _words(bits: np.random.PCG64, count: int) -> NDArray[np.uint64]:
    """Numbers of 32 random bits each, shape (count,)."""
    raw = bits.random_raw((count + 1) // 2)
    return np.concatenate([raw >> np.uint64(32), raw & np.uint64(0xFFFFFFFF)])[:count]


def resampled_shares(right: int, n: int, *, rng_seed: int, draws: int = DRAWS) -> FloatArray:
    """Share of right answers under each resample of *n* questions, *right* of which are right.

    Drawing n questions with replacement and counting the right ones is one draw from a binomial distribution, so
    that is what is drawn, by its inverse: the same distribution as that of `resampled_means`, in a thousandth of the
    time.

    Args:
        right: Questions answered right.
        n: Questions, at least 1.

    Returns:
        Ratios, shape (draws,).

    Raises:
        ValueError: If there is no question or more are right than there are.

    Source:
        Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 5.2.
    """
    if n < 1 or not 0 <= right <= n or draws < 1:
        raise ValueError(
            f"need at least 1 question, at most all of them right, and 1 draw, got {right} of {n}, {draws}"
        )
    return _inverse(right / n, n, _words(np.random.PCG64(rng_seed), draws)) / n


def resampled_differences(
    first_only: int, second_only: int, n: int, *, rng_seed: int, draws: int = DRAWS
) -> FloatArray:
    """Difference of two systems' shares of right answers under each resample of *n* questions.

    Questions on which exactly one is right are drawn first for the first system, then for the second among the rest.

    Args:
        first_only: Questions that only the first system has right.
        second_only: Questions that only the second has right.
        n: All questions, at least 1.

    Returns:
        First minus second, ratios, shape (draws,).

    Raises:
        ValueError: If there is no question or more differ than there are.

    Source:
        Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 5.2, for two systems at once.
    """
    if n < 1 or min(first_only, second_only) < 0 or first_only + second_only > n or draws < 1:
        raise ValueError(
            f"need at least 1 question, no more that differ, and 1 draw, got {first_only} and "
            f"{second_only} of {n}, {draws}"
        )
    words = _words(np.random.PCG64(rng_seed), 2 * draws)
    ours = _inverse(first_only / n, n, words[:draws])
    theirs = np.zeros(draws, dtype=np.int64)
    for drawn in np.unique(ours) if second_only else ():
        mine = ours == drawn
        theirs[mine] = _inverse(second_only / (n - first_only), n - int(drawn), words[draws:][mine])
    return (ours - theirs) / n


def _inverse(share: float, n: int, words: NDArray[np.uint64]) -> IntArray:
    """Binomial draws of *n* trials from numbers of 32 random bits, shape (words,)."""
    successes = np.arange(n + 1)
    if share in (0.0, 1.0):
        cdf = (successes >= n * share).astype(np.float64)
    else:
        factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
        chosen = factorials[n] - factorials - factorials[::-1]
        each = np.exp(chosen + successes * np.log(share) + (n - successes) * np.log(1 - share))
        cdf = np.cumsum(each) / each.sum()
    found: IntArray = np.searchsorted(np.round(cdf * _GRID), words.astype(np.float64), side="right")
    return np.minimum(found, n)


def percentile_ends(draws: FloatArray, tail: float) -> tuple[float, float]:
    """Smallest draws whose cumulative share reaches *tail* and 1 - *tail*.

    Args:
        draws: Resampled values of one quantity, shape (draws,).
        tail: Share cut off at each side, a ratio.
    """
    low, high = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)

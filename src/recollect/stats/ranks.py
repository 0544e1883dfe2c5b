"""Ranks with ties, shared by the rank tests and rank correlations."""

from __future__ import annotations

import numpy as np

from recollect.stats.bootstrap import FloatArray


def average_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 on, shape (values,); equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: FloatArray = (last - (counts - 1) / 2)[inverse]
    return ranks


def tie_sizes(values: FloatArray) -> FloatArray:
    """How many times each distinct value occurs, as floats, shape (distinct values,)."""
    return np.unique(values, return_counts=True)[1].astype(np.float64)

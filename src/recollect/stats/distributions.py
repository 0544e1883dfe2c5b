"""The distribution functions the intervals and tests need, from the standard library's gamma and error functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_STANDARD = NormalDist()
_TINY = 1e-300
_MOST_STEPS = 20_000


def normal_quantile(probability: float) -> float:
    """Value below which a standard normal variable lies with *probability*, a ratio in (0, 1).

    Source:
        Wichura (1988), Algorithm AS 241, as in Python's `statistics.NormalDist`.
    """
    return _STANDARD.inv_cdf(probability)


def normal_cdf(value: float) -> float:
    """Probability that a standard normal variable is at most *value*; accurate in both tails."""
    return 0.5 * math.erfc(-value / math.sqrt(2))


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularised incomplete beta function I_x(a, b): the beta distribution's share below *x*.

    Args:
        x: Ratio; what lies outside of [0, 1] counts as its nearer end.
        a: First shape, above 0.
        b: Second shape, above 0.

    Raises:
        ValueError: If a shape is not above 0.

    Source:
        NIST Digital Library of Mathematical Functions, 8.17.22 (continued fraction) and 8.17.4 (symmetry).
    """
    if a <= 0 or b <= 0:
        raise ValueError(f"the shapes of a beta distribution are above 0, got {a!r} and {b!r}")
    if x <= 0 or x >= 1:
        return float(x >= 1)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    if x < (a + 1) / (a + b + 2):
        return front / (a * _beta_fraction(x, a, b))
    return 1 - front / (b * _beta_fraction(1 - x, b, a))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate 1 + d1/(1 + d2/(1 + ...)) by the modified Lentz method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        d = 1 / _away_from_zero(1 + term * d)
        c = _away_from_zero(1 + term / c)
        value *= c * d
        if abs(c * d - 1) < 3e-16:
            return value
    raise ArithmeticError(f"the incomplete beta function did not settle for x={x!r}, a={a!r}, b={b!r}")


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Ratio below which a beta(a, b) variable lies with *probability*."""
    return _invert(lambda x: incomplete_beta(x, a, b), probability, 0.0, 1.0)


def student_t_sf(value: float, df: float) -> float:
    """Probability that Student's t with *df* degrees of freedom exceeds *value*.

    Source:
        Abramowitz and Stegun (1964), 26.7.1.
    """
    if math.isinf(value):
        return float(value < 0)
    square = value * value
    if square < df:  # near the middle the other tail of the beta function keeps the digits
        tail = 0.5 - incomplete_beta(square / (df + square), 0.5, df / 2) / 2
    else:
        tail = incomplete_beta(df / (df + square), df / 2, 0.5) / 2
    return tail if value >= 0 else 1 - tail


@lru_cache(maxsize=1024)
def student_t_quantile(probability: float, df: float) -> float:
    """Value below which Student's t with *df* degrees of freedom lies with *probability*, in (0, 1).

    Raises:
        ValueError: If *probability* is not strictly between 0 and 1, or *df* is not above 0.
    """
    if not 0 < probability < 1 or df <= 0:
        raise ValueError(f"no t quantile for probability {probability!r} and {df!r} degrees of freedom")
    if probability < 0.5:
        return -student_t_quantile(1 - probability, df)
    high = 1.0
    while student_t_sf(high, df) > 1 - probability:
        high *= 2
    return _invert(lambda t: -student_t_sf(t, df), probability - 1, 0.0, high)


def _invert(rising: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Find where a rising function meets *target*, to the last bit, by halving."""
    while low < (middle := (low + high) / 2) < high:
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return high

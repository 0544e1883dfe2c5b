"""The mean of several estimates that were made apart, with an interval from their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple


class Ends(NamedTuple):
    """An estimate between the ends of its interval, in any unit."""

    low: float
    estimate: float
    high: float


def mean_of_estimates(parts: Sequence[Ends]) -> Ends:
    """The plain mean of independent estimates; each end lies as far off as all parts' ends together say.

    Args:
        parts: At least one, all with intervals of one level. Parts that share questions or histories are not
            independent: where they rise and fall together, the interval comes out too narrow.

    Returns:
        The mean with its ends, in the unit of the parts.

    Raises:
        ValueError: If there is none.

    Source:
        Zou and Donner (2008), Statistics in Medicine 27, equations 3 and 4 (method of variance estimates recovery);
        checked by simulation in `tests/unit/stats/test_combined.py`.
    """
    if not parts:
        raise ValueError("the mean of no estimates is not defined")
    many, middle = len(parts), sum(part.estimate for part in parts) / len(parts)
    below = hypot(*(part.estimate - part.low for part in parts)) / many
    above = hypot(*(part.high - part.estimate for part in parts)) / many
    return Ends(middle - below, middle, middle + above)

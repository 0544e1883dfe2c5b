"""An estimate with its interval, as every statistic is reported; and the mean of several estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate with its interval, or the reason why there is none.

    What is undefined is `None`, never 0, and `why` gives the reason.
    """

    estimate: float | None
    """The number itself, in the unit of the data; `None` where it is undefined."""
    low: float | None
    """Lower end in the same unit; `None` where the interval is undefined."""
    high: float | None
    """Upper end in the same unit; `None` where the interval is undefined."""
    n: int
    """Questions (or trials) that the estimate rests on."""
    clusters: int
    """Independent groups among them, as a rule histories."""
    level: float
    """Coverage that the method aims at, a ratio."""
    method: str
    """How the ends were computed, as a table note says it."""
    why: str | None = None
    """The reason, where the estimate or an end is undefined."""

    def __post_init__(self) -> None:
        ends = (self.estimate, self.low, self.high)
        if any(end is None for end in ends) and not self.why:
            raise ValueError(f"an interval without {ends} needs a reason in `why`")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"interval ends are in the wrong order: {self.low!r} > {self.high!r}")

    @classmethod
    def undefined(cls, why: str, *, level: float, method: str) -> Interval:
        """No estimate and no ends, where there are no data."""
        return cls(estimate=None, low=None, high=None, n=0, clusters=0, level=level, method=method, why=why)

    @property
    def half_width(self) -> float | None:
        """Half the distance of the ends, in the unit of the data; `None` where an end is undefined."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def check_level(level: float) -> None:
    """Refuse a coverage that is no ratio, such as 95.

    Raises:
        ValueError: If *level* does not lie strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level is a ratio between 0 and 1, such as 0.95; got {level!r}")


class Ends(NamedTuple):
    """An estimate between the ends of its interval, in any unit."""

    low: float
    estimate: float
    high: float


def mean_of_estimates(parts: Sequence[Ends]) -> Ends:
    """The plain mean of independent estimates; its interval combines those of the parts.

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

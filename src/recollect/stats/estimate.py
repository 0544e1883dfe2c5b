"""The value every statistic of a report is given as: a number, its interval and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate with its interval, or the reason why there is none.

    Nothing here is ever 0 for want of data: what is undefined is `None`, and `why` says so.
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
    """How the ends were found, in words for a table note."""
    why: str | None = None
    """The reason, where the estimate or an end is undefined."""

    def __post_init__(self) -> None:
        ends = (self.estimate, self.low, self.high)
        if any(end is None for end in ends) and not self.why:
            raise ValueError(f"an interval without {ends} needs a reason in `why`")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"interval ends are in the wrong order: {self.low!r} > {self.high!r}")

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

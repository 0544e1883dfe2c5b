"""Dates as values: partial dates, calendar arithmetic, ISO times, and the order of messages in time."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Style = Literal["iso", "day_first", "month_first"]


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as far as it is known: 2023, March 2023, 12 March 2023, or 12 March without a year."""

    year: int | None
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        if self.year is None and self.month is None:
            raise ValueError("a partial date needs a year or a month")
        if self.day is not None and self.month is None:
            raise ValueError(f"a partial date with day {self.day} needs its month")
        if self.year is not None and not 1 <= self.year <= 9999:
            raise ValueError(f"year {self.year} is not between 1 and 9999")
        if self.month is not None and not 1 <= self.month <= 12:
            raise ValueError(f"month {self.month} is not between 1 and 12")
        if self.month is not None and self.day is not None and not 1 <= self.day <= length(self.year, self.month):
            raise ValueError(f"month {self.month} has no day {self.day}")

    @classmethod
    def of(cls, day: date) -> PartialDate:
        """The full date."""
        return cls(day.year, day.month, day.day)

    @property
    def exact(self) -> date | None:
        """The day, where the full date is known."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)

    @property
    def first(self) -> date | None:
        """The first day it can be; None without a year."""
        return None if self.year is None else date(self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> date | None:
        """The last day it can be; None without a year."""
        if self.year is None:
            return None
        month = self.month or 12
        return date(self.year, month, self.day or length(self.year, month))

    def admits(self, other: PartialDate) -> bool:
        """Whether *other* is this date or a fuller form of it: 2023 admits March 2023, not the reverse."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine is None or mine == theirs for mine, theirs in pairs)


def length(year: int | None, month: int) -> int:
    """Days of a month; of February 29 where the year is unknown."""
    return monthrange(2000 if year is None else year, month)[1]


@dataclass(frozen=True, slots=True)
class SaidTime:
    """An ISO date or time."""

    said: str
    local: datetime
    """Without an offset; midnight for a date."""
    offset: timedelta | None


def read_iso(said: str) -> SaidTime:
    """Read an ISO 8601 date or time; its text is kept as it is.

    Raises:
        ValueError: If it is none.
    """
    try:
        read = datetime.fromisoformat(said)
    except ValueError:
        raise ValueError(f"time {said!r} is not ISO 8601, such as 2024-03-01T09:30") from None
    return SaidTime(said, read.replace(tzinfo=None), read.utcoffset())


def weekday_name(day: date) -> str:
    """Monday to Sunday."""
    return WEEKDAYS[day.weekday()]


def days_between(start: date, end: date, *, inclusive: bool = False) -> int:
    """Days from *start* to *end*: nights between them, or with *inclusive* both days counted; negative backwards."""
    days = (end - start).days
    return days + (1 if days >= 0 else -1) * inclusive


def working_days(start: date, end: date, *, inclusive: bool = True) -> int:
    """Mondays to Fridays from *start*, counted if *inclusive*, to *end*, always counted; 0 where *end* is earlier."""
    if not inclusive:
        start += timedelta(days=1)
    weeks, rest = divmod(max(0, days_between(start, end) + 1), 7)
    return 5 * weeks + sum((start.weekday() + step) % 7 < 5 for step in range(rest))


def add_months(day: date, months: int) -> date:
    """The same day some months later or, if negative, earlier; the last of the month where there is no such day."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, length(year, month + 1)))


def format_date(value: date | PartialDate, style: Style = "day_first") -> str:
    """As far as it is known: `12 March 2023`, `March 12, 2023`, `2023-03-12`; `March 2023`."""
    part = PartialDate.of(value) if isinstance(value, date) else value
    month = MONTHS[part.month - 1] if part.month else ""
    year = "" if part.year is None else f"{part.year:04d}"
    if style == "iso":
        return "-".join([year or "-", *(f"{number:02d}" for number in (part.month, part.day) if number is not None)])
    if part.day is None:
        return f"{month} {year}".strip()
    if style == "day_first":
        return f"{part.day} {month} {year}".strip()
    return f"{month} {part.day}, {year}" if year else f"{month} {part.day}"


def in_order(said_at: Sequence[str | None]) -> list[int]:
    """The positions of the messages of one history, sorted by time.

    Where every time has its offset, the order is that of instants, else that of local times; equal times keep their
    position. A message without a time stays behind the one before it.

    Raises:
        ValueError: If one is not ISO 8601.
    """
    times = [None if said is None else read_iso(said) for said in said_at]
    by_instant = all(time.offset is not None for time in times if time is not None)
    keys: list[tuple[timedelta, int]] = []
    since = timedelta.min
    for position, time in enumerate(times):
        if time is not None:
            shift = time.offset if by_instant and time.offset is not None else timedelta()
            since = time.local - datetime.min - shift  # noqa: DTZ901  # both are local
        keys.append((since, position))
    return [position for _, position in sorted(keys)]

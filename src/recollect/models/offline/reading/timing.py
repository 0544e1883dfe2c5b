"""When something was said, and which dates it names."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from recollect.text.calendars import read_iso
from recollect.text.dates import Mention, find_dates


class Moment(NamedTuple):
    """A time that an item carries."""

    said: str
    local: datetime
    offset: timedelta | None

    @property
    def day(self) -> date:
        """The local day."""
        return self.local.date()


@lru_cache(maxsize=4096)
def moment_of(said: str | None) -> Moment | None:
    """The time that an item carries, if it carries a readable one."""
    if not said:
        return None
    try:
        read = read_iso(said.strip())
    except ValueError:
        return None
    return Moment(read.said, read.local, read.offset)


def dates_in(text: str, said: Moment | None) -> list[Mention]:
    """The dates that a sentence names, relative ones resolved against the time it was said at."""
    try:
        return find_dates(text, said.day if said is not None else None)
    except (ValueError, OverflowError):
        return []

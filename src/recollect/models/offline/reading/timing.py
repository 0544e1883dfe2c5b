"""When something was said, and which dates it names."""

from __future__ import annotations

from collections.abc import Sequence
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


def in_order(said: Sequence[Moment | None]) -> list[int]:
    """Places from the oldest to the newest: by instant if all tell one, else by local time, else as they stand."""
    places = range(len(said))
    known = [moment for moment in said if moment is not None]
    if len(known) < len(said):
        return list(places)
    if all(moment.offset is not None for moment in known):
        return sorted(places, key=lambda i: (known[i].local - (known[i].offset or timedelta()), i))
    return sorted(places, key=lambda i: (known[i].local, i))


def dates_in(text: str, said: Moment | None) -> list[Mention]:
    """The dates that a sentence names, relative ones resolved against the time it was said at."""
    try:
        return find_dates(text, said.day if said is not None else None)
    except (ValueError, OverflowError):
        return []

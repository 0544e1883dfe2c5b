"""The time of a session, as the files say it and as ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.text.dates.mentions import MONTHS

_SAID = re.compile(
    r"\s*(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]{3,9}),?\s+(\d{4})\s*", re.IGNORECASE
)


def read_time(said: str) -> str | None:
    """`1:56 pm on 8 May, 2023` as `2023-05-08T13:56`; `None` where it says no time."""
    found = _SAID.fullmatch(said)
    if found is None:
        return None
    hour, minute, half, day, name, year = found.groups()
    month = next((n for n, full in enumerate(MONTHS, start=1) if full.lower().startswith(name.lower())), 0)
    if not 1 <= int(hour) <= 12:
        return None
    try:
        time = datetime(int(year), month, int(day), int(hour) % 12 + 12 * (half in "pP"), int(minute))  # noqa: DTZ001
    except ValueError:
        return None
    return time.isoformat(timespec="minutes")


def say_time(said_at: str) -> str:
    """The way back.

    Raises:
        ValueError: It is not ISO 8601.
    """
    time = datetime.fromisoformat(said_at)
    half = "am" if time.hour < 12 else "pm"
    return f"{(time.hour - 1) % 12 + 1}:{time.minute:02} {half} on {time.day} {MONTHS[time.month - 1]}, {time.year}"

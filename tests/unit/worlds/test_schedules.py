"""Sessions lie in time: a case far apart and within its dates, and no two at one second."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from recollect.domain.errors import UsageError
from recollect.worlds.schedules import Gaps, Placed, Slot, Span, day_of, evenly, month_of, spread, timed

YEAR = Span(start=date(2025, 4, 1), days=365.0)


def _slots(cases: int = 60, sessions: int = 2) -> list[Slot]:
    return [Slot(case=f"c{case:03d}", place=place) for case in range(cases) for place in range(sessions)]


def _apart(placed: Placed[Slot]) -> tuple[int, float]:
    """Fewest other sessions, and fewest days, between two of one case."""
    seen: dict[str, tuple[int, float]] = {}
    between, days = [], []
    for at, (slot, day) in enumerate(placed):
        if slot.case in seen:
            between.append(at - seen[slot.case][0] - 1)
            days.append(day - seen[slot.case][1])
        seen[slot.case] = (at, day)
    return min(between), min(days)


@pytest.mark.parametrize("gaps", [Gaps(sessions=0, days=0), Gaps(sessions=5, days=3), Gaps(sessions=40, days=60)])
@pytest.mark.parametrize("seed", range(3))
def test_gaps_are_kept(gaps: Gaps, seed: int) -> None:
    placed = spread(_slots(), gaps, YEAR, Random(seed))
    between, days = _apart(placed)
    assert between >= gaps.sessions
    assert days >= gaps.days
    assert [at for _, at in placed] == sorted(at for _, at in placed)
    assert len(placed) == 120


def test_dates_are_kept() -> None:
    dated = Slot(case="dated", place=0, starts="2025-06-01", ends="2025-06-03")
    for seed in range(20):
        at = dict(timed(spread([*_slots(9), dated], Gaps(), YEAR, Random(seed)), YEAR))[dated]
        assert date(2025, 6, 1) <= at.date() <= date(2025, 6, 3)


def test_dates_too_close_for_the_gap_are_told() -> None:
    tight = [
        Slot(case="a", place=place, starts=day, ends=day) for place, day in enumerate(("2025-05-01", "2025-05-09"))
    ]
    assert spread(tight, Gaps(days=8), YEAR, Random(1))
    with pytest.raises(
        UsageError, match=r"case `a`: 2 sessions, which are dated 2025-05-01 to .* cannot lie 9\.0 days"
    ):
        spread(tight, Gaps(days=9), YEAR, Random(1))


def test_too_many_sessions_between_are_told() -> None:
    with pytest.raises(UsageError, match=r"gap_sessions=100 cannot be kept in \d+ of 60 cases"):
        spread(_slots(), Gaps(sessions=100), YEAR, Random(1))


def test_an_even_layout_gives_each_the_same_room() -> None:
    placed = evenly(_slots(5), Span(start=date(2025, 4, 1), days=20.0))
    assert {round(second - first, 9) for (_, first), (_, second) in pairwise(placed)} == {2.0}
    assert placed[0][1] == 1.0


def test_of_two_sessions_at_one_moment_the_later_waits_a_second() -> None:
    one, other = _slots(1)
    (_, first), (_, second) = timed([(one, 3.5), (other, 3.5)], YEAR)
    assert second - first == timedelta(seconds=1)


def test_a_moment_leaves_the_night_out() -> None:
    """Day 0 begins at 8; half of day 2 is 15:30; the last second is before 23."""
    assert YEAR.moment(0.0) == datetime.fromisoformat("2025-04-01T08:00:00+08:00")
    assert YEAR.moment(2.5) == datetime.fromisoformat("2025-04-03T15:30:00+08:00")
    assert YEAR.moment(0.999999).hour == 22


def test_the_seed_decides() -> None:
    def laid(seed: int) -> Placed[Slot]:
        return spread(_slots(), Gaps(sessions=3, days=3), YEAR, Random(seed))

    assert laid(1) == laid(1) != laid(2)


def test_dates_are_said_in_plain_words() -> None:
    assert day_of(date(2025, 6, 1)) == "1 June 2025"
    assert month_of(date(2024, 12, 9)) == "December 2024"

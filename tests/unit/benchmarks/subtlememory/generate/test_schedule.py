"""Sessions lie in time as the layout says: gaps and dates are kept, or it is said which cannot be."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from recollect.benchmarks.subtlememory.generate.schedule import Slot, schedule, span_of
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.domain.errors import UsageError
from recollect.worlds.schedules import Span

Timed = tuple[tuple[Slot, datetime], ...]


def slots(cases: int = 109, sessions: int = 2) -> list[Slot]:
    """Cases by turns about the user and the world; every tenth is dated."""
    made = []
    for case in range(cases):
        dated = case % 10 == 0 and sessions == 2
        for place in range(sessions):
            made.append(
                Slot(
                    case=f"c{case:03d}",
                    place=place,
                    related=case % 2 == 0,
                    topic=f"t{case % 7}",
                    starts=("2025-05-01", "2025-10-01")[place] if dated else None,
                    ends=("2025-06-15", None)[place] if dated else None,
                )
            )
    return made


def timed(given: list[Slot], seed: int = 1, number: int = 0, **knobs: int | str) -> Timed:
    settings = GenerationSettings(**knobs)  # type: ignore[arg-type]
    return schedule(given, settings, span_of(settings, number), Random(seed))


def gaps(found: Timed) -> tuple[int, int]:
    """Fewest sessions and days between two of one case."""
    last: dict[str, tuple[int, datetime]] = {}
    sessions, days = [], []
    for at, (slot, moment) in enumerate(found):
        if slot.case in last:
            sessions.append(at - last[slot.case][0] - 1)
            days.append((moment.date() - last[slot.case][1].date()).days)
        last[slot.case] = (at, moment)
    return min(sessions), min(days)


@pytest.mark.parametrize(
    "knobs",
    [
        pytest.param({}, id="base"),
        pytest.param({"gap_days": 60}, id="days"),
        pytest.param({"gap_sessions": 50}, id="sessions"),
        pytest.param({"gap_days": 0, "gap_sessions": 0}, id="none"),
        pytest.param({"gap_days": 100, "gap_sessions": 40}, id="both"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_case_is_spread_and_its_gaps_are_kept(knobs: dict[str, int], seed: int) -> None:
    """109 cases of two sessions in a year."""
    found = timed(slots(), seed, **knobs)
    sessions, days = gaps(found)
    assert sessions >= knobs.get("gap_sessions", 3)
    assert days >= knobs.get("gap_days", 3)


def test_sessions_fill_the_whole_span_by_day_and_each_has_its_own_second() -> None:
    """From the first fortnight to the last; 08:00 to 22:59:59 at +08:00; no month without any."""
    found = timed(slots())
    moments = [moment for _, moment in found]
    assert moments == sorted(set(moments))
    assert moments[0].date() < date(2025, 4, 15)
    assert date(2026, 3, 18) < moments[-1].date() < date(2026, 4, 1)
    assert {moment.month for moment in moments} == set(range(1, 13))
    assert all(8 <= moment.hour < 23 and moment.utcoffset() == timedelta(hours=8) for moment in moments)
    assert len({moment.second for moment in moments}) > 50


def test_sessions_of_one_case_lie_far_apart_in_the_year() -> None:
    """Undated cases of two: between two and ten months."""
    found = timed(slots())
    by_case: dict[str, list[datetime]] = {}
    for slot, moment in found:
        by_case.setdefault(slot.case, []).append(moment)
    undated = [(last - first).days for case, (first, last) in by_case.items() if int(case[1:]) % 10]
    assert min(undated) > 60
    assert max(undated) < 300


def test_dates_are_honoured() -> None:
    """The first by mid-June, the second from October on."""
    for slot, moment in timed(slots()):
        if slot.starts is not None:
            assert slot.starts <= moment.date().isoformat() <= (slot.ends or "2026-03-31")


def test_gaps_that_cannot_be_kept_name_the_case_or_their_number() -> None:
    """Two sessions 365 days apart; four dated ones 100 days apart; 200 sessions between two of 218."""
    with pytest.raises(UsageError, match=r"case `c000`: 2 sessions.* cannot lie 365\.0 days apart within 365 days"):
        timed(slots(), gap_days=365)
    windows = [("2025-05-01", "2025-05-31"), ("2025-06-01", "2025-06-30")]
    tight = [
        Slot(case="a", place=place, related=True, topic="t", starts=starts, ends=ends)
        for place, (starts, ends) in enumerate(windows)
    ]
    with pytest.raises(UsageError, match="dated 2025-05-01 to 2025-05-31; 2025-06-01 to 2025-06-30 cannot lie 80"):
        timed(tight, gap_days=80, gap_sessions=0)
    with pytest.raises(UsageError, match=r"gap_sessions=200 cannot be kept in \d+ of 109 cases"):
        timed(slots(), gap_sessions=200)


def test_a_gap_in_sessions_that_chance_does_not_give_is_kept_to_the_session() -> None:
    """72 others between any two of a case, which few layouts have by themselves."""
    assert all(gaps(timed(slots(), seed, gap_sessions=72))[0] >= 72 for seed in range(25))


def test_sessions_between_are_counted_to_one() -> None:
    """Two others are dated between the two of a case: a gap of two is kept, one of three cannot be."""
    days = {"a": ("2025-05-01", "2025-07-01"), "b": ("2025-06-01",), "c": ("2025-06-10",), "d": ("2025-08-01",)}
    fixed = [
        Slot(case=case, place=place, related=True, topic="t", starts=day, ends=day)
        for case, said in days.items()
        for place, day in enumerate(said)
    ]
    assert gaps(timed(fixed, gap_sessions=2))[0] == 2
    with pytest.raises(UsageError, match="gap_sessions=3 cannot be kept in 1 of 4 cases"):
        timed(fixed, gap_sessions=3)


def test_a_gap_that_just_fits_is_kept() -> None:
    """From 1 May to 30 June are 60 days."""
    windows = [("2025-05-01", "2025-05-31"), ("2025-06-01", "2025-06-30")]
    tight = [
        Slot(case="a", place=place, related=True, topic="t", starts=starts, ends=ends)
        for place, (starts, ends) in enumerate(windows)
    ]
    assert gaps(timed(tight, gap_days=60, gap_sessions=0))[1] == 60


def test_the_layout_of_the_authors_puts_persons_end_to_end_and_cases_side_by_side() -> None:
    """About 36 days each of ten persons; related sessions of a case are neighbours but for those of the world."""
    ends: list[tuple[date, date]] = []
    for number in range(10):
        found = timed(slots(), number=number, layout="authors")
        ends.append((found[0][1].date(), found[-1][1].date()))
        related = [slot for slot, _ in found if slot.related]
        assert [slot.topic for slot in related] == sorted(slot.topic for slot in related)
        assert all(one.case == other.case for one, other in list(pairwise(related))[::2])
        assert gaps(found)[0] <= 2
    assert all((last - first).days in range(33, 38) for first, last in ends)
    assert all(one[1] < other[0] for one, other in pairwise(ends))
    assert ends[0][0] == date(2025, 4, 1)


def test_the_work_grows_with_the_sessions_and_the_seed_decides() -> None:
    """20,000 sessions are laid out within the time of a test; same seed, same layout."""
    assert len({moment for _, moment in timed(slots(10_000), gap_sessions=3)}) == 20_000
    assert timed(slots(), 4) == timed(slots(), 4) != timed(slots(), 5)


def test_a_moment_of_the_span_leaves_the_night_out() -> None:
    """Day 0 begins at 8; half of day 2 is 15:30."""
    span = Span(start=date(2025, 4, 1), days=3.0)
    assert span.moment(0.0).isoformat() == "2025-04-01T08:00:00+08:00"
    assert span.moment(2.5).isoformat() == "2025-04-03T15:30:00+08:00"

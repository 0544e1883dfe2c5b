"""Times of messages, from the times of their sessions; expected values reckoned by hand."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.histories import message_times

from tests.unit.benchmarks.subtlememory.people import talk


def starting(*starts: str, messages: int = 4) -> list[tuple[str, ...]]:
    said = [str(place) for place in range(messages)]
    return message_times([talk(order, f"a-{order}", start, *said) for order, start in enumerate(starts)])


def test_messages_follow_every_thirty_seconds_and_keep_the_offset() -> None:
    """The authors' step."""
    (times,) = starting("2025-04-01T23:59:40+08:00", messages=3)
    assert times == ("2025-04-01T23:59:40+08:00", "2025-04-02T00:00:10+08:00", "2025-04-02T00:00:40+08:00")


def test_a_time_without_an_offset_gets_none() -> None:
    assert starting("2025-04-01T10:00:00", messages=2) == [("2025-04-01T10:00:00", "2025-04-01T10:00:30")]


def test_where_the_next_session_is_near_messages_end_at_nine_tenths_of_the_way() -> None:
    """Sixty seconds: the fourth message at 54, the others a third of that apart."""
    first, second = starting("2025-04-01T10:00:00+08:00", "2025-04-01T10:01:00+08:00")
    assert [time[17:19] for time in first] == ["00", "18", "36", "54"]
    assert [time[14:19] for time in second] == ["01:00", "01:30", "02:00", "02:30"]


def test_a_way_that_is_just_long_enough_presses_nothing() -> None:
    """Ninety seconds are nine tenths of a hundred."""
    (first, _) = starting("2025-04-01T10:00:00+08:00", "2025-04-01T10:01:40+08:00")
    assert first[-1] == "2025-04-01T10:01:30+08:00"


@pytest.mark.parametrize("following", ["2025-04-01T10:00:00+08:00", "2025-03-31T10:00:00+08:00"])
def test_a_session_that_begins_no_later_presses_nothing(following: str) -> None:
    assert starting("2025-04-01T10:00:00+08:00", following)[0][1] == "2025-04-01T10:00:30+08:00"


def test_a_single_message_is_said_when_its_session_begins() -> None:
    assert starting("2025-04-01T10:00:00+08:00", "2025-04-01T10:00:01+08:00", messages=1)[0] == (
        "2025-04-01T10:00:00+08:00",
    )

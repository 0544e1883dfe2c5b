"""The order of messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.dates.calendars import in_order


@pytest.mark.parametrize(
    ("said_at", "order"),
    [
        pytest.param(["2024-01-01T12:00+05:00", "2024-01-01T08:00+00:00"], [0, 1], id="instants"),
        pytest.param(["2024-01-01T12:00+05:00", "2024-01-01T08:00"], [1, 0], id="one-without-offset-so-local"),
        pytest.param(["2024-01-02", "2024-01-01T23:59"], [1, 0], id="date-is-its-midnight"),
        pytest.param(["2024-01-01T10:00", "2024-01-01T10:00"], [0, 1], id="ties-keep-their-position"),
        pytest.param(
            ["2024-01-01T10:00", None, "2024-01-01T09:00"], [2, 0, 1], id="no-time-stays-behind-the-one-before"
        ),
        pytest.param([None, "2024-01-01"], [0, 1], id="no-time-at-the-start"),
        pytest.param([None, "2024-01-01T12:00Z", "2024-01-01T12:30+01:00"], [0, 2, 1], id="no-time-leaves-instants"),
        pytest.param(["0001-01-01T00:00+14:00", "0001-01-01T00:00-12:00"], [0, 1], id="edge-of-the-calendar"),
        pytest.param([], [], id="empty"),
    ],
)
def test_messages_are_ordered_by_instant_else_by_local_time(said_at: list[str | None], order: list[int]) -> None:
    assert in_order(said_at) == order


def test_a_time_that_is_none_is_an_error_with_the_value() -> None:
    with pytest.raises(ValueError, match="'noon'"):
        in_order(["noon"])


@given(st.lists(st.datetimes().map(lambda moment: moment.isoformat()), max_size=8))
def test_local_times_are_ordered_as_their_text(said_at: list[str]) -> None:
    """Sorted keys are a stable sort of the times."""
    by_text = sorted(range(len(said_at)), key=lambda place: (said_at[place].ljust(26, "."), place))
    assert [said_at[place][:19] for place in in_order(said_at)] == [said_at[place][:19] for place in by_text]

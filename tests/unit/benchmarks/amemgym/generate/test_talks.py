"""Sessions: when they are, and what is said in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from recollect.benchmarks.amemgym.generate import items
from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue, small_talk
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.benchmarks.amemgym.items import Item


def test_sessions_are_on_the_last_evenings_of_a_period(small: tuple[Item, ...]) -> None:
    """One a day, the last on the day on which the period ends, between seven and ten."""
    for period in (period for item in small for period in item.periods):
        days = [date.fromisoformat(talk.session_time[:10]) for talk in period.sessions]
        end = date.fromisoformat(period.period_end)
        assert days == [end - timedelta(days=back) for back in range(len(days) - 1, -1, -1)]
        assert all("19:00:00" <= talk.session_time[11:] < "22:00:00" for talk in period.sessions)


def test_periods_are_months_apart_and_february_ends_on_its_28th() -> None:
    """In a leap year too."""
    made = items(replace(SIZES.settings("small"), num_user_profiles=1, start_date="2023-11-30"), 7)
    assert [period.period_end for period in made[0].periods] == [
        "2023-11-30", "2024-02-28", "2024-05-30", "2024-08-30", "2024-11-30",
    ]  # fmt: skip


def test_more_sessions_than_days_are_an_error() -> None:
    """A month of 28 days cannot hold thirty evenings."""
    settings = replace(
        SIZES.settings("extra"), num_user_profiles=1, num_periods=1, num_months_per_period=1, start_date="2021-01-31",
        num_changes_per_period=30, paired_changes=0.0, max_state_variants=27,
    )  # fmt: skip
    with pytest.raises(ValueError, match="do not fit into period 1, which ends 2021-02-28"):
        items(settings, 7)


def test_a_query_asks_something_of_its_domain(small: tuple[Item, ...]) -> None:
    """Beside what it tells."""
    domains = {variable.name: domain for domain in read_catalogue() for variable in domain.variables}
    for talk in (talk for item in small for period in item.periods for talk in period.sessions):
        domain = domains[next(iter(talk.exposed_states))]
        assert any(ask[1:] in talk.query for ask in domain.asks)


def test_events_and_summaries_tell_what_changed(small: tuple[Item, ...]) -> None:
    """A summary is made of the events of its period; period 0 has neither."""
    values = {(v.name, one.value): one for d in read_catalogue() for v in d.variables for one in v.values}
    for item in small:
        assert item.periods[0].period_summary is None
        assert all(talk.event is None for talk in item.periods[0].sessions)
        for period in item.periods[1:]:
            assert period.period_summary == " ".join(talk.event or "" for talk in period.sessions)
            for talk in period.sessions:
                assert talk.event == " ".join(values[shown].event for shown in talk.exposed_states.items())


def test_nobody_says_the_same_sentence_again_while_others_are_left(base: tuple[Item, ...]) -> None:
    """Each value has four, so that one told four times is told in four ways."""
    for item in base[:5]:
        times: Counter[tuple[str, str]] = Counter()
        said: Counter[str] = Counter()
        for talk in (talk for period in item.periods for talk in period.sessions):
            times.update(talk.exposed_states.items())
            for domain in read_catalogue():
                for name, value in talk.exposed_states.items():
                    told = [one for v in domain.variables if v.name == name for one in v.named(value).told]
                    said.update(one for one in told if one[1:] in talk.query)
        assert max(said.values()) == 1
        assert sum(said.values()) == sum(times.values())


def test_joined_sentences_lose_their_capital_only_where_it_is_no_name(base: tuple[Item, ...]) -> None:
    """After `Besides,` comes `my` or `I`, never `My`."""
    queries = [talk.query for item in base for period in item.periods for talk in period.sessions]
    behind = [
        query.split(f"{word} ", 1)[1].split()[0]
        for query in queries
        for word in (*small_talk().bridges, *small_talk().leads)
        if f"{word} " in query
    ]
    assert len(behind) > 100
    assert {word for word in behind if word[0].isupper()} <= {"I", "I'm", "I've", "I'd", "I'll"}

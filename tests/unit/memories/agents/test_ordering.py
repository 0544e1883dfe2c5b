"""Memories stand in the order of their times, and where times are equal or missing in the order of writing."""

from __future__ import annotations

import pytest

from recollect.domain.exchange import Recall, RecallItem
from recollect.domain.ids import MessageId
from recollect.memories.agents.memory_stores import in_time

PLACES = {MessageId(name): place for place, name in enumerate("abc")}


def order(*found: tuple[str, str | None]) -> str:
    items = [RecallItem(text=name, sources=(MessageId(name),), said_at=time) for name, time in found]
    return "".join(item.text for item in in_time(items, lambda name: PLACES[name]))


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        pytest.param((("b", "2024-03-02"), ("a", "2024-03-01T23:00")), "ab", id="by-time"),
        pytest.param((("c", "2024-03-01"), ("a", "2024-03-01"), ("b", "2024-03-01")), "abc", id="equal-by-writing"),
        pytest.param((("c", "2024-01-01"), ("b", None), ("a", "2024-03-01")), "abc", id="one-without-by-writing"),
        pytest.param((("a", "2024-03-01T10:00+09:00"), ("b", "2024-03-01T02:00+00:00")), "ab", id="by-instant"),
        pytest.param((("b", "2024-03-01T11:00+09:00"), ("a", "2024-03-01T10:00")), "ab", id="mixed-by-local-time"),
        pytest.param((("b", "last spring"), ("a", "2024-03-01")), "ab", id="a-time-that-is-none"),
    ],
)
def test_the_order(found: tuple[tuple[str, str | None], ...], wanted: str) -> None:
    assert order(*found) == wanted


def test_what_a_system_words_itself_is_one_thing_from_all_its_sources() -> None:
    items = tuple(RecallItem(text=name, sources=(MessageId(name),)) for name in "aba")
    (one,) = Recall(items=items, rendered="a and b").to_read()
    assert (one.text, one.sources) == ("a and b", ("a", "b"))
    assert Recall(items=items).to_read() == items

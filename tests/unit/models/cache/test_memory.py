"""Replies kept in memory: bounded, and only for the settings that read them."""

from __future__ import annotations

import pytest

from recollect.models.cache import memory
from recollect.models.cache.memory import Read, Replies
from recollect.models.settings import ModelSettings

MINE = ModelSettings(model="m", base_url="http://127.0.0.1:9/v1")
OTHERS = ModelSettings(model="m", base_url="http://127.0.0.1:9/v1", answers_as=("n",))


def read(text: str, size: int = 10) -> Read:
    """A reply of *size* bytes."""
    return Read(text, MINE, "payer", size)


def test_a_kept_reply_is_given_to_the_settings_that_read_it_and_to_no_others() -> None:
    """Other settings may refuse the model that answered: they read the reply themselves."""
    kept = Replies()
    kept.keep("a", read("one"))
    assert kept.get("a", MINE) == read("one")
    assert kept.get("a", OTHERS) is None
    assert kept.get("b", MINE) is None


def test_the_replies_kept_longest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both bounds hold: the number of replies, and their bytes."""
    monkeypatch.setattr(memory, "MOST", 3)
    monkeypatch.setattr(memory, "MOST_BYTES", 100)
    kept = Replies()
    for name in "abcd":
        kept.keep(name, read(name))
    assert [kept.get(name, MINE) is not None for name in "abcd"] == [False, True, True, True]
    kept.keep("e", read("e", size=85))
    assert [kept.get(name, MINE) is not None for name in "bcde"] == [False, False, True, True]


def test_a_reply_kept_again_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes are not added up, or the memory would slowly fill with nothing."""
    monkeypatch.setattr(memory, "MOST_BYTES", 100)
    kept = Replies()
    kept.keep("a", read("a"))
    for _ in range(50):
        kept.keep("b", read("b"))
    assert kept.get("a", MINE) is not None


def test_nothing_is_kept_once_cleared() -> None:
    """Another cache may hold other replies."""
    kept = Replies()
    kept.keep("a", read("a"))
    kept.clear()
    assert kept.get("a", MINE) is None

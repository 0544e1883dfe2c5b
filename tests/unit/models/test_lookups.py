"""Looks that come together are one query, and whoever asked is told."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from recollect.domain.errors import StoreError
from recollect.models.lookups import Lookups
from recollect.models.stored import Stored

FOUND = Stored(reply=b"the mill", model="m")


class Shelf:
    """Has one reply, and notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def look(self, keys: Sequence[str]) -> Mapping[str, Stored]:
        self.asked.append(list(keys))
        return {"a": FOUND}


def test_what_is_looked_for_in_one_turn_is_one_query() -> None:
    """And in the next turn another one."""
    shelf = Shelf()

    async def both() -> None:
        lookups = Lookups(shelf.look)
        assert await asyncio.gather(*(lookups.find(key) for key in "abc")) == [FOUND, None, None]
        assert await lookups.find("a") == FOUND

    asyncio.run(both())
    assert shelf.asked == [["a", "b", "c"], ["a"]]


def test_an_error_of_the_file_is_everybodys() -> None:
    """And the next to look is not told of it."""
    broken = True

    def look(keys: Sequence[str]) -> Mapping[str, Stored]:
        if broken:
            raise StoreError("the cache is closed")
        return {}

    async def both() -> None:
        nonlocal broken
        lookups = Lookups(look)
        told = await asyncio.gather(lookups.find("a"), lookups.find("b"), return_exceptions=True)
        assert [type(one) for one in told] == [StoreError, StoreError]
        broken = False
        assert await lookups.find("a") is None

    asyncio.run(both())


def test_who_is_cancelled_is_not_looked_for() -> None:
    """The others are."""
    shelf = Shelf()

    async def one() -> None:
        lookups = Lookups(shelf.look)
        gone, stays = (asyncio.ensure_future(lookups.find(key)) for key in "ba")
        await asyncio.sleep(0)
        gone.cancel()
        assert await stays == FOUND
        with pytest.raises(asyncio.CancelledError):
            await gone

    asyncio.run(one())
    assert shelf.asked == [["a"]]

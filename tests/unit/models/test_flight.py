"""Equal calls at the same time are one call, and one caller's end is not the others'."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from recollect.domain.errors import RetryableError
from recollect.models.flight import Flight


class Maker:
    """Counts how often it was asked, and answers when it may."""

    def __init__(self, *, fail: bool = False) -> None:
        self.asked, self.fail = 0, fail
        self.may = asyncio.Event()

    async def make(self) -> str:
        self.asked += 1
        await self.may.wait()
        if self.fail:
            raise RetryableError("too many", cause="rate_limited")
        return f"reply {self.asked}"


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run *work* in a loop that lets no complaint of asyncio pass."""

    async def watched() -> None:
        complaints: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        await work()
        gc.collect()
        await asyncio.sleep(0)
        assert complaints == []

    asyncio.run(watched())


def test_fifty_equal_calls_are_one() -> None:
    """All get the one reply."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker()
        calls = [asyncio.ensure_future(flight.once("k", maker.make)) for _ in range(50)]
        await asyncio.sleep(0)
        maker.may.set()
        assert set(await asyncio.gather(*calls)) == {"reply 1"}
        assert (maker.asked, len(flight)) == (1, 0)

    run(work)


def test_other_calls_are_other_calls() -> None:
    """Keys keep them apart."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker()
        maker.may.set()
        await asyncio.gather(*(flight.once(str(number), maker.make) for number in range(5)))
        assert maker.asked == 5

    run(work)


def test_an_error_goes_to_all_who_wait_and_the_next_call_tries_anew() -> None:
    """Also a call that comes at once, by one of those who got the error."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker(fail=True)
        maker.may.set()
        found = await asyncio.gather(*(flight.once("k", maker.make) for _ in range(5)), return_exceptions=True)
        assert [type(error) for error in found] == [RetryableError] * 5
        assert maker.asked == 1
        with pytest.raises(RetryableError):
            await flight.once("k", maker.make)
        maker.fail = False
        assert await flight.once("k", maker.make) == "reply 3"

    run(work)


def test_a_finished_call_is_made_again() -> None:
    """What is done is the cache's affair."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker()
        maker.may.set()
        assert await flight.once("k", maker.make) == "reply 1"
        assert await flight.once("k", maker.make) == "reply 2"

    run(work)


def test_a_caller_that_is_cancelled_leaves_the_call_to_the_others() -> None:
    """Also the one that began it."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker()
        calls = [asyncio.ensure_future(flight.once("k", maker.make)) for _ in range(3)]
        await asyncio.sleep(0)
        calls[0].cancel()
        await asyncio.sleep(0)
        maker.may.set()
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert found[1:] == ["reply 1", "reply 1"]
        assert maker.asked == 1

    run(work)


@pytest.mark.parametrize("fail", [False, True])
def test_a_call_whose_callers_are_all_gone_ends_and_can_be_waited_for(fail: bool) -> None:
    """It may be paid for: it goes on to its end, and its error is nobody's."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker(fail=fail)
        call = asyncio.ensure_future(flight.once("k", maker.make))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.sleep(0)
        late = asyncio.ensure_future(flight.once("k", maker.make))
        await asyncio.sleep(0)
        late.cancel()
        assert len(flight) == 1
        settled = asyncio.ensure_future(flight.settle())
        await asyncio.sleep(0)
        assert not settled.done()
        maker.may.set()
        await asyncio.wait_for(settled, 5)
        assert (maker.asked, len(flight)) == (1, 0)
        await asyncio.wait_for(flight.settle(), 5)

    run(work)


def test_a_call_that_is_itself_cancelled_is_cancelled_for_all() -> None:
    """At the end of a loop nobody is left waiting."""

    async def work() -> None:
        flight, maker = Flight[str](), Maker()
        calls = [asyncio.ensure_future(flight.once("k", maker.make)) for _ in range(3)]
        await asyncio.sleep(0)
        flight._calls["k"].cancel()
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in found)
        assert len(flight) == 0

    run(work)

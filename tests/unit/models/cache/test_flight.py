"""Equal calls at the same time are one call, and one caller's end is not the others'."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from recollect.domain.errors import RetryableError
from recollect.models.cache.memory import Flight
from recollect.models.loop import Loop

WAIT_S = 10


class Maker:
    """Counts how often it was asked, and answers when it may."""

    def __init__(self, *, fail: bool = False) -> None:
        self.asked, self.fail = 0, fail
        self.may = Event()

    async def make(self) -> str:
        self.asked += 1
        asked = self.asked
        while not self.may.is_set():
            await asyncio.sleep(0.001)
        if self.fail:
            raise RetryableError("too many", cause="rate_limited")
        return f"reply {asked}"


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A loop in a thread of its own."""
    made = Loop()
    yield made
    made.close()


def ask(flight: Flight[str], maker: Maker, loop: Loop, key: str = "k") -> tuple[Future[str], bool]:
    """One call."""
    return flight.once(key, maker.make, loop.start)


def test_fifty_equal_calls_of_fifty_threads_are_one(loop: Loop) -> None:
    """All get the one reply, and one of them knows that it began it."""
    flight, maker, together = Flight[str](), Maker(), Barrier(51)

    def one() -> tuple[str, bool]:
        together.wait(WAIT_S)
        call, begun = ask(flight, maker, loop)
        return call.result(WAIT_S), begun

    with ThreadPoolExecutor(50) as pool:
        calls = [pool.submit(one) for _ in range(50)]
        together.wait(WAIT_S)
        maker.may.set()
        found = [call.result(WAIT_S) for call in calls]
    # a thread that comes after the reply begins a call anew; those that came before it share one
    assert sum(begun for _, begun in found) == maker.asked
    assert {reply for reply, _ in found} == {f"reply {number}" for number in range(1, maker.asked + 1)}
    flight.settle()
    assert len(flight) == 0


def test_calls_that_come_while_one_is_on_its_way_share_it(loop: Loop) -> None:
    """Whoever comes."""
    flight, maker = Flight[str](), Maker()
    calls = [ask(flight, maker, loop) for _ in range(50)]
    maker.may.set()
    assert {call.result(WAIT_S) for call, _ in calls} == {"reply 1"}
    assert [begun for _, begun in calls] == [True] + [False] * 49


def test_other_calls_are_other_calls(loop: Loop) -> None:
    """Keys keep them apart."""
    flight, maker = Flight[str](), Maker()
    calls = [ask(flight, maker, loop, str(number)) for number in range(5)]
    maker.may.set()
    assert len({call.result(WAIT_S) for call, _ in calls}) == 5


def test_an_error_goes_to_all_who_wait_and_the_next_call_tries_anew(loop: Loop) -> None:
    """Also a call that comes at once, by one of those who got the error."""
    flight, maker = Flight[str](), Maker(fail=True)
    calls = [ask(flight, maker, loop)[0] for _ in range(5)]
    maker.may.set()
    assert [type(call.exception(WAIT_S)) for call in calls] == [RetryableError] * 5
    assert maker.asked == 1
    maker.fail = False
    again, begun = ask(flight, maker, loop)
    assert (again.result(WAIT_S), begun) == ("reply 2", True)


def test_a_finished_call_is_made_again(loop: Loop) -> None:
    """What is done is the cache's affair."""
    flight, maker = Flight[str](), Maker()
    maker.may.set()
    assert [ask(flight, maker, loop)[0].result(WAIT_S) for _ in range(2)] == ["reply 1", "reply 2"]


@pytest.mark.parametrize("fail", [False, True])
def test_calls_can_be_waited_for_after_their_callers_have_gone(fail: bool, loop: Loop) -> None:
    """They may be paid for: they go on to their end, and their error is nobody's."""
    flight, maker = Flight[str](), Maker(fail=fail)
    ask(flight, maker, loop)
    waiting = Thread(target=flight.settle)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    assert len(flight) == 1
    maker.may.set()
    waiting.join(WAIT_S)
    assert not waiting.is_alive()
    assert (maker.asked, len(flight)) == (1, 0)
    flight.settle()

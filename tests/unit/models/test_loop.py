"""Blocking callers hand work to the loop's thread, and get what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Event, current_thread

import pytest

from recollect.models.loop import Loop

WAIT_S = 10


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A loop in a thread of its own."""
    made = Loop()
    yield made
    made.close()


async def _named() -> str:
    return current_thread().name


def test_work_is_done_in_the_one_thread_of_the_loop(loop: Loop) -> None:
    """Whoever hands it over."""
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(lambda _: loop.run(_named()), range(200))) == {"models"}


def test_an_error_of_the_work_is_raised_where_it_is_waited_for(loop: Loop) -> None:
    """As it is."""

    async def fail() -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        loop.run(fail())


def test_work_that_is_cancelled_says_so_to_who_waits(loop: Loop) -> None:
    """Who waits in another thread would else wait forever."""

    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(CancelledError):
        loop.run(cancelled())


def test_the_loop_is_rung_once_for_all_that_comes_while_it_is_busy(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty pieces of work, one call into the loop; and none is forgotten when it is free again."""
    busy, free = Event(), Event()

    async def block() -> None:
        busy.set()
        free.wait(WAIT_S)

    async def number(at: int) -> int:
        return at

    first: Future[None] = Future()
    loop.start(block(), first)
    assert busy.wait(WAIT_S)
    running = loop._running()
    rings: list[object] = []
    plain = running.call_soon_threadsafe

    def ring(call: Callable[[], None]) -> object:
        rings.append(call)
        return plain(call)

    monkeypatch.setattr(running, "call_soon_threadsafe", ring)
    results: list[Future[int]] = [Future() for _ in range(50)]
    for at, result in enumerate(results):
        loop.start(number(at), result)
    assert len(rings) == 1
    free.set()
    assert [result.result(WAIT_S) for result in results] == list(range(50))
    assert loop.run(number(7)) == 7

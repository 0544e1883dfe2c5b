"""The gate: how many calls go out, how close together, and how it learns that. All in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from threading import Event

import pytest

from recollect.domain.errors import InterruptedRunError, RetryableError
from recollect.models.limits.gate import Gate
from recollect.models.limits.retry import is_hopeless, wait_after

from tests.fakes.virtual_time import run_virtually


def error(cause: str = "rate_limited", retry_after: float = 0.0) -> RetryableError:
    return RetryableError("no", cause=cause, retry_after=retry_after)


def now() -> float:
    return asyncio.get_running_loop().time()


@dataclass
class Server:
    """Allows so many calls a second and refuses the others; some calls fail at random before that."""

    rate: float | None = None
    latency_s: float = 0.05
    failing: float = 0.0
    told_s: float = 0.0
    rng: Random = field(default_factory=lambda: Random(5))
    allowed: float = 0.0
    at: float = 0.0
    inside: int = 0
    most_inside: int = 0
    sent: list[float] = field(default_factory=list)

    async def call(self) -> None:
        self.sent.append(now())
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        try:
            if self.rng.random() < self.failing:
                await asyncio.sleep(self.latency_s)
                raise error(self.rng.choice(["rate_limited", "server_error", "connection_closed"]))
            self._limit()
            await asyncio.sleep(self.latency_s)
        finally:
            self.inside -= 1

    def _limit(self) -> None:
        if self.rate is None:
            return
        most = max(1.0, self.rate / 10)
        self.allowed, self.at = min(most, self.allowed + (now() - self.at) * self.rate), now()
        if self.allowed < 1:
            raise error(retry_after=self.told_s)
        self.allowed -= 1


async def once(gate: Gate, call: Callable[[], Awaitable[None]]) -> None:
    """One try, told to the gate."""
    async with gate.place():
        try:
            await call()
        except RetryableError as failed:
            gate.refused(failed)
            raise
        gate.answered()


async def until_answered(gate: Gate, call: Callable[[], Awaitable[None]], key: str) -> list[str]:
    """Tries until it goes through; why tries failed."""
    causes: list[str] = []
    while True:
        try:
            await once(gate, call)
        except RetryableError as failed:
            causes.append(failed.cause)
            assert not is_hopeless(causes, 8), causes
            await asyncio.sleep(wait_after(causes, key, failed.retry_after))
        else:
            return causes


async def many(gate: Gate, server: Server, calls: int, callers: int) -> tuple[float, list[list[str]]]:
    """Seconds until 95 % of the calls were answered, and why tries of each failed."""
    keys, ends, causes = iter(range(calls)), list[float](), list[list[str]]()

    async def caller() -> None:
        for key in keys:
            causes.append(await until_answered(gate, server.call, str(key)))
            ends.append(now())

    await asyncio.gather(*(caller() for _ in range(callers)))
    return sorted(ends)[int(0.95 * calls) - 1], causes


def test_no_more_calls_than_allowed_are_inside_at_once() -> None:
    server = Server()
    run_virtually(many(Gate(in_flight=7), server, 100, 30))
    assert server.most_inside == 7


def test_a_free_place_costs_no_wait_and_a_full_house_is_waited_for() -> None:
    async def work() -> list[float]:
        gate, waited = Gate(in_flight=1), []

        async def call() -> None:
            async with gate.place() as waited_s:
                waited.append(waited_s)
                await asyncio.sleep(2.0)

        await asyncio.gather(call(), call(), call())
        return waited

    assert run_virtually(work()) == pytest.approx([0.0, 2.0, 4.0])


def test_whoever_came_first_goes_first() -> None:
    """A caller that finds a free place does not overtake those who wait."""

    async def work() -> list[int]:
        gate, order = Gate(in_flight=2), []

        async def call(number: int) -> None:
            async with gate.place():
                order.append(number)
                await asyncio.sleep(1.0 + number / 10)

        await asyncio.gather(*(call(number) for number in range(9)))
        return order

    assert run_virtually(work()) == list(range(9))


def test_a_whole_round_of_refusals_halves_the_places_until_one_is_left() -> None:
    async def work() -> list[int]:
        gate, places = Gate(in_flight=32), []
        for _ in range(7):
            for _ in range(gate.places):
                gate.refused(error())
            places.append(gate.places)
        return places

    places = run_virtually(work())
    assert places[0] in range(16, 20)  # the first few are tolerated
    assert all(after <= before // 2 + 1 for before, after in pairwise(places))
    assert places[-1] == 1


def test_overload_counts_like_a_rate_limit_and_other_failures_do_not() -> None:
    async def work() -> tuple[int, int]:
        overloaded, broken = Gate(in_flight=20), Gate(in_flight=20)
        for _ in range(20):
            overloaded.refused(error("overloaded"))
            broken.refused(error("server_error"))
        return overloaded.places, broken.places

    overloaded, broken = run_virtually(work())
    assert overloaded < 14
    assert broken == 20


def test_places_grow_back_and_never_beyond_what_was_asked_for() -> None:
    async def work() -> tuple[int, int]:
        gate = Gate(in_flight=8)
        for _ in range(60):
            gate.refused(error())
        low = gate.places
        for _ in range(200):
            gate.answered()
        return low, gate.places

    assert run_virtually(work()) == (1, 8)


def test_one_refusal_in_ten_costs_no_place() -> None:
    """A server that refuses at random is not slowed down to a crawl."""

    async def work() -> int:
        gate = Gate(in_flight=32)
        for number in range(2000):
            if number % 10:
                gate.answered()
            else:
                gate.refused(error())
        return gate.places

    assert run_virtually(work()) >= 30


def test_when_nothing_but_refusals_come_back_all_callers_pause_as_long_as_told() -> None:
    async def work() -> list[float]:
        gate = Gate(in_flight=10)
        for _ in range(6):
            gate.refused(error(retry_after=20.0))

        async def call() -> float:
            async with gate.place():
                return now()

        return await asyncio.gather(*(call() for _ in range(3)))

    assert min(run_virtually(work())) >= 20.0


def test_without_a_told_pause_each_pause_is_longer_than_the_last_up_to_a_bound() -> None:
    async def work() -> list[float]:
        gate, server, tried = Gate(in_flight=4), Server(rate=1e-9), list[float]()
        while len(tried) < 40:
            try:
                await once(gate, server.call)
            except RetryableError:
                tried.append(now())
        return [after - before for before, after in pairwise(tried)]

    gaps = run_virtually(work())
    assert gaps[-1] == pytest.approx(30.0, abs=0.1)
    assert all(after >= 0.9 * before for before, after in pairwise(gaps[6:]))


def test_when_a_server_is_down_all_callers_pause_and_its_calls_are_not_used_up_at_once() -> None:
    """Down for 40 s from the start: everything is answered in the end."""

    async def work() -> list[list[str]]:
        gate = Gate(in_flight=16)

        async def call() -> None:
            await asyncio.sleep(0.01)
            if now() < 40.0:
                raise error("connection_refused")

        return await asyncio.gather(*(until_answered(gate, call, str(number)) for number in range(100)))

    causes = run_virtually(work())
    assert max(map(len, causes)) < 8


def test_a_caller_that_gives_up_waiting_leaves_no_hole() -> None:
    """Cancelled before and after it was given a place: every place comes back."""

    async def work() -> int:
        gate, release = Gate(in_flight=1), asyncio.Event()

        async def call() -> None:
            async with gate.place():
                await release.wait()

        tasks = [asyncio.create_task(call()) for _ in range(4)]
        await asyncio.sleep(1)
        tasks[1].cancel()
        release.set()
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with gate.place() as waited_s:
            assert waited_s == 0.0
        return gate.inside

    assert run_virtually(work()) == 0


def test_who_waits_for_a_place_goes_home_when_the_run_is_stopped() -> None:
    """A place may be minutes away; those inside keep theirs, and those who gave up took none."""

    async def work() -> tuple[list[str], float, int]:
        gate, stop, ended = Gate(in_flight=4, per_minute=1), Event(), list[str]()

        async def call() -> None:
            try:
                async with gate.place(stop):
                    await asyncio.sleep(5)
                    ended.append("answered")
            except InterruptedRunError:
                ended.append("stopped")

        calls = [asyncio.create_task(call()) for _ in range(4)]
        await asyncio.sleep(2)
        stop.set()
        await asyncio.gather(*calls)
        return ended, now(), gate.inside

    ended, took, inside = run_virtually(work())
    assert ended == ["stopped"] * 3 + ["answered"]
    assert took == pytest.approx(5.0)
    assert inside == 0


@pytest.mark.parametrize("per_minute", [1, 7, 60, 1200])
def test_no_minute_holds_more_calls_than_allowed(per_minute: int) -> None:
    """Counted in every minute that begins with a call; and the limit is nearly reached."""
    server = Server(latency_s=0.01)
    calls = 3 * per_minute + 2
    run_virtually(many(Gate(in_flight=50, per_minute=per_minute), server, calls, 60))
    sent = server.sent
    most = max(sum(start <= at < start + 60 - 1e-6 for at in sent) for start in sent[:: max(1, per_minute // 50)])
    assert most <= per_minute
    assert calls / (sent[-1] / 60 + 1) >= 0.7 * per_minute


@pytest.mark.parametrize(
    ("rate", "latency_s", "told_s"),
    [
        pytest.param(20, 0.05, 0.0, id="one-at-a-time"),
        pytest.param(100, 0.05, 0.0, id="some-at-once"),
        pytest.param(100, 0.05, 1.0, id="told-to-wait-a-second"),
        pytest.param(400, 0.05, 0.0, id="nearly-all-at-once"),
    ],
)
@pytest.mark.parametrize("failing", [0.0, 0.3])
def test_at_least_seven_tenths_of_the_allowed_rate_are_reached(
    rate: float, latency_s: float, told_s: float, failing: float
) -> None:
    """Also where 30 % of calls fail, a third of them by refusals that have nothing to do with the rate."""
    assert reached(Server(rate=rate, latency_s=latency_s, told_s=told_s, failing=failing)) >= 0.7


@pytest.mark.parametrize(("failing", "share"), [(0.0, 0.7), (0.3, 0.55)])
def test_slow_calls_under_a_strict_limit_still_reach_most_of_it(failing: float, share: float) -> None:
    """Calls of two seconds, and a server that takes one and a half at once: it refuses most of a burst."""
    assert reached(Server(rate=15, latency_s=2.0, failing=failing)) >= share


def reached(server: Server) -> float:
    """Share of the allowed rate that 64 places reach, the first storm included."""
    assert server.rate is not None
    calls = min(3000, int(60 * server.rate))
    seconds, causes = run_virtually(many(Gate(in_flight=64), server, calls, 96))
    assert len(causes) == calls
    return 0.95 * calls / seconds / server.rate


def test_a_server_that_allows_two_calls_a_second_is_not_flooded() -> None:
    """Below one call at a time, calls are spread out instead."""
    server = Server(rate=2, latency_s=0.05)
    seconds, causes = run_virtually(many(Gate(in_flight=32), server, 200, 32))
    refused = sum(map(len, causes))
    assert 0.95 * len(causes) / seconds >= 1.2
    assert refused < len(causes)

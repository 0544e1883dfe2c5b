"""Adaptive concurrency: how many calls an endpoint gets at once, how closely spaced, and when none.

Concurrency grows by one or two for each round of answered calls, and shrinks by a half for each call that is rate
limited: to a half if a whole round is refused, by little if one call in ten is. Below a share of refusals that a
server with random failures shows too, it does not shrink. Once anything was refused, calls are also spread evenly over
the time that a call takes, since a limit of calls per second refuses a burst even where the rate is right; spread wider
than one at a time where the endpoint allows less than that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from threading import Event

from recollect.domain.errors import InterruptedRunError, RetryableError

TOO_MANY = frozenset({"rate_limited", "overloaded"})

# Set by simulation: 2 to 400 calls a second allowed, calls of 0.05 to 2 s, with and without 30 % random failures.
_GROWTH, _GROWTH_AT_MOST, _SHRINK = 1.5, 0.25, 0.5
_TOLERATED = 0.15
_MEMORY = 1 / 32
_REFUSED_IN_A_ROW, _FAILED_IN_A_ROW = 6, 12
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 30.0
_FARTHEST_APART_S = 10.0
_BURST_S = 0.1
_INSTANT_S = 1e-9
_LOOK_S = 0.1
"""Seconds between two checks, while waiting, whether the run was stopped: the wait may take minutes."""


@dataclass(slots=True)
class Gate:
    """Limits calls to one endpoint, first come, first served; uses the clock of the running event loop."""

    in_flight: int
    per_minute: int | None = None
    inside: int = field(default=0, init=False)
    _level: float = field(init=False)
    _call_s: float | None = field(default=None, init=False)
    _next_at: float = field(default=float("-inf"), init=False)
    _paused_until: float = field(default=float("-inf"), init=False)
    _refused_share: float = field(default=0.0, init=False)
    _refusals: int = field(default=0, init=False)
    """In a row, without a call that got through in between."""
    _failures: int = field(default=0, init=False)
    """In a row, without an answer in between; refusals included."""
    _pauses: int = field(default=0, init=False)
    _bucket: _Bucket | None = field(default=None, init=False)
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._level = float(self.in_flight)
        self._bucket = None if self.per_minute is None else _Bucket.of(self.per_minute)

    @property
    def places(self) -> int:
        """Calls let through at once for now; from 1 to `in_flight`."""
        return max(1, int(self._level))

    @asynccontextmanager
    async def place(self, stop: Event | None = None) -> AsyncIterator[float]:
        """A place for one call: `async with gate.place() as waited_s`; leave it by an error where the call failed.

        Raises:
            InterruptedRunError: *stop* was set before there was a place.
        """
        waited_s = await self._enter(stop)
        clock = asyncio.get_running_loop().time
        started = clock()
        try:
            yield waited_s
        except BaseException:
            self._leave()
            raise
        self._leave(clock() - started)

    def answered(self) -> None:
        """A call was answered, well or badly: it was not refused for too many calls."""
        growth = min(_GROWTH / self._level, _GROWTH_AT_MOST * self._level)
        self._level = min(float(self.in_flight), self._level + growth)
        self._pauses = max(0, self._pauses - 2)
        self._failures = 0
        self._got_through()
        self._let_in()

    def refused(self, error: RetryableError) -> None:
        """A call failed; where there were too many calls, concurrency shrinks.

        A pause that the endpoint asks for is kept by the caller of the refused call. When nothing but refusals come
        back, or nothing but failures of any kind, all callers pause.
        """
        self._failures += 1
        if error.cause in TOO_MANY:
            self._refusals += 1
            self._refused_share += (1 - self._refused_share) * _MEMORY
            if self._refused_share > _TOLERATED:
                least = min(1.0, (self._call_s or _FARTHEST_APART_S) / _FARTHEST_APART_S)
                self._level = max(least, self._level - _SHRINK * min(1.0, self._level))
        else:
            self._got_through()
        if self._refusals >= _REFUSED_IN_A_ROW or self._failures >= _FAILED_IN_A_ROW:
            self._pause(error.retry_after)

    async def _enter(self, stop: Event | None) -> float:
        loop = asyncio.get_running_loop()
        started = loop.time()
        if not self._waiting and self.inside < self.places and not self._blocked_s(started):
            self._take(started)
            return 0.0
        turn = loop.create_future()
        self._waiting.append(turn)
        self._let_in()
        try:
            while not turn.done():
                if stop is not None and stop.is_set():
                    raise InterruptedRunError
                await asyncio.wait((turn,), timeout=None if stop is None else _LOOK_S)
        except (asyncio.CancelledError, InterruptedRunError):
            if not turn.cancel():  # the place was given in the same moment
                self._leave()
            raise
        return loop.time() - started

    def _leave(self, took_s: float | None = None) -> None:
        self.inside -= 1
        if took_s is not None:
            self._call_s = took_s if self._call_s is None else 0.9 * self._call_s + 0.1 * took_s
        self._let_in()

    def _got_through(self) -> None:
        self._refused_share *= 1 - _MEMORY
        self._refusals = 0

    def _let_in(self) -> None:
        while self._waiting:
            if self._waiting[0].done():  # it was cancelled
                self._waiting.popleft()
                continue
            if self.inside >= self.places:
                return
            now = asyncio.get_running_loop().time()
            blocked = self._blocked_s(now)
            if blocked:
                if self._timer is None:
                    self._timer = asyncio.get_running_loop().call_later(blocked, self._on_timer)
                return
            self._take(now)
            self._waiting.popleft().set_result(None)

    def _take(self, now: float) -> None:
        self.inside += 1
        if self._bucket is not None:
            self._bucket.tokens -= 1
        apart = self._apart_s
        self._next_at = max(self._next_at, now - apart) + apart

    @property
    def _apart_s(self) -> float:
        """Seconds between two calls; 0 as long as nothing was refused."""
        if self._call_s is None or self._level >= self.in_flight:
            return 0.0
        return min(_FARTHEST_APART_S, self._call_s / self._level)

    def _blocked_s(self, now: float) -> float:
        """Seconds until the next call may go out, if there is a place."""
        until = max(self._paused_until, self._next_at if self._apart_s else now) - now
        blocked = max(until, 0.0 if self._bucket is None else self._bucket.empty_s(now))
        return blocked if blocked > _INSTANT_S else 0.0

    def _on_timer(self) -> None:
        self._timer = None
        self._let_in()

    def _pause(self, seconds: float) -> None:
        """Let nobody in for as long as the endpoint asks; where it does not ask (0), for longer each time."""
        now = asyncio.get_running_loop().time()
        if seconds <= 0 and now < self._paused_until:
            return
        if seconds <= 0:
            seconds = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(self._pauses, 16))
            self._pauses += 1
        self._paused_until = max(self._paused_until, now + seconds)


@dataclass(slots=True)
class _Bucket:
    most: float
    rate: float
    tokens: float
    at: float | None = None

    @classmethod
    def of(cls, per_minute: int) -> _Bucket:
        """After a rest a tenth of a second's calls may go at once; the rate makes room for them."""
        most = max(1.0, per_minute / 60 * _BURST_S)
        return cls(most, (per_minute - most + 1) / 60, most)

    def empty_s(self, now: float) -> float:
        """Seconds until there is a token."""
        if self.at is not None:
            self.tokens = min(self.most, self.tokens + (now - self.at) * self.rate)
        self.at = now
        return max(0.0, (1 - self.tokens) / self.rate)

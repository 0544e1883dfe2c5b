"""Sends one call, with retries and growing pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from time import monotonic
from typing import Any

from recollect.contracts.models import Usage
from recollect.domain.errors import CallError, InterruptedRunError, MalformedError, RetryableError
from recollect.models.job import Job, Send, Sent
from recollect.models.limits.gate import Gate
from recollect.models.limits.retry import is_hopeless, wait_after
from recollect.models.wire.usage import usage_of

MALFORMED_TRIES = 3
"""Tries of a call with malformed replies: they rarely get better."""
_LOOK_S = 0.1
"""Seconds between two checks, in a pause, whether the run was stopped."""

Wasted = Callable[[CallError, Usage], None]
"""Called for a try that was charged and failed."""


@dataclass(slots=True, kw_only=True)
class Sending:
    """One call in flight."""

    job: Job[Any]
    key: str
    gate: Gate
    stop: Event
    wasted: Wasted
    again: Callable[[CallError], None] = lambda _error: None
    """Called before a pause: another try follows."""
    waited: float = 0.0
    causes: list[str] = field(default_factory=list)
    malformed: int = 0

    async def send(self, body: bytes, way: Send) -> Sent:
        """The reply.

        Raises:
            CallError: No tries are left, or another one is no use.
            InterruptedRunError: The run was stopped while it waited.
        """
        started = monotonic()
        while True:
            try:
                raw, reply = await self._try(body, way)
            except (RetryableError, MalformedError) as error:
                await self._pause_after(error)
                continue
            return Sent(
                raw=raw,
                reply=reply,
                usage=reply.usage,
                seconds=monotonic() - started,
                waited=self.waited,
                tries=len(self.causes) + 1,
                causes=tuple(self.causes),
            )

    async def _try(self, body: bytes, way: Send) -> tuple[bytes, Any]:
        async with self.gate.place(self.stop) as waited:
            self.waited += waited
            if self.stop.is_set():
                raise InterruptedRunError
            try:
                raw = await way(body)
                try:
                    reply = self.job.read(raw)
                except CallError as error:
                    usage = usage_of(raw)
                    if usage is not None:
                        self.wasted(error, usage)
                    raise
            except RetryableError as error:
                self.gate.refused(error)
                raise
            except CallError:
                self.gate.answered()  # badly, but not because of too many calls
                raise
            self.gate.answered()
        return raw, reply

    async def _pause_after(self, error: RetryableError | MalformedError) -> None:
        self.causes.append(error.cause or type(error).__name__)
        self.malformed += isinstance(error, MalformedError)
        if is_hopeless(self.causes, self.job.settings.attempts) or self.malformed >= MALFORMED_TRIES:
            raise error
        pause = wait_after(self.causes, self.key, error.retry_after if isinstance(error, RetryableError) else 0.0)
        self.again(error)
        started = monotonic()
        while (left := started + pause - monotonic()) > 0:
            if self.stop.is_set():
                raise InterruptedRunError
            await asyncio.sleep(min(left, _LOOK_S))
        self.waited += monotonic() - started

"""The client through which every model call of a run is made.

A call is looked up in the cache, and sent if it was never made before: with bounded concurrency, bounded retries, and
within the budget. Its reply is on the disk before the caller gets it, and its line on the ledger right after.
"""

from __future__ import annotations

import asyncio
import json
from _thread import allocate_lock
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from threading import Event
from time import monotonic
from types import TracebackType
from typing import Any, Generic, TypeVar

from recollect.contracts.call_context import CallContext, current_context
from recollect.domain.errors import CallError, InterruptedRunError, RecollectError, RefusedError, UsageError
from recollect.models.cache.calls import CallCache
from recollect.models.cache.entries import Stored
from recollect.models.cache.memory import Flight, Read, Replies
from recollect.models.job import Counted, Job, Send, Sent
from recollect.models.ledger import About, Ledger, about_of
from recollect.models.limits.budget import Budget
from recollect.models.limits.gate import Gate
from recollect.models.limits.health import Health
from recollect.models.loop import Loop
from recollect.models.secrets import headers_of
from recollect.models.sending import Sending
from recollect.models.settings import ModelSettings
from recollect.models.wire.transport import Transport

A = TypeVar("A", bound=Counted)
T = TypeVar("T")
RECENT = 4096
"""Keys of recent calls, which are looked up once more before they are sent."""
_JOINT = "\x1f"
"""Between the parts of a key; JSON texts, digests and names hold none."""
_SPELL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


@dataclass(slots=True, kw_only=True)
class Terms:
    """The conditions of a run's calls."""

    ledger: Ledger
    budget: Budget
    cache: CallCache | None = None
    sealed: bool = False
    """Nothing is sent: a call that is not in the cache is refused."""
    salt: str = ""
    """Not empty: replies cached by other runs are ignored."""


@dataclass(slots=True)
class Client:
    """Calls models for a whole process; its methods block and may be used by any thread."""

    stop: Event = field(default_factory=Event)
    """When set, no call is begun or tried again; those in flight are waited for."""
    health: Health = field(default_factory=Health)
    other_way: Callable[[ModelSettings], Send | None] = lambda _settings: None
    """How to send other than over HTTP, by settings."""
    let_go: Callable[[], Awaitable[None]] | None = None
    """Closes their connections; awaited in the loop, when all calls are done."""
    _terms: Terms | None = None
    _loop: Loop = field(default_factory=Loop)
    _flight: Flight[Sent | Read] = field(default_factory=Flight)
    _recent: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """Keys of calls just answered: a caller may have looked just before."""
    _replies: Replies = field(default_factory=Replies)
    _warm: bool = True
    """The last look-up was a hit. Then each caller's thread looks for itself, which is faster; after a miss the loop
    looks for all, since threads that look block each other."""
    _gates: dict[str, Gate] = field(default_factory=dict)
    _transport: Transport = field(default_factory=Transport)

    @property
    def terms(self) -> Terms:
        """The conditions of the run's calls.

        Raises:
            UsageError: No run has begun.
        """
        if self._terms is None:
            raise UsageError("a model was called outside a run; models can be called once a run has begun.")
        return self._terms

    def begin(self, terms: Terms) -> None:
        """Allow calls, under *terms*."""
        self._terms = terms
        self._replies.clear()

    def call(self, job: Job[A]) -> A:
        """The reply to *job*, from the cache or from its endpoint.

        Raises:
            CallError: There is no usable reply.
            OverBudgetError: It would cost more than is left.
            InterruptedRunError: The run is being stopped.
        """
        with self._request(job) as request:
            found = self._found(request)
            if found is not None:
                return found
            call, begun = self._join(request)
            return self._landed(request, _result(call), begun=begun)

    async def answer(self, job: Job[A]) -> A:
        """As `call`, for callers with an event loop of their own, which is not blocked."""
        with self._request(job) as request:
            found = self._found(request)
            if found is not None:
                return found
            call, begun = self._join(request)
            landed = await asyncio.shield(asyncio.wrap_future(call))  # cancelling a caller does not cancel the call
            return self._landed(request, landed, begun=begun)

    def close(self) -> None:
        """Wait for calls in flight, then close connections, loop and cache."""

        async def close_connections() -> None:
            await self._transport.close()
            if self.let_go is not None:
                await self.let_go()

        self.stop.set()
        self._flight.settle()
        self._loop.run(close_connections())
        self._loop.close()
        if self._terms is not None and self._terms.cache is not None:
            self._terms.cache.close()

    def _request(self, job: Job[A]) -> _Request[A]:
        """A call with its key, made of all that can change the reply; equal calls of a sampling model differ."""
        context, text = current_context(), _SPELL(job.body)
        prompt = _digest(text)
        parts = [job.settings.fingerprint, job.path, prompt, self.terms.salt]
        if context is not None:
            parts.append(str(context.replicate))
            if job.samples:
                parts += [context.key, context.stage, str(context.ordinal(prompt))]
        key = f"r1:{_digest(_JOINT.join(parts))}"
        return _Request(job, key, text, prompt, context, look=self._warm or self.terms.sealed)

    def _found(self, request: _Request[A]) -> A | None:
        found = self._replies.get(request.key, request.job.settings)
        if found is None and request.look:
            found = self._looked_up(request)
        return None if found is None else self._cached(request, found)

    def _cached(self, request: _Request[A], found: Read) -> A:
        """A reply that was in the cache, once it is on the ledger."""
        reply: A = found.reply
        seconds = monotonic() - request.started
        self.terms.ledger.found(request.about(), reply.usage, found.payer, seconds=seconds)
        return reply

    def _looked_up(self, request: _Request[Any]) -> Read | None:
        job, cache = request.job, self.terms.cache
        if not job.kept:
            return None
        stored = cache.get(request.key) if cache is not None else None
        self._warm = stored is not None
        if stored is None:
            return None
        reply = job.again(stored.reply, stored.usage) if job.again else job.read(stored.reply)
        read = Read(reply, job.settings, stored.payer, len(stored.reply))
        self._replies.keep(request.key, read)
        return read

    def _join(self, request: _Request[Any]) -> tuple[Future[Sent | Read], bool]:
        """The call in flight, and whether it was begun here: another thread may have made the same."""
        job, key = request.job, request.key
        if self.terms.sealed:
            raise RefusedError(
                f"{job.role} `{job.settings.model}`: this reply is not in the cache, and `--replay` sends nothing. "
                "Run without it, or merge a cache that has it.",
                cause="not_cached",
            )

        async def make() -> Sent | Read:
            look = not request.look or key in self._recent  # it may have landed just now
            found = self._looked_up(request) if look else None
            return await self._pay(request) if found is None else found

        return self._flight.once(key, make, self._loop.start)

    def _landed(self, request: _Request[A], landed: Sent | Read, *, begun: bool) -> A:
        """The reply; where another thread paid for it, the ledger has it as that one's call, and here as found."""
        if isinstance(landed, Read) and begun:
            return self._cached(request, landed)
        reply: A = landed.reply
        if not begun:
            self.terms.ledger.found(request.about(), reply.usage, payer="", seconds=0.0)
        return reply

    async def _pay(self, request: _Request[Any]) -> Sent:
        if self.stop.is_set():
            raise InterruptedRunError
        job, key, about = request.job, request.key, request.about()
        ledger, budget, endpoint = self.terms.ledger, self.terms.budget, job.settings.endpoint
        reserved = budget.reserve(ledger.least(job.settings.model, lambda: _prompt_text(job.body)))
        spent = 0.0

        def wasted(error: CallError, usage: Any) -> None:
            nonlocal spent
            spent += ledger.failed(about, error, usage=usage)

        again = partial(self.health.again, endpoint)
        sending = Sending(job=job, key=key, gate=self._gate(job.settings), stop=self.stop, wasted=wasted, again=again)
        try:
            sent = await sending.send(request.text.encode("utf-8", "backslashreplace"), self._way(job))
            self.health.answered(endpoint)
            try:
                stored = await self._keep(request, sent)
            finally:  # where the cache fails, the call was still paid for
                spent += ledger.paid(about, sent, request.text)
        except CallError as error:
            ledger.failed(about, error)
            self.health.given_up(endpoint, error)
            raise
        finally:
            budget.settle(reserved, spent)
        landed = sent if stored.reply == sent.raw else replace(sent, raw=stored.reply, reply=job.read(stored.reply))
        if job.kept and self.terms.cache is not None:
            self._replies.keep(key, Read(landed.reply, job.settings, stored.payer, len(stored.reply)))
        return landed

    async def _keep(self, request: _Request[Any], sent: Sent) -> Stored:
        """The stored reply: where another process was faster, it is that one's."""
        job = request.job
        stored = Stored(
            reply=sent.raw,
            prompt=request.text,
            usage=sent.usage,
            model=job.settings.model,
            payer=self.terms.ledger.payer,
            kind=job.kind,
        )
        if self.terms.cache is None or not job.kept:
            return stored
        stored = await self.terms.cache.put_async(request.key, stored)
        self._recent[request.key] = None
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return stored

    def _way(self, job: Job[Any]) -> Send:
        other = self.other_way(job.settings)
        if other is not None:
            return other
        headers, url = headers_of(job.settings), job.settings.base_url + job.path

        async def post(body: bytes) -> bytes:
            from recollect.models.limits.retry import classify

            response = await self._transport.post(url, body, headers, job.settings.timeout_s)
            error = classify(response)
            if error is not None:
                raise error
            return response.body

        return post

    def _gate(self, settings: ModelSettings) -> Gate:
        if settings.endpoint not in self._gates:
            self._gates[settings.endpoint] = Gate(in_flight=settings.in_flight, per_minute=settings.per_minute)
        return self._gates[settings.endpoint]


@dataclass(slots=True)
class _Request(Generic[A]):
    """One call; as a context it notes in the call context how the call ended."""

    job: Job[A]
    key: str
    text: str
    prompt: str
    context: CallContext | None
    look: bool
    """The caller's thread looks in the cache."""
    started: float = field(default_factory=monotonic)

    def __enter__(self) -> _Request[A]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.context is not None and (error is None or isinstance(error, RecollectError)):
            self.context.note(self.prompt, error)

    def about(self) -> About:
        """The fields of its line on the ledger."""
        return about_of(self.job, self.key, self.context)


def _result(call: Future[T]) -> T:
    """The result of *call*; a bare lock wakes its thread once, the future's own condition twice."""
    if not call.done():
        done = allocate_lock()
        done.acquire()
        call.add_done_callback(lambda _: done.release())
        done.acquire()
    return call.result()


def _prompt_text(body: Mapping[str, Any]) -> str:
    turns = [str(turn.get("content") or "") for turn in body.get("messages", ())]
    return "\n".join((*turns, *map(str, body.get("input", ()))))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

"""The one way out: every model call of a run passes here, whoever makes it.

A call is looked up, and if it was never made before, sent once: at most so many at a time, with bounded patience, and
never beyond the budget. Its reply is on the disk before anybody sees it, and its line on the ledger right after.
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
from typing import Any, TypeVar

from recollect.contracts.call_context import CallContext, current_context
from recollect.domain.errors import CallError, InterruptedRunError, RecollectError, RefusedError, UsageError
from recollect.models.cache.calls import CallCache, Stored
from recollect.models.cache.memory import Flight, Read, Replies
from recollect.models.job import Counted, Job, Send, Sent
from recollect.models.ledger import Ledger, about_of
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
"""Keys of calls that landed lately and are looked up once more before they are paid for."""
_JOINT = "\x1f"
"""Between the parts of a key; JSON texts, digests and names hold none."""
_SPELL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


@dataclass(slots=True, kw_only=True)
class Terms:
    """Under what conditions calls are made."""

    ledger: Ledger
    budget: Budget
    cache: CallCache | None = None
    sealed: bool = False
    """Nothing is sent: a reply that is not in the cache is refused."""
    salt: str = ""
    """Not empty: replies that other runs paid for are not taken."""


@dataclass(slots=True)
class Client:
    """Calls models for a whole process; its methods block and may be used by any thread."""

    stop: Event = field(default_factory=Event)
    """Set: no call is begun or tried again; those in flight are waited for."""
    health: Health = field(default_factory=Health)
    other_way: Callable[[ModelSettings], Send | None] = lambda _settings: None
    """Ways to send than over HTTP, by settings."""
    let_go: Callable[[], Awaitable[None]] | None = None
    """Closes what those ways keep open; awaited in the loop, when all calls are done."""
    _terms: Terms | None = None
    _loop: Loop = field(default_factory=Loop)
    _flight: Flight[Sent | Read] = field(default_factory=Flight)
    _recent: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """Keys that landed lately: a caller may have looked just before."""
    _replies: Replies = field(default_factory=Replies)
    _warm: bool = True
    """The last reply that was looked for was there. Then each thread looks for itself, which is the shorter way; where
    replies are not there, the loop looks for all, for threads that look get in each other's way."""
    _gates: dict[str, Gate] = field(default_factory=dict)
    _transport: Transport = field(default_factory=Transport)

    @property
    def terms(self) -> Terms:
        """Under what conditions calls are made.

        Raises:
            UsageError: None were set: nobody would pay, and nobody would know.
        """
        if self._terms is None:
            raise UsageError("a model was called outside a run; models can be called once a run has begun.")
        return self._terms

    def begin(self, terms: Terms) -> None:
        """From now on calls are made, under *terms*."""
        self._terms = terms
        self._replies.clear()

    def call(self, job: Job[A]) -> A:
        """The reply to *job*, from the cache or from its endpoint.

        Raises:
            CallError: It got no reply that can be used.
            OverBudgetError: It would cost more than is left.
            InterruptedRunError: Somebody asked to stop.
        """
        occasion, text, prompt = current_context(), *_spelled(job)
        key = self._key(job, prompt, occasion)
        with _Noted(occasion, prompt):
            look, started = self._warm or self.terms.sealed, monotonic()
            found = self._found(job, key, occasion, look=look)
            if found is not None:
                return found
            call, begun = self._asked(job, key, text, occasion, look=not look)
            return self._shared(job, key, occasion, _waited_for(call), started if begun else None)

    async def answer(self, job: Job[A]) -> A:
        """As `call`, for callers with an event loop of their own: it goes on meanwhile."""
        occasion, text, prompt = current_context(), *_spelled(job)
        key = self._key(job, prompt, occasion)
        with _Noted(occasion, prompt):
            look, started = self._warm or self.terms.sealed, monotonic()
            found = self._found(job, key, occasion, look=look)
            if found is not None:
                return found
            call, begun = self._asked(job, key, text, occasion, look=not look)
            landed = await asyncio.shield(asyncio.wrap_future(call))  # who is cancelled leaves alone
            return self._shared(job, key, occasion, landed, started if begun else None)

    def close(self) -> None:
        """Wait for what is on its way, then let go of connections, loop and cache."""
        self.stop.set()
        self._flight.settle()
        self._loop.run(self._let_go())
        self._loop.close()
        if self._terms is not None and self._terms.cache is not None:
            self._terms.cache.close()

    async def _let_go(self) -> None:
        await self._transport.close()
        if self.let_go is not None:
            await self.let_go()

    def _key(self, job: Job[Any], prompt: str, occasion: CallContext | None) -> str:
        """Names a call by all that makes its reply the one that is wanted; equal calls of a sampling model differ."""
        parts = [job.settings.fingerprint, job.path, prompt, self.terms.salt]
        if occasion is not None:
            parts.append(str(occasion.replicate))
            if job.samples:
                parts += [occasion.key, occasion.stage, str(occasion.ordinal(prompt))]
        return f"r1:{_digest(_JOINT.join(parts))}"

    def _kept(self, job: Job[Any], key: str) -> Stored | None:
        cache = self.terms.cache if job.kept else None
        return cache.get(key) if cache is not None else None

    def _found(self, job: Job[A], key: str, occasion: CallContext | None, *, look: bool) -> A | None:
        started = monotonic()
        found = self._replies.get(key, job.settings) or (self._looked_up(job, key) if look else None)
        return None if found is None else self._taken(job, key, occasion, found, started)

    def _taken(self, job: Job[A], key: str, occasion: CallContext | None, found: Read, started: float) -> A:
        """A reply that was in the cache, once the ledger knows."""
        reply: A = found.reply
        about, seconds = about_of(job, key, occasion), monotonic() - started
        self.terms.ledger.found(about, reply.usage, found.payer, seconds=seconds)
        return reply

    def _looked_up(self, job: Job[Any], key: str) -> Read | None:
        stored = self._kept(job, key)
        if job.kept:
            self._warm = stored is not None
        return None if stored is None else self._read(job, key, stored)

    def _read(self, job: Job[Any], key: str, stored: Stored) -> Read:
        reply = job.again(stored.reply, stored.usage) if job.again else job.read(stored.reply)
        read = Read(reply, job.settings, stored.payer, len(stored.reply))
        self._replies.keep(key, read)
        return read

    def _asked(
        self, job: Job[A], key: str, text: str, occasion: CallContext | None, *, look: bool
    ) -> tuple[Future[Sent | Read], bool]:
        """The call on its way, and whether it is ours: another thread may have asked the same."""
        if self.terms.sealed:
            raise RefusedError(
                f"{job.role} `{job.settings.model}`: this reply is not in the cache, and `--replay` sends nothing. "
                "Run without it, or merge a cache that has it.",
                cause="not_cached",
            )
        return self._flight.once(key, lambda: self._made(job, key, text, occasion, look=look), self._loop.start)

    async def _made(
        self, job: Job[Any], key: str, text: str, occasion: CallContext | None, *, look: bool
    ) -> Sent | Read:
        found = self._looked_up(job, key) if look or key in self._recent else None  # it may have landed just now
        return await self._pay(job, key, text, occasion) if found is None else found

    def _shared(
        self, job: Job[A], key: str, occasion: CallContext | None, landed: Sent | Read, started: float | None
    ) -> A:
        """The reply; where another thread paid for it, the ledger has it as that one's call, and here as found."""
        if isinstance(landed, Read) and started is not None:
            return self._taken(job, key, occasion, landed, started)
        reply: A = landed.reply
        if started is None:
            self.terms.ledger.found(about_of(job, key, occasion), reply.usage, payer="", seconds=0.0)
        return reply

    async def _pay(self, job: Job[Any], key: str, text: str, occasion: CallContext | None) -> Sent:
        if self.stop.is_set():
            raise InterruptedRunError
        about, ledger, budget = about_of(job, key, occasion), self.terms.ledger, self.terms.budget
        held = budget.reserve(ledger.least(job.settings.model, lambda: _said(job.body)))
        spent = 0.0

        def wasted(error: CallError, usage: Any) -> None:
            nonlocal spent
            spent += ledger.failed(about, error, usage=usage)

        endpoint, gate = job.settings.endpoint, self._gate(job.settings)
        again = partial(self.health.again, endpoint)
        sending = Sending(job=job, key=key, gate=gate, stop=self.stop, wasted=wasted, again=again)
        try:
            sent = await sending.send(text.encode("utf-8", "backslashreplace"), self._way(job))
            self.health.answered(endpoint)
            try:
                stands = await self._keep(job, key, text, sent)
            finally:  # a cache that takes nothing does not make it free
                spent += ledger.paid(about, sent, text)
        except CallError as error:
            ledger.failed(about, error)
            self.health.given_up(endpoint, error)
            raise
        finally:
            budget.settle(held, spent)
        landed = sent if stands.reply == sent.raw else replace(sent, raw=stands.reply, reply=job.read(stands.reply))
        if job.kept and self.terms.cache is not None:
            self._replies.keep(key, Read(landed.reply, job.settings, stands.payer, len(stands.reply)))
        return landed

    async def _keep(self, job: Job[Any], key: str, text: str, sent: Sent) -> Stored:
        """The reply that counts: where another process was faster, it is that one's."""
        stored = Stored(
            reply=sent.raw,
            prompt=text,
            usage=sent.usage,
            model=job.settings.model,
            payer=self.terms.ledger.payer,
            kind=job.kind,
        )
        if self.terms.cache is None or not job.kept:
            return stored
        stands = await self.terms.cache.put_async(key, stored)
        self._recent[key] = None
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return stands

    def _way(self, job: Job[Any]) -> Send:
        other = self.other_way(job.settings)
        if other is not None:
            return other
        headers, url = headers_of(job.settings), job.settings.base_url + job.path
        return partial(self._post, url, headers, job.settings.timeout_s)

    async def _post(self, url: str, headers: dict[str, str], timeout_s: float, body: bytes) -> bytes:
        from recollect.models.limits.retry import classify

        answered = await self._transport.post(url, body, headers, timeout_s)
        error = classify(answered)
        if error is not None:
            raise error
        return answered.body

    def _gate(self, settings: ModelSettings) -> Gate:
        """One for all that is sent to an endpoint; the first model that calls it sets its bounds."""
        if settings.endpoint not in self._gates:
            self._gates[settings.endpoint] = Gate(in_flight=settings.in_flight, per_minute=settings.per_minute)
        return self._gates[settings.endpoint]


def _waited_for(call: Future[T]) -> T:
    """The result of *call*, once it is there: a bare lock wakes its thread once, the future's own condition twice."""
    if not call.done():
        bell = allocate_lock()
        bell.acquire()
        call.add_done_callback(lambda _: bell.release())
        bell.acquire()
    return call.result()


def _spelled(job: Job[Any]) -> tuple[str, str]:
    """What is sent, and the digest that stands for it."""
    text = _SPELL(job.body)
    return text, _digest(text)


@dataclass(slots=True)
class _Noted:
    """The occasion knows what became of *prompt*, whatever its caller makes of an error."""

    occasion: CallContext | None
    prompt: str

    def __enter__(self) -> None:
        """Nothing is to be said yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.occasion is not None and (error is None or isinstance(error, RecollectError)):
            self.occasion.note(self.prompt, error)


def _said(body: Mapping[str, Any]) -> str:
    """The texts of a request: what is paid for in any case."""
    turns = [str(turn.get("content") or "") for turn in body.get("messages", ())]
    return "\n".join((*turns, *map(str, body.get("input", ()))))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

"""Writes a line for every call: who asked, what came back, what it took, what it cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Literal

from recollect.contracts.call_context import CallContext
from recollect.contracts.models import Usage
from recollect.domain.errors import CallError
from recollect.models.job import Job, Sent
from recollect.models.prices import Prices
from recollect.records.calls import CallLine
from recollect.text.tokens import count

About = dict[str, Any]
"""Fields of a `CallLine`."""


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The ledger of one run; used by several threads at once."""

    write: Callable[[CallLine], None]
    """Appends a line; returns when a kill of the process no longer loses it."""
    prices: Prices
    payer: str = ""
    """Names the run: a reply in the cache that it had paid for itself is no gift."""
    known: set[str] = field(default_factory=set)
    """Calls that this run has on its ledger as paid."""
    _lock: Lock = field(default_factory=Lock)

    def found(self, about: About, usage: Usage | None, payer: str, *, seconds: float) -> None:
        """The reply was there. If this run had paid for it, and was killed before it could say so, it says so now."""
        call = str(about["call"])
        with self._lock:
            lost = bool(payer) and payer == self.payer and call not in self.known
            if lost:
                self.known.add(call)
        money, priced = self._price(about, usage) if lost else (0.0, "")
        status: Literal["recovered", "cached"] = "recovered" if lost else "cached"
        self.write(
            CallLine(
                **about, status=status, usage=usage, money=money, priced=priced, seconds=round(seconds, 6), tries=0
            )
        )

    def paid(self, about: About, sent: Sent, text: str) -> float:
        """A call was answered; its money, 0 where no price is known."""
        with self._lock:
            self.known.add(str(about["call"]))
        usage = sent.usage or counted(text, sent.raw)
        money, priced = self._price(about, usage)
        self.write(
            CallLine(
                **about,
                status="paid",
                usage=usage,
                money=money,
                priced=priced,
                estimated=sent.usage is None,
                seconds=round(sent.seconds, 6),
                waited=round(sent.waited, 6),
                tries=sent.tries,
                causes=sent.causes,
            )
        )
        return money or 0.0

    def failed(self, about: About, error: CallError, *, usage: Usage | None = None) -> float:
        """A try that was paid for and gave nothing, or a call that was given up; what is known of its money."""
        money, priced = self._price(about, usage)
        causes = (error.cause or type(error).__name__,)
        self.write(CallLine(**about, status="failed", usage=usage, money=money, priced=priced, causes=causes))
        return money or 0.0

    def least(self, model: str, said: Callable[[], str]) -> float:
        """What a call costs at least: what is *said*, by the bundled tokenizer; 0 where no price is known."""
        if self.prices.find(model) is None:
            return 0.0
        return self.prices.money(model, Usage(input=count(said()), output=0)) or 0.0

    def _price(self, about: About, usage: Usage | None) -> tuple[float | None, str]:
        price = self.prices.find(str(about["model"]))
        if price is None or usage is None:
            return None, ""
        return self.prices.money(str(about["model"]), usage), price.date


def about_of(job: Job[Any], key: str, occasion: CallContext | None) -> About:
    """The fields of a call's line that are known before anything came of it."""
    settings = job.settings
    about: About = {
        "call": key,
        "kind": job.kind,
        "role": job.role,
        "model": settings.model,
        "endpoint": settings.endpoint,
    }
    if occasion is not None:
        about.update(
            key=occasion.key,
            stage=occasion.stage,
            trial=occasion.trial,
            row=occasion.row,
            task=occasion.task,
            history=occasion.history,
            question=occasion.question,
            checkpoint=occasion.checkpoint,
            arm=occasion.arm,
            replicate=occasion.replicate,
        )
    return about


def counted(text: str, raw: bytes) -> Usage:
    """Tokens by the bundled tokenizer, where the provider tells none: of the request and of the reply, as they are."""
    return Usage(input=count(text), output=count(raw.decode("utf-8", "replace")))

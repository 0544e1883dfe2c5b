"""The ledger of a run: a line for every call, with tokens, seconds and cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
_CONTEXT = ("key", "stage", "trial", "row", "task", "history", "question", "checkpoint", "arm", "replicate")


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The ledger of one run; used by several threads at once."""

    write: Callable[[CallLine], None]
    """Appends a line; returns when a kill of the process no longer loses it."""
    prices: Prices
    payer: str = ""
    """The run: a cached reply that it paid for itself was not free."""
    known: set[str] = field(default_factory=set)
    """Calls that this run has on its ledger as paid."""
    _lock: Lock = field(default_factory=Lock)

    def found(self, about: About, usage: Usage | None, payer: str, *, seconds: float) -> None:
        """The reply was in the cache; if this run was killed after paying for it, the payment is recorded now."""
        call = str(about["call"])
        with self._lock:
            lost = bool(payer) and payer == self.payer and call not in self.known
            if lost:
                self.known.add(call)
        money, priced = self._price(about, usage) if lost else (0.0, "")
        status: Literal["recovered", "cached"] = "recovered" if lost else "cached"
        seconds = round(seconds, 6)
        self.write(CallLine(**about, status=status, usage=usage, money=money, priced=priced, seconds=seconds, tries=0))

    def paid(self, about: About, sent: Sent, text: str) -> float:
        """A call was answered; its cost, 0 where no price is known."""
        with self._lock:
            self.known.add(str(about["call"]))
        # where the provider reports no counts, request and reply are counted as they are
        usage = sent.usage or Usage(input=count(text), output=count(sent.raw.decode("utf-8", "replace")))
        money, priced = self._price(about, usage)
        line = CallLine(**about, status="paid", usage=usage, money=money, priced=priced, estimated=sent.usage is None)
        seconds, waited = round(sent.seconds, 6), round(sent.waited, 6)
        self.write(replace(line, seconds=seconds, waited=waited, tries=sent.tries, causes=sent.causes))
        return money or 0.0

    def failed(self, about: About, error: CallError, *, usage: Usage | None = None) -> float:
        """A try that was charged and failed, or a call that was given up; its cost as far as known."""
        money, priced = self._price(about, usage)
        causes = (error.cause or type(error).__name__,)
        self.write(CallLine(**about, status="failed", usage=usage, money=money, priced=priced, causes=causes))
        return money or 0.0

    def least(self, model: str, prompt: Callable[[], str]) -> float:
        """The least that a call can cost: *prompt*, by the bundled tokenizer; 0 where no price is known."""
        if self.prices.find(model) is None:
            return 0.0
        return self.prices.money(model, Usage(input=count(prompt()), output=0)) or 0.0

    def _price(self, about: About, usage: Usage | None) -> tuple[float | None, str]:
        price = self.prices.find(str(about["model"]))
        if price is None or usage is None:
            return None, ""
        return self.prices.money(str(about["model"]), usage), price.date


def about_of(job: Job[Any], key: str, context: CallContext | None) -> About:
    """The fields of a call's line that are known before it is made."""
    settings = job.settings
    about: About = {"call": key, "kind": job.kind, "role": job.role}
    about |= {"model": settings.model, "endpoint": settings.endpoint}
    if context is not None:
        about |= {name: getattr(context, name) for name in _CONTEXT}
    return about

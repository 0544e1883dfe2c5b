"""Gets the client of a run ready: its ledger, the cache that all runs share, the budget, and a trial call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.cli.models import Players
from recollect.cli.output import remark

if TYPE_CHECKING:
    from recollect.models.client import Terms
    from recollect.store.measures import Ledgers
    from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """What may be spent, and by which prices."""

    max_cost: float | None = None
    """In the currency of the prices."""
    prices: Path | None = None
    """A file of yours; its prices go before those of the package."""


def calls_at(cache: Path) -> Path:
    """Where the replies of models are kept that all runs of a folder may use."""
    return cache / "calls"


@contextmanager
def calling(players: Players, folder: RunFolder, cache: Path, purse: Purse, *, fresh: bool) -> Iterator[None]:
    """Inside the block the models can be called; each is tried once before.

    Raises:
        CallError: A model does not work; nothing was begun.
        UsageError: A key is missing, or a price that the budget needs.
    """
    client = players.client
    if client is None:
        yield
        return
    from recollect.models.secrets import check_keys
    from recollect.models.trial_call import try_all
    from recollect.store.measures import Ledgers

    for settings in players.settings.values():
        check_keys(settings)
    ledgers = Ledgers(folder)
    try:
        client.begin(_terms(players, folder, cache, purse, ledgers, fresh=fresh))
        try_all(players.called)
        yield
    finally:
        client.close()
        ledgers.close()


def _terms(players: Players, folder: RunFolder, cache: Path, purse: Purse, ledgers: Ledgers, *, fresh: bool) -> Terms:
    from recollect.models.budget import Budget
    from recollect.models.cache import CallCache
    from recollect.models.client import Terms
    from recollect.models.ledger import Ledger
    from recollect.models.prices import load_prices
    from recollect.store.measures import calls_of

    lines = [line for line in calls_of(folder) if line.status != "cached"]
    prices = load_prices(purse.prices)
    unpriced = sorted({one.model for one in players.settings.values() if prices.find(one.model) is None})
    if unpriced and purse.max_cost is None:
        remark(
            f"no price is known for {', '.join(unpriced)}: tokens are counted, money is not. `--prices` takes yours."
        )
    budget = Budget(max_cost=purse.max_cost, spent=sum(line.money or 0.0 for line in lines), unpriced=unpriced)
    payer = folder.run_id()
    ledger = Ledger(
        write=ledgers.write,
        prices=prices,
        payer=payer,
        known={one.call for one in lines if one.status != "failed"},
    )
    return Terms(ledger=ledger, budget=budget, cache=CallCache(calls_at(cache)), salt=payer if fresh else "")

"""Gets the client of a run ready: its ledger, the cache that all runs share, the budget, and a trial call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recollect.cli.output import remark
from recollect.cli.purse import Purse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.models.client import Client, Terms
    from recollect.models.endpoints import EndpointChat, EndpointEmbedder
    from recollect.models.prices import Prices
    from recollect.models.settings import ModelSettings, Role
    from recollect.records.calls import CallLine
    from recollect.store.measures import Ledgers
    from recollect.store.run_folder import RunFolder


class Called(Protocol):
    """Who calls models: the players of a run, or a maker of data."""

    @property
    def client(self) -> Client | None:
        """`None` where rules play all roles."""
        ...

    @property
    def settings(self) -> Mapping[Role, ModelSettings]:
        """Of the roles that a model plays."""
        ...

    @property
    def called(self) -> tuple[EndpointChat | EndpointEmbedder, ...]:
        """For a trial call."""
        ...


def calls_at(cache: Path) -> Path:
    """Where the replies of models are kept that all runs of a folder may use."""
    return cache / "calls"


@contextmanager
def calling(
    players: Called, folder: RunFolder, cache: Path, purse: Purse, *, fresh: bool = False, replay: bool = False
) -> Iterator[None]:
    """Inside the block the models can be called; each is tried once before, but where nothing is to be sent.

    Raises:
        CallError: A model does not work; nothing was begun.
        UsageError: A key is missing, or a price that the budget needs.
    """
    client = players.client
    if client is None:
        yield
        return
    from recollect.models.endpoints import probe_models
    from recollect.models.secrets import check_keys
    from recollect.store.measures import Ledgers

    for settings in players.settings.values() if not replay else ():
        check_keys(settings)
    ledgers = Ledgers(folder)
    try:
        terms = _terms(players, folder, cache, purse, ledgers)
        client.begin(replace(terms, sealed=replay, salt=terms.ledger.payer if fresh else ""))
        if not replay:
            probe_models(players.called)
        yield
    finally:
        client.close()
        ledgers.close()


def _terms(players: Called, folder: RunFolder, cache: Path, purse: Purse, ledgers: Ledgers) -> Terms:
    from recollect.models.cache.calls import CallCache
    from recollect.models.client import Terms
    from recollect.models.ledger import Ledger
    from recollect.models.limits.budget import Budget
    from recollect.models.prices import load_prices
    from recollect.store.measures import calls_of

    lines = [line for line in calls_of(folder) if line.status != "cached"]
    prices = load_prices(purse.prices)
    unpriced = sorted({one.model for one in players.settings.values() if prices.find(one.model) is None})
    if unpriced and purse.max_cost is None:
        remark(
            f"no price is known for {', '.join(unpriced)}: tokens are counted, money is not. `--prices` takes yours."
        )
    spent = sum(_money(line, prices) for line in lines)
    budget = Budget(max_cost=purse.max_cost, spent=spent, unpriced=unpriced)
    ledger = Ledger(
        write=ledgers.write,
        prices=prices,
        payer=folder.run_id(),
        known={one.call for one in lines if one.status != "failed"},
    )
    return Terms(ledger=ledger, budget=budget, cache=CallCache(calls_at(cache)))


def _money(line: CallLine, prices: Prices) -> float:
    """What a line cost; one that was written without a price has that of now."""
    if line.money is not None or line.usage is None:
        return line.money or 0.0
    return prices.money(line.model, line.usage) or 0.0

"""Everything around model calls: ledger, shared cache, budget and test call; or a server, for systems that use HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access
from recollect.domain.errors import DataError, UsageError
from recollect.runs.progress import remark
from recollect.runs.setup.config import model_choice, resolve
from recollect.runs.setup.folders import cache_of
from recollect.runs.setup.models import Maker, Players, Supplies, players_of
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder

if TYPE_CHECKING:
    from recollect.contracts.gateway import ChatService, EmbeddingService, Gateway
    from recollect.contracts.models import ChatModel
    from recollect.gateway.server import GatewayServer
    from recollect.models.cache.calls import CacheContents, CallCache
    from recollect.models.cache.merge import Merged
    from recollect.models.client import Terms
    from recollect.records.calls import CallLine
    from recollect.store.measures import Ledgers

CAP, PRICES = "max_cost.json", "prices.yaml"
GATEWAY = "gateway"
"""Folder of the ledger, and name of the calls, of a standalone gateway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The spending limit and the prices."""

    max_cost: float | None = None
    """In the currency of the prices."""
    prices: Path | None = None
    """Your own file; its prices override those of the package."""


@contextmanager
def calling(
    players: Players | Maker,
    folder: RunFolder,
    cache: Path,
    spending: Spending,
    *,
    fresh: bool = False,
    replay: bool = False,
) -> Iterator[None]:
    """Inside the block the models can be called; each gets a test call before, except in a *replay*.

    Raises:
        CallError: If a model does not work; nothing was started.
        UsageError: If a key is missing, or a price that the budget needs.
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
        terms = _terms(players, folder, cache, spending, ledgers)
        client.begin(replace(terms, sealed=replay, salt=terms.ledger.payer if fresh else ""))
        if not replay:
            probe_models(players.called)
        yield
    finally:
        client.close()
        ledgers.close()


def _terms(players: Players | Maker, folder: RunFolder, cache: Path, spending: Spending, ledgers: Ledgers) -> Terms:
    from recollect.models.cache.calls import CallCache
    from recollect.models.client import Terms
    from recollect.models.ledger import Ledger
    from recollect.models.limits.budget import Budget
    from recollect.models.prices import load_prices
    from recollect.store.measures import calls_of

    lines = [line for line in calls_of(folder) if line.status != "cached"]
    prices = load_prices(spending.prices)
    unpriced = sorted({one.model for one in players.settings.values() if prices.find(one.model) is None})
    if unpriced and spending.max_cost is None:
        remark(
            f"no price is known for {', '.join(unpriced)}: only tokens are counted. Give your prices with `--prices`."
        )
    spent = 0.0
    for line in lines:
        if line.money is None and line.usage is not None:  # written without a price: it has today's
            spent += prices.money(line.model, line.usage) or 0.0
        else:
            spent += line.money or 0.0
    budget = Budget(max_cost=spending.max_cost, spent=spent, unpriced=unpriced)
    ledger = Ledger(
        write=ledgers.write,
        prices=prices,
        payer=folder.run_id(),
        known={line.call for line in lines if line.status != "failed"},
    )
    return Terms(ledger=ledger, budget=budget, cache=CallCache(calls_at(cache)))


def kept_spending(folder: RunFolder, spending: Spending) -> Spending:
    """*spending*, completed by what the folder keeps of earlier commands, so that resuming needs no flags."""
    from recollect.models.prices import load_prices

    cap, prices = folder.path / CAP, folder.path / PRICES
    limit = spending.max_cost
    if limit is not None:
        write_whole(cap, f"{json.dumps({'max_cost': limit})}\n".encode())
    elif cap.exists():
        try:
            limit = float(json.loads(cap.read_bytes())["max_cost"])
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"no limit can be read ({error})", cap, fix="Give `--max-cost` again.") from None
    if spending.prices is not None:
        load_prices(spending.prices)
        try:
            write_whole(prices, spending.prices.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"{spending.prices}: no such file. `--prices` takes a YAML file with prices.") from None
    return Spending(max_cost=limit, prices=prices if prices.exists() else None)


# The cache of replies


def calls_at(cache: Path) -> Path:
    """The folder of the replies of models that all runs in a folder share."""
    return cache / "calls"


def has_calls(cache: Path) -> bool:
    """Whether there is a cache of calls; opening one would create it."""
    from recollect.models.cache.database import FILE

    return (calls_at(cache) / FILE).is_file()


def open_calls(cache: Path) -> CallCache:
    """The cache of calls; the caller closes it."""
    from recollect.models.cache.calls import CallCache

    return CallCache(calls_at(cache))


def holdings(runs_dir: Path) -> tuple[Path, CacheContents]:
    """The folder of the cached calls of a folder of runs, and its contents."""
    from recollect.models.cache.calls import CacheContents

    cache = cache_of(runs_dir)
    if not has_calls(cache):
        return calls_at(cache), CacheContents(held=(), texts=0, size=0)
    with open_calls(cache) as calls:
        return calls_at(cache), calls.holdings()


def export_calls(runs_dir: Path, file: Path) -> int:
    """Write all cached calls to one file and return their number."""
    cache = cache_of(runs_dir)
    if not has_calls(cache):
        raise UsageError(f"{calls_at(cache)}: no cached calls here. Name the folder of the runs with `--runs-dir`.")
    with open_calls(cache) as calls:
        return calls.export(file)


def merge_calls(runs_dir: Path, files: Sequence[Path], *, keep_ours: bool) -> Merged:
    """Add calls of exported files that are not cached yet; a damaged file adds nothing."""
    with open_calls(cache_of(runs_dir)) as calls:
        return calls.merge(files, keep_ours=keep_ours)


# The gateway


def gateway_of(supplies: Supplies, *, port: int = 0) -> GatewayServer:
    """A server for the model and the embedder of a run; it starts with the first system that opens it."""
    from recollect.gateway.server import GatewayServer

    return GatewayServer(chatting_of(supplies.model), embedding_of(supplies), port=port)


def chatting_of(model: ChatModel | None) -> ChatService:
    """The service that answers chats: the model of an endpoint, else rules."""
    from recollect.models.endpoints import EndpointChat

    if isinstance(model, EndpointChat):
        from recollect.gateway.endpoint import EndpointChatting

        return EndpointChatting(model)
    from recollect.offline.completions import OfflineChatting

    return OfflineChatting()


def embedding_of(supplies: Supplies) -> EmbeddingService:
    """The service that embeds; without an embedder, one that gives the reason."""
    from recollect.gateway.embeddings import EmbedderEmbedding, NoEmbedding

    if supplies.embedder is None:
        return NoEmbedding(str(supplies.missing or "this run has no embedder"))
    return EmbedderEmbedding(supplies.embedder)


@contextmanager
def serving(gateway: Gateway | None) -> Iterator[None]:
    """Stop the server that systems call models through at the end of the block."""
    try:
        yield
    finally:
        if gateway is not None:
            gateway.shut()


class Service:
    """A standalone gateway with its own ledger."""

    def __init__(self, model: str, embedder: str, spending: Spending, *, runs_dir: Path, port: int) -> None:
        flags = {"benchmark": "own", "memory_model": model_choice(model), "embedder": model_choice(embedder)}
        self.cache, self.spending, self.port = cache_of(runs_dir), spending, port
        self.players = players_of(resolve(None, flags)[0], self.cache)
        self.ledger = RunFolder(self.cache / GATEWAY)

    @contextmanager
    def open(self) -> Iterator[Access]:
        """Inside the block the models can be called at the address."""
        server = gateway_of(self.players.supplies, port=self.port)
        with calling(self.players, self.ledger, self.cache, self.spending), serving(server):
            yield server.open(_Alone())

    def calls(self) -> list[CallLine] | None:
        """All calls so far of all gateways of this folder of runs; `None` if rules answer."""
        from recollect.store.measures import calls_of

        return None if self.players.client is None else list(calls_of(self.ledger))


class _Alone:
    """Calls outside a run; equal calls of a model that samples get one reply after the other."""

    def __init__(self) -> None:
        self._occasion = CallContext(stage=GATEWAY, key=GATEWAY)

    def occasion(self) -> CallContext:
        return self._occasion

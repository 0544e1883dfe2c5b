"""Makes models callable: ledger, shared cache, budget and trial call; or a server, for systems that use HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access
from recollect.domain.errors import DataError, UsageError
from recollect.runs.progress import remark
from recollect.runs.setup.config import model_choice, resolve
from recollect.runs.setup.folders import cache_of
from recollect.runs.setup.models import Supplies, players_of
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder

if TYPE_CHECKING:
    from recollect.contracts.gateway import ChatService, EmbeddingService, Gateway
    from recollect.contracts.models import ChatModel
    from recollect.gateway.server import GatewayServer
    from recollect.models.cache.calls import CacheContents, CallCache
    from recollect.models.cache.merge import Merged
    from recollect.models.client import Client, Terms
    from recollect.models.endpoints import EndpointChat, EndpointEmbedder
    from recollect.models.prices import Prices
    from recollect.models.settings import ModelSettings, Role
    from recollect.records.calls import CallLine
    from recollect.store.measures import Ledgers

CAP, PRICES = "max_cost.json", "prices.yaml"
GATEWAY = "gateway"
"""Folder of the ledger, and name of the calls, of a gateway that stands alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What may be spent, and by which prices."""

    max_cost: float | None = None
    """In the currency of the prices."""
    prices: Path | None = None
    """A file of yours; its prices go before those of the package."""


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


@contextmanager
def calling(
    players: Called, folder: RunFolder, cache: Path, spending: Spending, *, fresh: bool = False, replay: bool = False
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
        terms = _terms(players, folder, cache, spending, ledgers)
        client.begin(replace(terms, sealed=replay, salt=terms.ledger.payer if fresh else ""))
        if not replay:
            probe_models(players.called)
        yield
    finally:
        client.close()
        ledgers.close()


def _terms(players: Called, folder: RunFolder, cache: Path, spending: Spending, ledgers: Ledgers) -> Terms:
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
            f"no price is known for {', '.join(unpriced)}: tokens are counted, money is not. `--prices` takes yours."
        )
    spent = sum(_money(line, prices) for line in lines)
    budget = Budget(max_cost=spending.max_cost, spent=spent, unpriced=unpriced)
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


def kept_spending(folder: RunFolder, said: Spending) -> Spending:
    """What *said* and what the folder was told before, where *said* is silent: a resume needs no flags, lifts no cap.

    Raises:
        UsageError: The file of prices is not there.
    """
    return Spending(max_cost=_cap(folder.path / CAP, said.max_cost), prices=_prices(folder.path / PRICES, said.prices))


def _cap(file: Path, said: float | None) -> float | None:
    if said is not None:
        write_whole(file, f"{json.dumps({'max_cost': said})}\n".encode())
        return said
    if not file.exists():
        return None
    try:
        return float(json.loads(file.read_bytes())["max_cost"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"no cap can be read ({error})", file, fix="Say `--max-cost` again.") from None


def _prices(file: Path, said: Path | None) -> Path | None:
    from recollect.models.prices import load_prices

    if said is not None:
        load_prices(said)
        try:
            write_whole(file, said.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"{said}: there is no such file. `--prices` takes a YAML file with prices.") from None
    return file if file.exists() else None


# The cache of replies


def calls_at(cache: Path) -> Path:
    """Where the replies of models are kept that all runs of a folder may use."""
    return cache / "calls"


def has_calls(cache: Path) -> bool:
    """There is a cache of calls: looking at one must not make one."""
    from recollect.models.cache.calls import FILE

    return (calls_at(cache) / FILE).is_file()


def open_calls(cache: Path) -> CallCache:
    """The cache of calls, to be closed."""
    from recollect.models.cache.calls import CallCache

    return CallCache(calls_at(cache))


def holdings(runs_dir: Path) -> tuple[Path, CacheContents]:
    """Where the calls of a folder of runs are kept, and what is there."""
    from recollect.models.cache.calls import CacheContents

    cache = cache_of(runs_dir)
    if not has_calls(cache):
        return calls_at(cache), CacheContents(held=(), texts=0, size=0)
    with open_calls(cache) as calls:
        return calls_at(cache), calls.holdings()


def export_calls(runs_dir: Path, file: Path) -> int:
    """Write all kept calls to one file; how many they are.

    Raises:
        UsageError: None are kept.
    """
    cache = cache_of(runs_dir)
    if not has_calls(cache):
        raise UsageError(f"{calls_at(cache)}: no calls are kept here. Name the folder of the runs with `--runs-dir`.")
    with open_calls(cache) as calls:
        return calls.export(file)


def merge_calls(runs_dir: Path, files: Sequence[Path], *, keep_ours: bool) -> Merged:
    """Take calls of exported files that are not kept here; takes nothing of a damaged file."""
    with open_calls(cache_of(runs_dir)) as calls:
        return calls.merge(files, keep_ours=keep_ours)


# The gateway


def gateway_of(supplies: Supplies, *, port: int = 0) -> GatewayServer:
    """A server for the model and the embedder of a run; it starts with the first system that opens it."""
    from recollect.gateway.server import GatewayServer

    return GatewayServer(chatting_of(supplies.model), embedding_of(supplies), port=port)


def chatting_of(model: ChatModel | None) -> ChatService:
    """Who answers chats: the model of an endpoint, else rules."""
    from recollect.models.endpoints import EndpointChat

    if isinstance(model, EndpointChat):
        from recollect.gateway.endpoint import EndpointChatting

        return EndpointChatting(model)
    from recollect.offline.completions import OfflineChatting

    return OfflineChatting()


def embedding_of(supplies: Supplies) -> EmbeddingService:
    """Who embeds; where nobody can, one who says why."""
    from recollect.gateway.embeddings import EmbedderEmbedding, NoEmbedding

    if supplies.embedder is None:
        return NoEmbedding(str(supplies.missing or "this run has no embedder"))
    return EmbedderEmbedding(supplies.embedder)


@contextmanager
def serving(gateway: Gateway | None) -> Iterator[None]:
    """Inside the block systems can call models over HTTP; then the server is stopped."""
    try:
        yield
    finally:
        if gateway is not None:
            gateway.shut()


class Service:
    """A gateway that stands alone, its calls on a ledger of their own."""

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
        """What was called so far, by all servers of this folder of runs; `None` where rules answer."""
        from recollect.store.measures import calls_of

        return None if self.players.client is None else list(calls_of(self.ledger))


class _Alone:
    """Calls of nobody in particular; equal calls of a model that samples get one reply after the other."""

    def __init__(self) -> None:
        self._occasion = CallContext(stage=GATEWAY, key=GATEWAY)

    def occasion(self) -> CallContext:
        return self._occasion

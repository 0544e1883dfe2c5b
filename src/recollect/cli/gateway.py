"""`recollect gateway`: a model behind a server of this machine, for anything that speaks OpenAI's protocol."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.cli.models import Players
    from recollect.contracts.call_context import CallContext
    from recollect.contracts.memory import Access
    from recollect.store.run_folder import RunFolder

FOLDER = "gateway"

Model = Annotated[str, typer.Option("--model", help=f"Who answers chats: {MODEL}.")]
Embedder = Annotated[str, typer.Option("--embedder", help="bundled, or openai:model=NAME,base_url=URL.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Refuse calls beyond this sum.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="A YAML file with prices; they go before ours.")]


def gateway(  # noqa: PLR0917  # a flag each
    model: Model = "rules",
    embedder: Embedder = "bundled",
    port: Port = 0,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Serve a model on this machine until Ctrl-C: each call is paid for once, counted, and kept on the disk.

    Prints the two variables that clients of OpenAI's protocol read.
    """
    from recollect.cli.calling import calling
    from recollect.cli.config import model_choice, resolve
    from recollect.cli.gateways import gateway_of, serving
    from recollect.cli.models import players_of
    from recollect.cli.purse import Purse
    from recollect.cli.runs import cache_of
    from recollect.store.run_folder import RunFolder

    flags = {"benchmark": "own", "memory_model": model_choice(model), "embedder": model_choice(embedder)}
    config, _ = resolve(None, flags)
    cache = cache_of(runs_dir)
    players, ledger = players_of(config, cache), RunFolder(cache / FOLDER)
    server = gateway_of(players.supplies, port=port)
    purse = Purse(max_cost=max_cost, prices=prices)
    with calling(players, ledger, cache, purse) if players.client else nullcontext(), serving(server):
        _serve(server.open(_Alone()), as_json=as_json)
    _say_spent(ledger, players)


class _Alone:
    """Calls of nobody in particular; equal calls of a model that samples get one reply after the other."""

    def __init__(self) -> None:
        from recollect.contracts.call_context import CallContext

        self._occasion = CallContext(stage=FOLDER, key=FOLDER)

    def occasion(self) -> CallContext:
        return self._occasion


def _say(access: Access, *, as_json: bool) -> None:
    from recollect.cli.output import print_json

    if as_json:
        print_json({"base_url": access.base_url, "token": access.token, "dimensions": access.dimensions})
    else:
        print(f"OPENAI_BASE_URL={access.base_url}\nOPENAI_API_KEY={access.token}")
    sys.stdout.flush()  # whoever started this in a pipe waits for it


def _serve(access: Access, *, as_json: bool) -> None:
    """Until somebody asks to stop, which may be as soon as the access is told: nothing is imported after that."""
    from threading import Event

    from recollect.cli.output import remark
    from recollect.domain.errors import InterruptedRunError

    stop = Event()
    try:
        remark("serving on this machine only; Ctrl-C stops.")
        _say(access, as_json=as_json)
        while not stop.wait(3600):
            pass
    except InterruptedRunError:
        return


def _say_spent(ledger: RunFolder, players: Players) -> None:
    """What was called so far, by all servers of this folder of runs."""
    from collections import Counter

    from recollect.cli.output import remark
    from recollect.store.measures import calls_of

    if players.client is None:
        return
    lines = list(calls_of(ledger))
    counts = Counter(line.status for line in lines)
    money = sum(line.money or 0.0 for line in lines)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "none"
    remark(f"calls on the ledger in {ledger.path}: {told}; {money:.4f} in the currency of the prices.")

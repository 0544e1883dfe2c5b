"""`recollect gateway`: a model behind a server of this machine, for anything that speaks OpenAI's protocol."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, Prices, RunsDir

if TYPE_CHECKING:
    from recollect.runs.results.wording import Access
    from recollect.runs.setup.calls import Service

Model = Annotated[str, typer.Option("--model", help=f"Who answers chats: {MODEL}.")]
Embedder = Annotated[str, typer.Option("--embedder", help="bundled, or openai:model=NAME,base_url=URL.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Refuse calls beyond this sum.")]


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
    from recollect.runs.setup.calls import Service, Spending

    service = Service(model, embedder, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir, port=port)
    with service.open() as access:
        _serve(access, as_json=as_json)
    _remark_calls(service)


def _serve(access: Access, *, as_json: bool) -> None:
    """Until somebody asks to stop, which may be as soon as the access is told: nothing is imported after that."""
    from threading import Event

    from recollect.cli.output import print_json, remark
    from recollect.domain.errors import InterruptedRunError

    stop = Event()
    try:
        remark("serving on this machine only; Ctrl-C stops.")
        if as_json:
            print_json({"base_url": access.base_url, "token": access.token, "dimensions": access.dimensions})
        else:
            print(f"OPENAI_BASE_URL={access.base_url}\nOPENAI_API_KEY={access.token}")
        sys.stdout.flush()  # whoever started this in a pipe waits for it
        while not stop.wait(3600):
            pass
    except InterruptedRunError:
        return


def _remark_calls(service: Service) -> None:
    """What was called so far, by all servers of this folder of runs."""
    from collections import Counter

    from recollect.cli.output import remark

    lines = service.calls()
    if lines is None:
        return
    counts = Counter(line.status for line in lines)
    money = sum(line.money or 0.0 for line in lines)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "none"
    remark(f"calls on the ledger in {service.ledger.path}: {told}; {money:.4f} in the currency of the prices.")

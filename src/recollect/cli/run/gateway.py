"""`recollect gateway`: a model behind a local server, for any client of OpenAI's protocol."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, Prices, RunsDir
from recollect.cli.output import print_json, remark

if TYPE_CHECKING:
    from recollect.runs.results.wording import Access

Model = Annotated[str, typer.Option("--model", help=f"Model for chats: {MODEL}.")]
Embedder = Annotated[str, typer.Option("--embedder", help="bundled, or openai:model=NAME,base_url=URL.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 picks a free one.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Refuse calls when the cost exceeds this.")]


def gateway(  # noqa: PLR0917  # a flag each
    model: Model = "rules",
    embedder: Embedder = "bundled",
    port: Port = 0,
    max_cost: MaxCost = None,
    prices: Prices = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Serve a model on this machine until Ctrl-C; calls are counted and cached on disk, so each is paid once.

    Prints the two environment variables that clients of OpenAI's protocol read.
    """
    from recollect.runs.setup.calls import Service, Spending

    service = Service(model, embedder, Spending(max_cost=max_cost, prices=prices), runs_dir=runs_dir, port=port)
    with service.open() as access:
        _serve(access, as_json=as_json)
    lines = service.calls()
    if lines is None:
        return
    counts = Counter(line.status for line in lines)
    money = sum(line.money or 0.0 for line in lines)
    listed = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "none"
    remark(f"calls on the ledger in {service.ledger.path}: {listed}; {money:.4f} in the currency of the prices.")


def _serve(access: Access, *, as_json: bool) -> None:
    """Print the access and wait for Ctrl-C, which may come at once: nothing is imported after the first line."""
    from threading import Event

    from recollect.domain.errors import InterruptedRunError

    stop = Event()
    try:
        remark("serving on this machine only; Ctrl-C stops.")
        if as_json:
            print_json({"base_url": access.base_url, "token": access.token, "dimensions": access.dimensions})
        else:
            print(f"OPENAI_BASE_URL={access.base_url}\nOPENAI_API_KEY={access.token}")
        sys.stdout.flush()  # a parent process may wait for it
        while not stop.wait(3600):
            pass
    except InterruptedRunError:
        return

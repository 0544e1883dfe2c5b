"""`recollect generate`: fresh, seeded data in the benchmark's own format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.endings import leave
from recollect.cli.options import KNOB, MODEL, SIZE, AsJson, Many, MaxCost, Prices
from recollect.cli.output import print_table

if TYPE_CHECKING:
    from recollect.runs.data.making import Order

FROM = "With --maker: folder of sources, such as novels."
WORK = "With --maker: folder of intermediate results, to resume; next to --out by default."


def generate(  # noqa: PLR0913, PLR0917  # flags
    benchmark: Annotated[str, typer.Argument(help="Name of the benchmark.")],
    out: Annotated[Path, typer.Option(help="File or folder to write.")],
    size: Annotated[str, typer.Option(help=SIZE)] = "small",
    knob: Annotated[Many | None, typer.Option(help=KNOB)] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    maker: Annotated[str | None, typer.Option(help=f"Have a model make data: {MODEL.partition(' or ')[2]}.")] = None,
    task: Annotated[Many | None, typer.Option(help="With --maker: task; repeatable.")] = None,
    source: Annotated[Path | None, typer.Option("--from", help=FROM)] = None,
    work: Annotated[Path | None, typer.Option(help=WORK)] = None,
    calls: Annotated[int, typer.Option(min=1, help="With --maker: maximum number of calls in flight.")] = 8,
    max_cost: MaxCost = None,
    prices: Prices = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --maker: print the calls needed, and exit.")] = False,
    as_json: AsJson = False,
) -> None:
    """Generate data by rules, the same bytes for the same size and seed; or, with `--maker`, by a model."""
    from recollect.domain.errors import UsageError

    if maker is None:
        from recollect.cli.data.check_data import print_contents
        from recollect.runs.data.datasets import generated

        if task or source or work or dry_run:
            raise UsageError("--task, --from, --work and --dry-run need `--maker`. Add it, or leave them out.")
        print_contents(generated(benchmark, size, knob or (), seed, out), as_json=as_json)
        return
    if knob:
        raise UsageError("--knob: a model makes the data. Leave out --maker or --knob.")
    if source is None:
        raise UsageError("--maker: name the folder of sources with `--from`.")
    from recollect.runs.data.making import Order
    from recollect.runs.setup.calls import Spending

    order = Order(
        benchmark=benchmark,
        maker=maker,
        source=source,
        work=work or out.with_name(f"{out.name}.work"),
        tasks=task or (),
        seed=seed,
        calls=calls,
        spending=Spending(max_cost=max_cost, prices=prices),
        leave=leave,
    )
    _by_model(order, out, dry_run=dry_run, as_json=as_json)


def _by_model(order: Order, out: Path, *, dry_run: bool, as_json: bool) -> None:
    from recollect.cli.data.check_data import print_contents
    from recollect.runs.data.making import estimated, made

    if dry_run:
        items, steps = estimated(order)
        rows = [[step.step, str(step.parts), str(step.calls)] for step in steps]
        print_table(f"{len(items)} items: {', '.join(items)}", ["step", "asked at most", "calls at most"], rows)
        return
    contents = made(order, out)
    if contents is None:
        raise typer.Exit(1)
    print_contents(contents, as_json=as_json)

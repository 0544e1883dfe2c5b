"""`recollect doctor`: does a memory do what its traits say, and leave everything else alone?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunsDir

if TYPE_CHECKING:
    from recollect.runs.results.wording import MemoryCard

WIDEST = 120
"""Characters of the last column."""
MEMORY = "A memory, or its file; with settings, such as bm25:previous=true."
Said = Annotated[str, typer.Argument(metavar="MEMORY", help=MEMORY)]
MemoryModel = Annotated[str | None, typer.Option(help=f"For memories that call a model: {MODEL}.")]
Embedder = Annotated[str | None, typer.Option(help="bundled, or openai:model=NAME,base_url=URL,…")]
Date = Annotated[str | None, typer.Option(help="The day that the card bears, such as 2024-03-01; today without it.")]


def doctor(  # noqa: PLR0917  # a flag each
    memory: Said,
    memory_model: MemoryModel = None,
    embedder: Embedder = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    date: Date = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Examine a memory: isolation, promises, faults, clock, files. Its card is kept beside the runs.

    Reports of runs made afterwards name the card beside the row. Exit code 1: a check failed.
    """
    from recollect.cli.output import print_json
    from recollect.runs.results.wording import encode
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.doctor import examined

    models = {"memory_model": memory_model, "embedder": embedder}
    card = examined(memory, models, Spending(max_cost=max_cost, prices=prices), day=date, runs_dir=runs_dir)
    if as_json:
        print_json(encode(card))
    else:
        _show(card)
    if card.failed:
        raise typer.Exit(1)


def _short(why: str) -> str:
    """For a line of a table; a check that failed is told in full below it."""
    return why if len(why) <= WIDEST else f"{why[: WIDEST - 1]}…"


def _stood(card: MemoryCard) -> str:
    """The word, with what it needs beside it."""
    beside = f" ({card.ran_why})" if card.ran_why else ", with rules for its model" if card.model == "rules" else ""
    return f"{card.ran}{beside}"


def _show(card: MemoryCard) -> None:
    from recollect.cli.output import print_table

    rows = [(line.name, line.result, f"{line.seconds:.2f}", _short(line.why)) for line in card.checks]
    said = ", ".join(f"{name}={value}" for name, value in sorted(card.settings.items()))
    print_table(f"card {card.card}", ["check", "result", "seconds", "what was seen"], rows)
    results = [line.result for line in card.checks]
    counts = ", ".join(f"{results.count(word)} {word}" for word in ("pass", "fail", "not available"))
    print(f"{card.name} version {card.version}{f' ({said})' if said else ''}, {card.date}, {_stood(card)}: {counts}")
    packages = ", ".join(f"{name} {version}" for name, version in sorted(card.packages.items()))
    print(f"with {packages}" if packages else "")
    for line in card.checks:
        if line.result == "fail":
            print(f"fail: {line.name}: {line.proves}. {line.why}")

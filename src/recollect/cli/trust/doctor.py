"""`recollect doctor`: does a memory do what its traits promise, and nothing else?"""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import MODEL, RUNS, AsJson, MaxCost, Prices, RunsDir
from recollect.cli.output import print_json, print_table

WIDEST = 120
"""Most characters of the last column; a failed check is printed in full below."""
MEMORY = "Memory, or its file; with settings, such as bm25:previous=true."
Name = Annotated[str, typer.Argument(metavar="MEMORY", help=MEMORY)]
MemoryModel = Annotated[str | None, typer.Option(help=f"Model for memories that call one: {MODEL}.")]
Embedder = Annotated[str | None, typer.Option(help="bundled, or openai:model=NAME,base_url=URL,…")]
Date = Annotated[str | None, typer.Option(help="Date of the card, such as 2024-03-01; today by default.")]


def doctor(  # noqa: PLR0917  # a flag each
    memory: Name,
    memory_model: MemoryModel = None,
    embedder: Embedder = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    date: Date = None,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Examine a memory: isolation, promises, faults, clock, files. The card is stored with the runs.

    Reports of later runs name the card of each row. Exit code 1: a check failed.
    """
    from recollect.runs.setup.calls import Spending
    from recollect.runs.trust.doctor import examined

    models = {"memory_model": memory_model, "embedder": embedder}
    card = examined(memory, models, Spending(max_cost=max_cost, prices=prices), day=date, runs_dir=runs_dir)
    if as_json:
        print_json(card)
    else:
        rows = []
        for line in card.checks:
            why = line.why if len(line.why) <= WIDEST else f"{line.why[: WIDEST - 1]}…"
            rows.append((line.name, line.result, f"{line.seconds:.2f}", why))
        settings = ", ".join(f"{name}={value}" for name, value in sorted(card.settings.items()))
        note = f" ({card.ran_why})" if card.ran_why else ", with rules for its model" if card.model == "rules" else ""
        print_table(f"card {card.card}", ["check", "result", "seconds", "what was seen"], rows)
        results = [line.result for line in card.checks]
        counts = ", ".join(f"{results.count(word)} {word}" for word in ("pass", "fail", "not available"))
        named = f"{card.name} version {card.version}{f' ({settings})' if settings else ''}"
        print(f"{named}, {card.date}, {card.ran}{note}: {counts}")
        packages = ", ".join(f"{name} {version}" for name, version in sorted(card.packages.items()))
        print(f"with {packages}" if packages else "")
        for line in card.checks:
            if line.result == "fail":
                print(f"fail: {line.name}: {line.proves}. {line.why}")
    if card.failed:
        raise typer.Exit(1)

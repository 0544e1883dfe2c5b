"""`recollect list`, `show` and `cite`: what there is, and what must be known of it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from recollect.cli.options import AsJson


def list_all(as_json: AsJson = False) -> None:
    """List benchmarks, memories, readers and judges."""
    from recollect.cli.output import print_json, print_table
    from recollect.runs.results.catalogue import HERE, OTHERS, listing

    found = listing()
    if as_json:
        print_json(found)
        return
    here = found.pop(HERE)
    for title, rows in found.items():
        if title == OTHERS:
            told = [[name, here[name], summary] for name, summary in sorted(rows.items())]
            print_table(title, ["name", "here", "what it is"], told)
        else:
            print_table(title, ["name", "what it is"], sorted(rows.items()))


def show(
    name: Annotated[str, typer.Argument(help="A benchmark, a memory, a memory's file, or `oracle`.")],
    as_json: AsJson = False,
) -> None:
    """Show the card of a benchmark, what a memory says of itself, or what the row `oracle` is."""
    from recollect.cli.output import print_json
    from recollect.runs.results.catalogue import card_of

    data = card_of(name)
    if as_json:
        print_json(data)
        return
    for key, value in data.items():
        if value or value == 0:
            _print(key, value)


def cite(
    name: Annotated[str | None, typer.Argument(help="A benchmark; without it, all.")] = None, as_json: AsJson = False
) -> None:
    """Print what to cite, as BibTeX."""
    from recollect.cli.output import print_json
    from recollect.runs.results.catalogue import citations

    entries = citations(name)
    if as_json:
        print_json(entries)
        return
    print("\n\n".join(entry for entry in entries.values() if entry))


def _print(key: str, value: Any) -> None:
    if isinstance(value, dict):
        print(f"{key}:")
        for name, text in value.items():
            print(f"  {name}: {text}")
    else:
        print(f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")

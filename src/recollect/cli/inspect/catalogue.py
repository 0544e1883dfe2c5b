"""`recollect list`, `show` and `cite`: the catalogue, and its cards."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.options import AsJson
from recollect.cli.output import print_json, print_table


def list_all(as_json: AsJson = False) -> None:
    """List benchmarks, memories, readers and judges."""
    from recollect.runs.results.catalogue import HERE, OTHERS, listing

    found = listing()
    if as_json:
        print_json(found)
        return
    here = found.pop(HERE)
    for title, rows in found.items():
        if title == OTHERS:
            lines = [[name, here[name], summary] for name, summary in sorted(rows.items())]
            print_table(title, ["name", "here", "what it is"], lines)
        else:
            print_table(title, ["name", "what it is"], sorted(rows.items()))


def show(
    name: Annotated[str, typer.Argument(help="A benchmark, a memory, a memory's file, or `oracle`.")],
    as_json: AsJson = False,
) -> None:
    """Show the card of a benchmark, the settings and traits of a memory, or the row `oracle`."""
    from recollect.runs.results.catalogue import card_of

    data = card_of(name)
    if as_json:
        print_json(data)
        return
    for key, value in data.items():
        if isinstance(value, dict) and value:
            print(f"{key}:")
            for field, text in value.items():
                print(f"  {field}: {text}")
        elif value or value == 0:
            print(f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")


def cite(
    name: Annotated[str | None, typer.Argument(help="Benchmark; all by default.")] = None, as_json: AsJson = False
) -> None:
    """Print the BibTeX entries to cite."""
    from recollect.runs.results.catalogue import citations

    entries = citations(name)
    if as_json:
        print_json(entries)
        return
    print("\n\n".join(entry for entry in entries.values() if entry))

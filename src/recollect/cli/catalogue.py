"""`recollect list`, `show` and `cite`: what there is, and what must be known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.options import AsJson
from recollect.cli.systems import NO_VERSIONS

if TYPE_CHECKING:
    from recollect.contracts.benchmark import Benchmark

OTHERS = "systems of others"
_ORACLE = {
    "summary": "no memory, but a row of every table: the reader is given the evidence of each question itself",
    "meaning": "The ceiling: what the reader gets wrong here, no memory can mend. `diagnose` calls that share reading.",
    "needs": "Questions that name their evidence; without it the cell is not available.",
    "how": "Added as a reference row where the card names it; `--no-references` leaves it out.",
}


def list_all(as_json: AsJson = False) -> None:
    """List benchmarks, memories, readers and judges."""
    from recollect import registry
    from recollect.cli.models import BACK_ENDS
    from recollect.cli.output import print_json, print_table

    found: dict[str, dict[str, str]] = {
        "benchmarks": {name: registry.benchmark(name).card.summary for name in registry.BENCHMARKS},
        "memories": {name: registry.memory(name).summary for name in registry.MEMORIES},
        OTHERS: {name: registry.memory(name).summary for name in registry.SYSTEMS},
        "systems here": {name: _here(name) for name in registry.SYSTEMS},
        "readers": {
            **dict.fromkeys(registry.READERS, "reads without a model, by rules"),
            **dict.fromkeys(BACK_ENDS, "a model that reads: `--reader WAY:model=NAME,…`"),
        },
        "judges": {
            **dict.fromkeys(registry.JUDGES, "weighs answers by rules"),
            **dict.fromkeys(BACK_ENDS, "a model that weighs: `--judge WAY:model=NAME,votes=3,temperature=0.5`"),
        },
    }
    if as_json:
        print_json(found)
        return
    here = found.pop("systems here")
    for title, rows in found.items():
        if title == OTHERS:
            told = [[name, here[name], summary] for name, summary in sorted(rows.items())]
            print_table(title, ["name", "here", "what it is"], told)
        else:
            print_table(title, ["name", "what it is"], sorted(rows.items()))


def _here(name: str) -> str:
    """Whether a system of others can be run on this machine: what is installed, or how to get it."""
    from recollect import registry
    from recollect.domain.errors import MissingExtraError
    from recollect.records.provenance import ABSENT, STAND_IN

    kind = registry.memory(name)
    config = kind.config()
    try:
        inputs = kind.inputs(config) if kind.inputs else {}
        fake = kind.stands_in(config) if kind.stands_in else ""
    except MissingExtraError as error:
        return f"{ABSENT}: `{error.install}`"
    first = next((f"{package} {version}" for package, version in inputs.items() if package not in NO_VERSIONS), "")
    return f"a run would say *{STAND_IN}*: {fake}" if fake else f"installed: {first}"


def show(
    name: Annotated[str, typer.Argument(help="A benchmark, a memory, a memory's file, or `oracle`.")],
    as_json: AsJson = False,
) -> None:
    """Show the card of a benchmark, what a memory says of itself, or what the row `oracle` is."""
    from recollect.cli.output import print_json

    data = _card(name)
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
    from recollect import registry
    from recollect.cli.output import print_json

    names = [name] if name else list(registry.BENCHMARKS)
    entries = {each: registry.benchmark(each).card.citation.strip() for each in names}
    if as_json:
        print_json(entries)
        return
    print("\n\n".join(entry for entry in entries.values() if entry))


def _card(name: str) -> dict[str, Any]:
    from recollect import registry
    from recollect.domain.errors import UnknownNameError
    from recollect.engine.rows import ORACLE
    from recollect.records.codec import encode

    if name in registry.BENCHMARKS:
        return _benchmark(registry.benchmark(name))
    if name == ORACLE:
        return {"row": ORACLE, **_ORACLE}
    if name in {**registry.MEMORIES, **registry.SYSTEMS} or registry.is_file(name):
        kind = registry.memory(name)
        settings = kind.config()
        traits = {**encode(kind.traits(settings)), "can": sorted(what.value for what in kind.traits(settings).can)}
        defaults = {field: getattr(settings, field) for field in kind.config.__dataclass_fields__}
        return {"memory": kind.name, "summary": kind.summary, "settings": defaults, "traits": traits}
    known = [*registry.BENCHMARKS, *registry.MEMORIES, *registry.SYSTEMS, ORACLE]
    raise UnknownNameError("benchmark or memory", name, known)


def _benchmark(benchmark: Benchmark) -> dict[str, Any]:
    card = benchmark.card
    return {
        "benchmark": card.name,
        "title": card.title,
        "version": card.version,
        "summary": card.summary,
        "licences": dict(card.licences),
        "tasks": {name: f"{task.meaning} Measure: {task.measure}." for name, task in card.tasks.items()},
        "sizes": list(benchmark.sizes),
        "knobs": dict(benchmark.knobs),
        "reference rows": list(card.references),
        "standard": {"budget_tokens": card.standard.budget_tokens, "search_limit": card.standard.search_limit},
        "paper": {"budget_tokens": card.paper.budget_tokens, "search_limit": card.paper.search_limit},
        "exceptions": list(card.exceptions),
        **_paper_data(benchmark),
        "cite": card.citation,
    }


def _paper_data(benchmark: Benchmark) -> dict[str, dict[str, str]]:
    """What the paper says that its data are made of, where the benchmark knows; `check-data` says it of any data."""
    from recollect.cli.statistics import paper_said

    known = benchmark.statistics
    return {"paper's data": {name: paper_said(said) for name, said in known.paper.items()}} if known else {}


def _print(key: str, value: Any) -> None:
    if isinstance(value, dict):
        print(f"{key}:")
        for name, text in value.items():
            print(f"  {name}: {text}")
    else:
        print(f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")

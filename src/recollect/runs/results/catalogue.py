"""The catalogue of benchmarks, memories, readers and judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect import registry
from recollect.domain.errors import MissingExtraError, UnknownNameError
from recollect.engine.rows import ORACLE
from recollect.records.codec import encode
from recollect.records.provenance import ABSENT, STAND_IN
from recollect.runs.setup.models import BACK_ENDS

NO_VERSIONS = frozenset({"adapter", "source", "traits"})
"""Inputs of a system that are digests or descriptions; all others are versions of packages."""
OTHERS = "systems of others"
HERE = "systems here"
_ORACLE = {
    "summary": "no memory, but a row of every table: the reader is given the evidence of each question itself",
    "meaning": "The ceiling: what the reader gets wrong here, no memory can mend. `diagnose` calls that share reading.",
    "needs": "Questions that name their evidence; without it the cell is not available.",
    "how": "Added as a reference row where the card names it; `--no-references` leaves it out.",
}


def versions_of(inputs: Mapping[str, Any]) -> dict[str, str]:
    """The packages of a system with their versions."""
    return {name: str(version) for name, version in inputs.items() if name not in NO_VERSIONS}


def listing() -> dict[str, dict[str, str]]:
    """All names by kind, each with a description."""
    return {
        "benchmarks": {name: registry.benchmark(name).card.summary for name in registry.BENCHMARKS},
        "memories": {name: registry.memory(name).summary for name in registry.MEMORIES},
        OTHERS: {name: registry.memory(name).summary for name in registry.SYSTEMS},
        HERE: {name: _here(name) for name in registry.SYSTEMS},
        "readers": {
            **dict.fromkeys(registry.READERS, "reads without a model, by rules"),
            **dict.fromkeys(BACK_ENDS, "a model that reads: `--reader WAY:model=NAME,…`"),
        },
        "judges": {
            **dict.fromkeys(registry.JUDGES, "weighs answers by rules"),
            **dict.fromkeys(BACK_ENDS, "a model that weighs: `--judge WAY:model=NAME,votes=3,temperature=0.5`"),
        },
    }


def _here(name: str) -> str:
    """Whether a third-party system can run on this machine: the installed version, or how to install it."""
    kind = registry.memory(name)
    config = kind.config()
    try:
        inputs = kind.inputs(config) if kind.inputs else {}
        fake = kind.stands_in(config) if kind.stands_in else ""
    except MissingExtraError as error:
        return f"{ABSENT}: `{error.install}`"
    first = next((f"{package} {version}" for package, version in versions_of(inputs).items()), "")
    return f"a run would say *{STAND_IN}*: {fake}" if fake else f"installed: {first}"


def citations(name: str | None = None) -> dict[str, str]:
    """BibTeX entries of a benchmark, or of all."""
    names = [name] if name else list(registry.BENCHMARKS)
    return {each: registry.benchmark(each).card.citation.strip() for each in names}


def card_of(name: str) -> dict[str, Any]:
    """The card of a benchmark, the settings and traits of a memory, or a description of the row `oracle`."""
    if name in registry.BENCHMARKS:
        benchmark = registry.benchmark(name)
        card = benchmark.card
        paper = benchmark.statistics.paper if benchmark.statistics else None
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
            **({"paper's data": {name: in_paper(text) for name, text in paper.items()}} if paper is not None else {}),
            "cite": card.citation,
        }
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


def in_paper(paper: Mapping[str, str]) -> str:
    """The paper's value of a figure, by configuration."""
    return ", ".join(f"{name} {value}" if name != "both" else value for name, value in paper.items())

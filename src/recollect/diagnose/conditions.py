"""The conditions of a run, as its config says: what two rows must share before their numbers may meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from recollect.contracts.benchmark import CONTEXT, Benchmark, Card, Preset
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.histories import Keyed
from recollect.domain.steps import Step

CONTROLLED = (
    "benchmark",
    "benchmark_version",
    "data_origin",
    "track",
    "preset",
    "budget_tokens",
    "search_limit",
    "chunk_tokens",
    "context_tokens",
    "prompts",
    "reader",
    "reader_fingerprint",
    "judge",
    "judge_fingerprint",
    "user",
    "embedder",
)
"""Entries of a config that change numbers and belong to the harness, not to a system."""
OWN = ("budget_tokens", "search_limit", "prompts", "reader", "reader_fingerprint")
"""Those that an agent decides for itself."""
ITS_OWN = "the agent's own"
CHANGES = ("chunk_tokens", "search_limit", CONTEXT)
"""Settings of a run that change one thing of its preset."""

StepsOf = Callable[[Keyed], Iterable[Step]]
"""The steps that the run made of a history."""


def conditions_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The controlled entries that a config has."""
    return {name: config[name] for name in CONTROLLED if name in config}


def conditions_of_row(config: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The same as they bind one row: an agent reads with its own model and words its own context."""
    shared = conditions_of(config)
    return {name: ITS_OWN if kind == "agent" and name in OWN else value for name, value in shared.items()}


def preset_of(card: Card, config: Mapping[str, Any]) -> Preset:
    """The card's preset that a config names, with what the config changes of it.

    Raises:
        UnknownNameError: The card has no such preset.
        UsageError: The benchmark's steps cannot leave out a part of what there is to remember.
    """
    name = str(config.get("preset", card.standard.name))
    if name not in card.presets:
        raise UnknownNameError("preset", name, card.presets)
    if config.get(CONTEXT) is not None and not card.shortens:
        raise UsageError(f"`{CONTEXT}`: {card.name} shows all that there is to remember. Leave the setting out.")
    return card.presets[name].changed(**{setting: config.get(setting) for setting in CHANGES})


def steps_as_configured(benchmark: Benchmark, config: Mapping[str, Any]) -> StepsOf:
    """How the run made its steps, where nothing but the preset decides that."""
    preset = preset_of(benchmark.card, config)
    return lambda keyed: benchmark.steps(keyed.history, preset.steps_for(keyed.task))


def seed_of(config: Mapping[str, Any]) -> int:
    """The run's seed, which also fixes every resample; 0 where none is given."""
    seed = config.get("seed", 0)
    return abs(int(seed)) if isinstance(seed, int | float | str) and str(seed).lstrip("-").isdigit() else 0


def has_judge(config: Mapping[str, Any]) -> bool:
    """A judge was asked, so that an answer without a verdict is not finished."""
    named = config.get("judge_fingerprint", config.get("judge"))
    return named not in (None, "", "none")

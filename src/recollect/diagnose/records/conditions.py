"""The conditions of a run, as its config says: what two rows must share before their numbers may meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from recollect.contracts.benchmark import CONTEXT, Benchmark, Card, Preset, variant_name
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.histories import Keyed
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message
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
    "steps",
    "talk_digest",
    "prompts",
    "reader",
    "reader_fingerprint",
    "judge",
    "judge_fingerprint",
    "user",
    "user_fingerprint",
    "embedder",
)
"""Entries of a config that change numbers and belong to the harness, not to a system."""
OWN = ("budget_tokens", "search_limit", "prompts", "reader", "reader_fingerprint")
"""Entries that an agent decides for itself."""
ITS_OWN = "the agent's own"
STEPS = "steps"
CHANGES = ("chunk_tokens", "search_limit", CONTEXT, STEPS)
"""Settings of a run that change one thing of its preset."""

StepsOf = Callable[[Keyed], Iterable[Step]]


def conditions_of(config: Mapping[str, Any]) -> dict[str, Any]:
    return {name: config[name] for name in CONTROLLED if name in config}


def conditions_of_row(config: Mapping[str, Any], kind: str, row: str) -> dict[str, Any]:
    """The same as they bind one row: an agent reads with its own model and words its own context.

    Of the prompts only those used for the row: others in the run change none of its numbers.
    """
    shared = conditions_of(config)
    bound = {name: ITS_OWN if kind == "agent" and name in OWN else value for name, value in shared.items()}
    if "prompts" in shared:
        prompts = _prompts_of(config, row)
        variants = {name: digest for name, digest in prompts.items() if "@" in name}
        bound["prompts"] = prompts if kind != "agent" else variants or ITS_OWN
    return bound


def _prompts_of(config: Mapping[str, Any], row: str) -> dict[str, Any]:
    """Prompt -> digest: the row's own variants, and the plain ones that have none."""
    rows: Sequence[Mapping[str, Any]] = config.get("rows", ())
    variant = next((facts.get("asked_as") for facts in rows if facts.get("label") == row), None)
    plain = {name: digest for name, digest in config["prompts"].items() if "@" not in name}
    own: dict[str, Any] = {}
    for name, digest in config["prompts"].items():
        original = name.partition("@")[0]
        if variant and name == variant_name(original, variant):
            own[name] = digest
            plain.pop(original, None)
    return plain | own


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
    for setting in config.get(STEPS) or {}:
        if setting not in card.step_settings:
            raise UnknownNameError(f"setting of the steps of {card.name}", setting, card.step_settings)
    return card.presets[name].changed(**{setting: config.get(setting) for setting in CHANGES})


Talks = Mapping[HistoryId, Sequence[Message]]
"""The dialogues of another run, by history: they are replayed instead of conversing."""


def steps_as_configured(benchmark: Benchmark, config: Mapping[str, Any], talks: Talks | None = None) -> StepsOf:
    """The steps of the run's preset, with the dialogues of another run where it replays them."""
    preset, replayed = preset_of(benchmark.card, config), talks or {}
    return lambda keyed: benchmark.steps(
        keyed.history, preset.steps_for(keyed.task), replayed.get(keyed.history.history_id)
    )


def seed_of(config: Mapping[str, Any]) -> int:
    """The run's seed, which also fixes every resample; 0 by default."""
    seed = config.get("seed", 0)
    return abs(int(seed)) if isinstance(seed, int | float | str) and str(seed).lstrip("-").isdigit() else 0


def has_judge(config: Mapping[str, Any]) -> bool:
    """The run has a judge, so an answer without a verdict is unfinished."""
    named = config.get("judge_fingerprint", config.get("judge"))
    return named not in (None, "", "none")

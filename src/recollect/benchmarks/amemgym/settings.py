"""The authors' configuration of a data set, in the form of their `configs/env/*.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from recollect.domain.errors import DataError, listed
from recollect.text.dates.calendars import add_months

SOURCE = "env:data-generation"
SECRETS = frozenset({"api_key"})
_FIX = "Fix the file; `BASE` and `EXTRA` of this module are examples."


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """One model of the pipeline that makes data."""

    llm_model: str
    temperature: float
    max_tokens: int = 8_192
    source: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Unknown fields, as read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvConfig:
    """How many users, periods, questions and states; the defaults are the authors' base configuration."""

    start_date: str = "2020-10-01"
    lang: Literal["en", "zh"] = "en"
    num_user_profiles: int = 20
    num_questions: int = 10
    num_periods: int = 10
    """Without period 0."""
    num_months_per_period: int = 3
    num_states_per_question: int = 2
    num_choices_per_state: int = 3
    num_changes_per_period: int = 4
    """One more or fewer is allowed."""
    max_changes_per_state: int = 3
    min_state_variants: int = 4
    num_rounds_init: int = 1
    num_rounds_update: int = 2
    llm_config_high_temp: ModelConfig = ModelConfig(llm_model="gpt-4.1", temperature=1.0, source=SOURCE)
    llm_config_low_temp: ModelConfig = ModelConfig(llm_model="gpt-4.1", temperature=0.2, source=SOURCE)
    exclude_ids: tuple[str, ...] = ()
    seed: int = 42
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Unknown fields, as read."""


BASE = EnvConfig()
EXTRA = replace(BASE, num_periods=20, num_states_per_question=3, num_rounds_init=2, num_rounds_update=5)
"""The authors' second configuration, of which no data are published."""
_MODELS = ("llm_config_high_temp", "llm_config_low_temp")


def period_ends(config: EnvConfig) -> list[str]:
    """The last day of each period, period 0 first; the end of February is always its 28th."""
    start = date.fromisoformat(config.start_date)
    days = [add_months(start, config.num_months_per_period * number) for number in range(config.num_periods + 1)]
    return [str(day.replace(day=28) if (day.month, day.day) == (2, 29) else day) for day in days]


def read_config(path: Path) -> EnvConfig:
    """The configuration in a file of the authors' form; fields that it lacks are as in their base configuration.

    Raises:
        DataError: With every problem; secrets have no place in it.
    """
    from recollect.records.codec import read

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"it cannot be read as JSON ({error})", path, fix=_FIX) from None
    if not isinstance(data, dict):
        raise DataError("it is no JSON object", path, fix=_FIX)
    known = _with_extra(EnvConfig, data)
    for name in _MODELS:
        if isinstance(known.get(name), Mapping):
            known[name] = _with_extra(ModelConfig, known[name])
    config, found = read(EnvConfig, known)
    problems = [*_secrets(data), *(found or _of_config(config))]
    if problems:
        raise DataError(listed(problems), path, fix=_FIX)
    return config


def _with_extra(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)} - {"extra"}
    known = {name: value for name, value in data.items() if name in names}
    return {**known, "extra": {name: value for name, value in data.items() if name not in names}}


def _secrets(data: Mapping[str, Any]) -> Iterator[str]:
    for where, model in [("", data), *((f"{name}.", data.get(name)) for name in _MODELS)]:
        for name in sorted(SECRETS & model.keys() if isinstance(model, Mapping) else ()):
            yield f"`{where}{name}`: a secret; keep it in the environment"


def _of_config(config: EnvConfig) -> Iterator[str]:
    for one in fields(config):
        value = getattr(config, one.name)
        if one.name.startswith(("num_", "max_", "min_")) and value < 1:
            yield f"`{one.name}`: starts at 1, got {value}"
    most = config.num_choices_per_state**config.num_states_per_question
    if most < config.min_state_variants:
        yield f"`min_state_variants`: {config.min_state_variants} answers, but states combine in {most} ways only"
    try:
        date.fromisoformat(config.start_date)
    except ValueError:
        yield f"`start_date`: {config.start_date!r} is no date such as 2020-10-01"

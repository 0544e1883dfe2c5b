"""The authors' configuration of a data set, in the form of their `configs/env/*.json`, and what it means for us."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from recollect.benchmarks.amemgym.protocol import ROUNDS_INIT, ROUNDS_UPDATE
from recollect.contracts.benchmark import StepSettings
from recollect.domain.errors import DataError, listed
from recollect.store.files import write_whole

SOURCE = "env:data-generation"
SECRETS = frozenset({"api_key"})
_FIX = "Mend the file; `base` and `extra` of this module show what it may say."


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """One model of the pipeline that makes data."""

    llm_model: str
    temperature: float
    max_tokens: int = 8_192
    source: str = ""
    """Whose calls they are, in the authors' accounts."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that are not known here, as they came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvConfig:
    """How many users, periods, questions and states; the defaults are the authors' base configuration."""

    start_date: str = "2020-10-01"
    lang: Literal["en", "zh"] = "en"
    num_user_profiles: int = 20
    num_questions: int = 10
    num_periods: int = 10
    """Without the one in which all is told first."""
    num_months_per_period: int = 3
    num_states_per_question: int = 2
    num_choices_per_state: int = 3
    num_changes_per_period: int = 4
    """One more or fewer is allowed."""
    max_changes_per_state: int = 3
    min_state_variants: int = 4
    """Fewest answers to choose from."""
    num_rounds_init: int = 1
    """User turns of a dialogue of period 0; a reply follows each."""
    num_rounds_update: int = 2
    llm_config_high_temp: ModelConfig = ModelConfig(llm_model="gpt-4.1", temperature=1.0, source=SOURCE)
    llm_config_low_temp: ModelConfig = ModelConfig(llm_model="gpt-4.1", temperature=0.2, source=SOURCE)
    exclude_ids: tuple[str, ...] = ()
    """Personas that are not taken."""
    seed: int = 42
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that are not known here, as they came."""

    def steps(self) -> StepSettings:
        """The settings under which dialogues are as long as here."""
        rounds = {ROUNDS_INIT: str(self.num_rounds_init), ROUNDS_UPDATE: str(self.num_rounds_update)}
        return StepSettings(extra=rounds)


BASE = EnvConfig()
EXTRA = replace(BASE, num_periods=20, num_states_per_question=3, num_rounds_init=2, num_rounds_update=5)
"""The authors' second configuration, of which no data are published."""
CONFIGS: Mapping[str, EnvConfig] = {"base": BASE, "extra": EXTRA}
_MODELS = ("llm_config_high_temp", "llm_config_low_temp")


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


def write_config(config: EnvConfig, path: Path) -> None:
    """Write *config* in the authors' form, so that `read_config` gives it back."""
    data = _bare(config)
    for name in _MODELS:
        data[name] = _bare(getattr(config, name))
    write_whole(path, (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode())


def _with_extra(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(kind)} - {"extra"}
    known = {name: value for name, value in data.items() if name in names}
    return {**known, "extra": {name: value for name, value in data.items() if name not in names}}


def _bare(config: EnvConfig | ModelConfig) -> dict[str, Any]:
    said = {one.name: getattr(config, one.name) for one in fields(config) if one.name != "extra"}
    return {**said, **config.extra}


def _secrets(data: Mapping[str, Any]) -> Iterator[str]:
    for place, one in [("", data), *((f"{name}.", data.get(name)) for name in _MODELS)]:
        for name in sorted(SECRETS & one.keys() if isinstance(one, Mapping) else ()):
            yield f"`{place}{name}`: a secret; it belongs into the environment"


def _of_config(config: EnvConfig) -> Iterator[str]:
    for one in fields(config):
        value = getattr(config, one.name)
        if one.name.startswith(("num_", "max_", "min_")) and value < 1:
            yield f"`{one.name}`: starts at 1, got {value}"
    if config.num_choices_per_state**config.num_states_per_question < config.min_state_variants:
        most = config.num_choices_per_state**config.num_states_per_question
        yield f"`min_state_variants`: {config.min_state_variants} answers, but states combine in {most} ways only"
    try:
        date.fromisoformat(config.start_date)
    except ValueError:
        yield f"`start_date`: {config.start_date!r} is no date such as 2020-10-01"

"""Values of one setting, as `--over` names them: all are looked at before anything runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.cli.config import MODELS, RunConfig, as_data, from_data, model_choice
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.records.digests import digest

TASK = "task"
SETTINGS: Mapping[str, str] = {
    "chunk_tokens": "chunk_tokens",
    "search_limit": "search_limit",
    "context_tokens": "context_tokens",
    "reader": "reader",
    TASK: "tasks",
}
"""As it is said -> the setting of a run."""
FULL = "full"
"""The value that leaves everything there."""
FORMAT = "SETTING=VALUE,VALUE,…; one reader each time, for a reader's own settings have commas"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value, and the run that has it."""

    label: str
    """As the table names it."""
    config: RunConfig
    folder: str
    """Name of its run."""
    is_task: bool = False
    row: str = ""
    """The row that has the value, where it is a setting of one system; empty where all rows have it."""
    named: str = ""
    """That row as the table calls it."""


def values_of(over: Sequence[str], base: RunConfig, name: str) -> tuple[str, tuple[Value, ...]]:
    """The setting, and its values in the order in which they were said.

    Args:
        over: `SETTING=VALUE,VALUE`, all of one setting.
        base: The config that all values share.
        name: Their runs are called after it.

    Raises:
        UnknownNameError: There is no such setting.
        ConfigError: Something is wrong with the values; all problems at once.
    """
    setting, said = _said(over)
    if not _is_default(base, SETTINGS[setting]):
        raise ConfigError("--over", [f"`{setting}` has a value of its own in the command or its file; leave that out"])
    problems, found = [], []
    for label, value in said:
        try:
            config = from_data({**as_data(base), **_changed(setting, value)}, f"--over {setting}={label}")
        except ConfigError as error:
            problems += [f"{label}: {problem}" for problem in error.problems]
            continue
        folder = f"{name}-{setting}={plain(label)}"
        found.append(Value(label=label, config=config, folder=folder, is_task=setting == TASK))
    if problems:
        raise ConfigError(f"--over {setting}", problems)
    return setting, tuple(found)


def _said(over: Sequence[str]) -> tuple[str, list[tuple[str, Any]]]:
    """The setting with each value, as text and as it counts."""
    pairs = [one.partition("=") for one in over]
    settings = list(dict.fromkeys(name.strip() for name, _, _ in pairs))
    if len(settings) > 1:
        raise ConfigError("--over", [f"names {' and '.join(f'`{one}`' for one in settings)}; one setting at a time"])
    if settings[0] not in SETTINGS:
        raise UnknownNameError("setting of --over", settings[0], SETTINGS)
    said = [(text, _counted(settings[0], text)) for _, _, values in pairs for text in _split(settings[0], values)]
    labels = [label for label, _ in said]
    if twice := sorted({label for label in labels if labels.count(label) > 1}):
        raise ConfigError("--over", [f"`{label}` stands twice" for label in twice])
    if not said:
        raise ConfigError("--over", [f"has no values. Write {FORMAT}"])
    return settings[0], said


def _split(setting: str, values: str) -> Iterator[str]:
    parts = [values] if setting in MODELS else values.split(",")
    yield from filter(None, (part.strip() for part in parts))


def _counted(setting: str, text: str) -> Any:
    """A number, a model, a task; what is no number is left for the config to refuse."""
    if setting in MODELS:
        return model_choice(text)
    if setting == TASK:
        return [text]
    if setting == "context_tokens" and text == FULL:
        return None
    return int(text) if text.isdecimal() else text


def _changed(setting: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {SETTINGS[setting]: value}


def _is_default(base: RunConfig, setting: str) -> bool:
    return bool(getattr(base, setting) == getattr(RunConfig(benchmark=base.benchmark), setting))


def plain(label: str) -> str:
    """A value as part of a folder's name; where signs had to go, a digest keeps two values apart."""
    plain = re.sub(r"[^\w.-]+", "-", label)[:40]
    return plain if plain == label else f"{plain}-{digest(label)[3:9]}"

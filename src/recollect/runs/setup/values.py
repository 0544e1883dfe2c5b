"""Values of settings of the run, as `--over` names them: all are checked before anything runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.records.digests import digest
from recollect.runs.setup.config import MODELS, RunConfig, as_data, from_data, model_choice

TASK = "task"
SETTINGS: Mapping[str, str] = {
    "chunk_tokens": "chunk_tokens",
    "search_limit": "search_limit",
    "context_tokens": "context_tokens",
    "preset": "preset",
    "reader": "reader",
    TASK: "tasks",
}
"""Name after `--over` -> setting of a run."""
FULL = "full"
"""The value of `context_tokens` that shows everything."""
FORMAT = "SETTING=VALUE,VALUE,…; one reader each time, for a reader's own settings have commas"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value, and the run that has it."""

    label: str
    """Its name in the table."""
    config: RunConfig
    folder: str
    """Name of its run."""
    is_task: bool = False
    row: str = ""
    """The row that has the value, if it is a setting of one system; empty where all rows have it."""
    named: str = ""
    """That row's name in the table."""
    suffix: str = ""
    """Ends the names of all rows in the table, where another setting of the run is crossed with this one."""


def values_of(
    over: Sequence[str], base: RunConfig, name: str, *, cross: bool
) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    """The settings, and their values or combinations: the first setting varies fastest, others are in the rows' names.

    Args:
        over: `SETTING=VALUE,VALUE`: all of one setting, or of two or more to *cross*.
        base: The config that all values share.
        name: The prefix of the names of their runs.
        cross: Whether to combine several settings.

    Raises:
        UnknownNameError: If there is no such setting.
        ConfigError: If settings or values are wrong; lists all problems.
    """
    parsed = _parse(over, base)
    if not cross and len(parsed) > 1:
        names = " and ".join(f"`{setting}`" for setting in parsed)
        raise ConfigError("--over", [f"names {names}; one setting at a time, or all combinations with `--cross`"])
    if cross and len(parsed) < 2:
        raise ConfigError(
            "--cross", ["crosses settings of systems, such as `--over awe.freq=2,4`, or two settings of the run"]
        )
    if cross and TASK in parsed:
        raise ConfigError("--cross", [f"`{TASK}` is no setting to cross: every run may have all tasks"])
    first, *others = parsed
    problems: list[str] = []
    found = []
    for rest in product(*(parsed[other] for other in others)):
        for value in parsed[first]:
            chosen = dict(zip((first, *others), (value, *rest), strict=True))
            try:
                found.append(_value(chosen, base, name))
            except ConfigError as error:
                labels = ", ".join(label for label, _ in chosen.values())
                problems += [f"{labels}: {problem}" for problem in error.problems]
    if problems:
        raise ConfigError(f"--over {' × '.join(parsed)}", list(dict.fromkeys(problems)))
    return tuple(parsed), tuple(found)


def _value(chosen: Mapping[str, tuple[str, Any]], base: RunConfig, name: str) -> Value:
    (first, (label, _)), *others = chosen.items()
    changed = {SETTINGS[setting]: value for setting, (_, value) in chosen.items() if value is not None}
    crossed = ",".join(f"{setting}={text}" for setting, (text, _) in others)
    return Value(
        label=label,
        config=from_data({**as_data(base), **changed}, f"--over {first}={label}"),
        folder=f"{name}-{','.join(f'{setting}={plain(text)}' for setting, (text, _) in chosen.items())}",
        is_task=first == TASK,
        suffix=f"({crossed})" if crossed else "",
    )


def _parse(over: Sequence[str], base: RunConfig) -> dict[str, list[tuple[str, Any]]]:
    """Setting -> its values, each as text and converted."""
    pairs = [(name.strip(), values) for name, _, values in (one.partition("=") for one in over)]
    parsed: dict[str, list[tuple[str, Any]]] = {}
    for setting in dict.fromkeys(name for name, _ in pairs):
        if setting not in SETTINGS:
            raise UnknownNameError("setting of --over", setting, SETTINGS)
        parts = [
            part.strip()
            for name, values in pairs
            if name == setting
            for part in ([values] if setting in MODELS else values.split(","))
        ]
        texts = [text for text in parts if text]
        if twice := sorted({text for text in texts if texts.count(text) > 1}):
            raise ConfigError("--over", [f"`{text}` is repeated" for text in twice])
        if not texts:
            raise ConfigError("--over", [f"has no values. Write {FORMAT}"])
        default = RunConfig(benchmark=base.benchmark)
        if getattr(base, SETTINGS[setting]) != getattr(default, SETTINGS[setting]):
            raise ConfigError("--over", [f"`{setting}` is also set in the command or its file; leave that out"])
        parsed[setting] = [(text, _converted(setting, text)) for text in texts]
    return parsed


def _converted(setting: str, text: str) -> Any:
    """A number, a model, a task; the config refuses what should be a number and is not."""
    if setting in MODELS:
        return model_choice(text)
    if setting == TASK:
        return [text]
    if setting == "context_tokens" and text == FULL:
        return None
    return int(text) if text.isdecimal() else text


def plain(label: str) -> str:
    """A value as part of a folder's name; a digest distinguishes values whose characters were replaced."""
    plain = re.sub(r"[^\w.-]+", "-", label)[:40]
    return plain if plain == label else f"{plain}-{digest(label)[3:9]}"

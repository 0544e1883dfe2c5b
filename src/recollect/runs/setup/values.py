"""Values of one setting, as `--over` names them: all are looked at before anything runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
    suffix: str = ""
    """Ends the names of all rows in the table, where another setting of the run is crossed with this one."""


Said = Sequence[tuple[str, Any]]
"""Values as text and as they count."""


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
    said = _said(over, base)
    if len(said) > 1:
        names = " and ".join(f"`{one}`" for one in said)
        raise ConfigError("--over", [f"names {names}; one setting at a time, or all combinations with `--cross`"])
    return next(iter(said)), _values(said, base, name)


def crossed_values(over: Sequence[str], base: RunConfig, name: str) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    """The settings, and every combination of their values: the first along the axis, the others in the rows' names.

    Args:
        over: `SETTING=VALUE,VALUE` of two settings or more.
        base: The config that all share.
        name: Their runs are called after it.

    Raises:
        UnknownNameError: There is no such setting.
        ConfigError: Something is wrong with settings or values; all problems at once.
    """
    said = _said(over, base)
    if len(said) < 2:
        raise ConfigError(
            "--cross", ["crosses settings of systems, such as `--over awe.freq=2,4`, or two settings of the run"]
        )
    if TASK in said:
        raise ConfigError("--cross", [f"`{TASK}` is no setting to cross: every run may have all tasks"])
    return tuple(said), _values(said, base, name)


def _values(said: Mapping[str, Said], base: RunConfig, name: str) -> tuple[Value, ...]:
    first, *others = said
    problems: list[str] = []
    found = []
    for rest in product(*(said[other] for other in others)):
        for value in said[first]:
            chosen = dict(zip((first, *others), (value, *rest), strict=True))
            try:
                found.append(_value(chosen, base, name))
            except ConfigError as error:
                labels = ", ".join(label for label, _ in chosen.values())
                problems += [f"{labels}: {problem}" for problem in error.problems]
    if problems:
        raise ConfigError(f"--over {' × '.join(said)}", list(dict.fromkeys(problems)))
    return tuple(found)


def _value(chosen: Mapping[str, tuple[str, Any]], base: RunConfig, name: str) -> Value:
    (first, (label, _)), *others = chosen.items()
    changed = {key: value for setting, (_, one) in chosen.items() for key, value in _changed(setting, one).items()}
    told = ",".join(f"{setting}={text}" for setting, (text, _) in others)
    return Value(
        label=label,
        config=from_data({**as_data(base), **changed}, f"--over {first}={label}"),
        folder=f"{name}-{','.join(f'{setting}={plain(text)}' for setting, (text, _) in chosen.items())}",
        is_task=first == TASK,
        suffix=f"({told})" if told else "",
    )


def _said(over: Sequence[str], base: RunConfig) -> dict[str, Said]:
    """Setting -> its values, each as text and as it counts."""
    pairs = [(name.strip(), values) for name, _, values in (one.partition("=") for one in over)]
    said: dict[str, Said] = {}
    for setting in dict.fromkeys(name for name, _ in pairs):
        if setting not in SETTINGS:
            raise UnknownNameError("setting of --over", setting, SETTINGS)
        texts = [text for name, values in pairs if name == setting for text in _split(setting, values)]
        if twice := sorted({text for text in texts if texts.count(text) > 1}):
            raise ConfigError("--over", [f"`{text}` stands twice" for text in twice])
        if not texts:
            raise ConfigError("--over", [f"has no values. Write {FORMAT}"])
        if not _is_default(base, SETTINGS[setting]):
            raise ConfigError(
                "--over", [f"`{setting}` has a value of its own in the command or its file; leave that out"]
            )
        said[setting] = [(text, _counted(setting, text)) for text in texts]
    return said


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

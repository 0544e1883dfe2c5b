"""What `--over` varies: one setting of the run, or settings of its systems, one at a time or every combination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from recollect import registry
from recollect.contracts.systems import AgentKind, MemoryKind
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.records.codec import encode, read
from recollect.records.digests import canonical
from recollect.runs.setup.config import RunConfig, SystemChoice, plainly
from recollect.runs.setup.values import Value, plain, values_of

Kind = Literal["memories", "agents"]
BASE = "base"
"""Ends the name of the run in which nothing is changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One setting with its values; where several are crossed, the others are in the rows' names."""

    setting: str
    values: tuple[Value, ...]
    crossed: tuple[str, ...] = ()
    base_row: str = ""
    """The varied row, by its name in the base run; empty where all rows have the setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """All settings that are varied."""

    axes: tuple[Axis, ...]
    rest: Value | None = None
    """The run with the rows that no setting changes; `None` where there are none, or every run has all rows."""

    @property
    def name(self) -> str:
        """All settings, as part of a folder's name."""
        return "+".join("-x-".join((axis.setting, *axis.crossed)) for axis in self.axes)

    @property
    def runs(self) -> tuple[Value, ...]:
        rest = [] if self.rest is None else [self.rest]
        every = [*rest, *(value for axis in self.axes for value in axis.values)]
        return tuple({value.folder: value for value in every}.values())


def axes_of(over: Sequence[str], base: RunConfig, name: str, *, cross: bool = False) -> Axes:
    """The settings that are varied, and the runs that this takes.

    Args:
        over: `SETTING=VALUE,VALUE`, several settings of the run only with *cross*; settings of systems as
            `ROW.SETTING=…`.
        base: The config that all values share, and around which settings of systems are varied.
        name: The prefix of the names of the runs.
        cross: Every combination of the settings instead of one at a time.

    Raises:
        UnknownNameError: If there is no such setting or row.
        ConfigError: If the values are wrong; lists all problems.
    """
    named = [one.partition("=")[0].strip() for one in over]
    of_rows = [setting for setting in named if "." in setting]
    if of_rows and len(of_rows) < len(named):
        raise ConfigError("--over", ["names a setting of the run and one of a system; one of the two at a time"])
    if not of_rows:
        (setting, *crossed), values = values_of(over, base, name, cross=cross)
        return Axes(axes=(Axis(setting=setting, values=values, crossed=tuple(crossed)),))
    parsed = _parse(over)
    varied = _Varied(base, name, {setting: _target(setting, base) for setting in parsed})
    if not cross:
        return varied.axes({setting: [{setting: one} for one in values] for setting, values in parsed.items()})
    first, *others = parsed
    rows = sorted({target.row for target in varied.targets.values()})
    if len(rows) > 1:
        raise ConfigError("--cross", [f"crosses settings of one row, not of {' and '.join(rows)}"])
    combined: list[Combination] = [
        {first: one, **dict(zip(others, rest, strict=True))}
        for rest in product(*(parsed[setting] for setting in others))
        for one in parsed[first]
    ]
    return varied.axes({first: combined}, others)


Combination = Mapping[str, tuple[str, Any]]
"""Setting -> one of its values, as text and converted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """The system whose setting is varied."""

    row: str
    key: str
    """The setting, as the system knows it."""
    kind: Kind
    position: int
    made: AgentKind | MemoryKind
    choice: SystemChoice


@dataclass(frozen=True, slots=True)
class _Varied:
    base: RunConfig
    name: str
    targets: Mapping[str, _Target]
    """By setting."""

    def axes(self, combinations: Mapping[str, Sequence[Combination]], crossed: Sequence[str] = ()) -> Axes:
        """An axis for each setting with its combinations."""
        problems: list[str] = []
        axes = []
        for setting, chosen in combinations.items():
            target, values = self.targets[setting], []
            for combination in chosen:
                try:
                    values.append(self._value(combination))
                except ConfigError as error:
                    problems += error.problems
            row = target.choice.row_of(target.made.name)
            axes.append(Axis(setting=setting, values=tuple(values), crossed=tuple(crossed), base_row=row))
        if problems:
            raise ConfigError("--over", list(dict.fromkeys(problems)))
        systems = {(target.kind, target.position) for target in self.targets.values()}
        all_varied = len(systems) == len(self.base.memories) + len(self.base.agents) and not self.base.references
        return Axes(axes=tuple(axes), rest=None if all_varied else self._base())

    def _value(self, combination: Combination) -> Value:
        """The run of one combination of values."""
        (first, (label, _)), *others = combination.items()
        target = self.targets[first]
        asked = {self.targets[name].key: value for name, (_, value) in combination.items()}
        config, problems = read(target.made.config, {**target.choice.settings, **asked})
        if problems:
            texts = ", ".join(f"{name}={text}" for name, (text, _) in combination.items())
            raise ConfigError("--over", [f"{texts}: {problem}" for problem in plainly(problems)])
        usual, _ = read(target.made.config, dict(target.choice.settings))
        made = {**asked, **encode(config)}
        changed = {key: made[key] for key in sorted(asked) if getattr(config, key) != getattr(usual, key, None)}
        inside = ",".join(f"{self.targets[name].key}={text}" for name, (text, _) in others)
        named = f"{target.row}({inside})" if inside else target.row
        if not changed:
            return replace(self._base(), label=label, row=target.choice.row_of(target.made.name), named=named)
        # The varied system alone, under a name that no setting changes: other rows need no second run.
        choice = replace(target.choice, settings={**target.choice.settings, **changed}, label=target.row)
        alone: dict[str, Any] = {"memories": (), "agents": (), target.kind: (choice,)}
        texts = ",".join(
            f"{key}={plain(value if isinstance(value, str) else canonical(value))}" for key, value in changed.items()
        )
        return Value(
            label=label,
            config=replace(self.base, **alone, references=False),
            folder=f"{self.name}-{plain(target.row)}.{texts}",
            row=target.row,
            named=named,
        )

    def _base(self) -> Value:
        return Value(label="", config=self.base, folder=f"{self.name}-{BASE}")


def _parse(over: Sequence[str]) -> Mapping[str, Sequence[tuple[str, Any]]]:
    """Setting -> its values, each as text and converted."""
    import yaml

    found: dict[str, list[tuple[str, Any]]] = {}
    problems = []
    for setting, _, values in (one.partition("=") for one in over):
        mine = found.setdefault(setting.strip(), [])
        for text in filter(None, (part.strip() for part in values.split(","))):
            if text in [label for label, _ in mine]:
                problems.append(f"`{setting}`: `{text}` is repeated")
            mine.append((text, yaml.safe_load(text)))
    problems += [
        f"`{setting}` has no values. Write {setting}=VALUE,VALUE" for setting, mine in found.items() if not mine
    ]
    if problems:
        raise ConfigError("--over", problems)
    return found


def _target(setting: str, base: RunConfig) -> _Target:
    row, _, key = setting.rpartition(".")
    rows: list[_Target] = []
    listed: Mapping[Kind, Sequence[SystemChoice]] = {"memories": base.memories, "agents": base.agents}
    for kind, choices in listed.items():
        for position, choice in enumerate(choices):
            made = registry.agent(choice.name) if kind == "agents" else registry.memory(choice.name)
            label = choice.label or made.name
            rows.append(_Target(row=label, key=key, kind=kind, position=position, made=made, choice=choice))
    found = [target for target in rows if target.row == row]
    if not found:
        raise UnknownNameError("row of --over", row, [target.row for target in rows])
    if len(found) > 1:
        raise ConfigError("--over", [f"`{row}` is the name of {len(found)} rows; give each a `label` in a config file"])
    return found[0]

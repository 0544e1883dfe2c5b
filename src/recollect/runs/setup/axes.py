"""What `--over` varies: one setting of the run, or settings of its systems, one at a time or every combination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from recollect import registry
from recollect.contracts.systems import AgentKind, MemoryKind
from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.records.codec import encode, read
from recollect.records.digests import canonical
from recollect.runs.setup.config import RunConfig, SystemChoice, plainly
from recollect.runs.setup.values import Value, crossed_values, plain, values_of

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
    """The row that is varied, as the base run calls it; empty where all rows have the setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """All that is varied."""

    axes: tuple[Axis, ...]
    rest: Value | None = None
    """The run with the rows that no setting changes; `None` where there are none, or every run has all rows."""

    @property
    def name(self) -> str:
        """All settings, as part of a folder's name."""
        return "+".join("-x-".join((axis.setting, *axis.crossed)) for axis in self.axes)

    @property
    def runs(self) -> tuple[Value, ...]:
        """Each run once."""
        rest = [] if self.rest is None else [self.rest]
        every = [*rest, *(value for axis in self.axes for value in axis.values)]
        return tuple({value.folder: value for value in every}.values())


def axes_of(over: Sequence[str], base: RunConfig, name: str, *, cross: bool = False) -> Axes:
    """What is varied, and the runs that it takes.

    Args:
        over: `SETTING=VALUE,VALUE`; several settings of the run with *cross* alone; settings of systems as
            `ROW.SETTING=…`, several of them.
        base: The config that all values share, and around which settings of systems are varied.
        name: The runs are called after it.
        cross: Every combination of the settings, in the place of one at a time.

    Raises:
        UnknownNameError: There is no such setting or row.
        ConfigError: Something is wrong with the values; all problems at once.
    """
    named = [one.partition("=")[0].strip() for one in over]
    of_rows = [setting for setting in named if "." in setting]
    if of_rows and len(of_rows) < len(named):
        raise ConfigError("--over", ["names a setting of the run and one of a system; one of the two at a time"])
    if not of_rows:
        if cross:
            (setting, *crossed), values = crossed_values(over, base, name)
            return Axes(axes=(Axis(setting=setting, values=values, crossed=tuple(crossed)),))
        setting, values = values_of(over, base, name)
        return Axes(axes=(Axis(setting=setting, values=values),))
    said = _said(over)
    varied = {setting: _target(setting, base) for setting in said}
    return _Runs(base, name, varied).crossed(said) if cross else _Runs(base, name, varied).one_at_a_time(said)


Said = Mapping[str, Sequence[tuple[str, Any]]]
"""Setting -> its values, as text and as they count."""
Combination = Sequence[tuple[str, tuple[str, Any]]]
"""Settings, each with one of its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """The system whose setting is varied."""

    row: str
    key: str
    """The setting, as the system knows it."""
    kind: Kind
    place: int
    made: AgentKind | MemoryKind
    choice: SystemChoice


class _Runs:
    def __init__(self, base: RunConfig, name: str, varied: Mapping[str, _Target]) -> None:
        self.base, self.name, self.varied = base, name, varied
        self.problems: list[str] = []

    def one_at_a_time(self, said: Said) -> Axes:
        """Each setting for itself, all others as in the base."""
        axes = [self._axis(setting, (((setting, one),) for one in values)) for setting, values in said.items()]
        return self._made(axes)

    def crossed(self, said: Said) -> Axes:
        """The first setting along the axis, every combination of the others a row."""
        first, *others = said
        rows = sorted({target.row for target in self.varied.values()})
        if len(rows) > 1:
            raise ConfigError("--cross", [f"crosses settings of one row, not of {' and '.join(rows)}"])
        combined = (
            ((first, one), *zip(others, rest, strict=True))
            for rest in product(*(said[name] for name in others))
            for one in said[first]
        )
        return self._made([self._axis(first, combined, others)])

    def _axis(self, setting: str, combinations: Iterable[Combination], crossed: Sequence[str] = ()) -> Axis:
        target = self.varied[setting]
        return Axis(
            setting=setting,
            values=tuple(self._values(combinations)),
            crossed=tuple(crossed),
            base_row=target.choice.row_of(target.made.name),
        )

    def _made(self, axes: Sequence[Axis]) -> Axes:
        if self.problems:
            raise ConfigError("--over", list(dict.fromkeys(self.problems)))
        mine = {(target.kind, target.place) for target in self.varied.values()}
        many = len(self.base.memories) + len(self.base.agents)
        alone = len(mine) == many and not self.base.references
        return Axes(axes=tuple(axes), rest=None if alone else self._base())

    def _values(self, combinations: Iterable[Combination]) -> Iterator[Value]:
        for combination in combinations:
            made = self._value(dict(combination))
            if made is not None:
                yield made

    def _value(self, said: Mapping[str, tuple[str, Any]]) -> Value | None:
        """The run of one combination of values; what its system refuses is noted."""
        (first, (label, _)), *others = said.items()
        target = self.varied[first]
        asked = {self.varied[name].key: value for name, (_, value) in said.items()}
        config, problems = read(target.made.config, {**target.choice.settings, **asked})
        if problems:
            told = ", ".join(f"{name}={text}" for name, (text, _) in said.items())
            self.problems += [f"{told}: {problem}" for problem in plainly(problems)]
            return None
        usual, _ = read(target.made.config, dict(target.choice.settings))
        made = {**asked, **encode(config)}
        changed = {key: made[key] for key in sorted(asked) if getattr(config, key) != getattr(usual, key, None)}
        inside = ",".join(f"{self.varied[name].key}={text}" for name, (text, _) in others)
        named = f"{target.row}({inside})" if inside else target.row
        if not changed:
            return replace(self._base(), label=label, row=target.choice.row_of(target.made.name), named=named)
        return Value(
            label=label,
            config=self._alone(target, changed),
            folder=f"{self.name}-{plain(target.row)}.{_told(changed)}",
            row=target.row,
            named=named,
        )

    def _alone(self, target: _Target, changed: Mapping[str, Any]) -> RunConfig:
        """The varied system by itself, under a name that no setting changes: other rows need no second run."""
        choice = replace(target.choice, settings={**target.choice.settings, **changed}, label=target.row)
        alone: dict[str, Any] = {"memories": (), "agents": (), target.kind: (choice,)}
        return replace(self.base, **alone, references=False)

    def _base(self) -> Value:
        return Value(label="", config=self.base, folder=f"{self.name}-{BASE}")


def _said(over: Sequence[str]) -> Said:
    import yaml

    found: dict[str, list[tuple[str, Any]]] = {}
    problems = []
    for setting, _, values in (one.partition("=") for one in over):
        mine = found.setdefault(setting.strip(), [])
        for text in filter(None, (part.strip() for part in values.split(","))):
            if text in [label for label, _ in mine]:
                problems.append(f"`{setting}`: `{text}` stands twice")
            mine.append((text, yaml.safe_load(text)))
    problems += [
        f"`{setting}` has no values. Write {setting}=VALUE,VALUE" for setting, mine in found.items() if not mine
    ]
    if problems:
        raise ConfigError("--over", problems)
    return found


def _target(setting: str, base: RunConfig) -> _Target:
    row, _, key = setting.rpartition(".")
    named: list[_Target] = []
    listed: Mapping[Kind, Sequence[SystemChoice]] = {"memories": base.memories, "agents": base.agents}
    for kind, choices in listed.items():
        for place, choice in enumerate(choices):
            made = registry.agent(choice.name) if kind == "agents" else registry.memory(choice.name)
            named.append(
                _Target(row=choice.label or made.name, key=key, kind=kind, place=place, made=made, choice=choice)
            )
    found = [one for one in named if one.row == row]
    if not found:
        raise UnknownNameError("row of --over", row, [one.row for one in named])
    if len(found) > 1:
        raise ConfigError("--over", [f"`{row}` stands for {len(found)} rows; give each a `label` in a config file"])
    return found[0]


def _told(changed: Mapping[str, Any]) -> str:
    shown = {key: value if isinstance(value, str) else canonical(value) for key, value in changed.items()}
    return ",".join(f"{key}={plain(value)}" for key, value in shown.items())

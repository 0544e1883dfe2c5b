"""The config of a run: one YAML, flags override, unknown keys are errors, each value keeps where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from recollect.domain.errors import ConfigError, UsageError
from recollect.domain.steps import Arm
from recollect.records.codec import encode, read

FORMAT = "NAME, or NAME:setting=value,setting=value"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemChoice:
    """A memory or agent with the settings that differ from its defaults."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """Name of its row; made of name and settings if empty."""

    def row_of(self, name: str) -> str:
        """The label of its row."""
        said = ",".join(f"{key}={value}" for key, value in sorted(self.settings.items()))
        return self.label or (f"{name}({said})" if said else name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Everything that can change a number of a run."""

    benchmark: str
    data: str | None = None
    """A file or folder; without it, data are generated."""
    size: str = "small"
    seed: int = 0
    tasks: tuple[str, ...] = ()
    """Empty: all."""
    memories: tuple[SystemChoice, ...] = ()
    agents: tuple[SystemChoice, ...] = ()
    arms: tuple[Arm, ...] = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK)
    preset: Literal["standard", "paper"] = "standard"
    references: bool = True
    """Add the floor and ceiling rows that the card names."""
    reader: str = "rules"
    judge: str = "rules"
    limit: int | None = None
    """Questions, spread evenly over the tasks."""
    repeats: int = 1

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"`limit` starts at 1, got {self.limit}")
        if self.repeats < 1:
            raise ValueError(f"`repeats` starts at 1, got {self.repeats}")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"`seed` lies in 0 to 4294967295, got {self.seed}")


Origins = Mapping[str, str]


def resolve(file: Path | None, flags: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config of *file* and *flags*, flags first, and where each value came from.

    Raises:
        ConfigError: With all problems at once.
    """
    said = _read_yaml(file) if file else {}
    given = {key: value for key, value in flags.items() if value is not None and value != ()}
    config, problems = read(RunConfig, {**said, **given})
    if problems:
        raise ConfigError(str(file) if file else "command line", problems)
    names = [item.name for item in fields(RunConfig)]
    return config, {n: "flag" if n in given else "file" if n in said else "default" for n in names}


def choice(text: str) -> dict[str, Any]:
    """`bm25:previous=true` as data for a `SystemChoice`."""
    import yaml

    name, _, rest = text.partition(":")
    settings = {}
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"`{text}`: `{pair}` has no value. Write {FORMAT}.")
        try:
            settings[key.strip()] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise UsageError(f"`{text}`: the value of `{key.strip()}` cannot be read ({error}).") from None
    return {"name": name.strip(), "settings": settings}


def as_data(config: RunConfig) -> dict[str, Any]:
    """The config with every value said, also the defaults."""
    return {item.name: _plain(getattr(config, item.name)) for item in fields(RunConfig)}


def from_data(data: Mapping[str, Any], where: str) -> RunConfig:
    """The config that a run folder holds."""
    config, problems = read(RunConfig, data)
    if problems:
        raise ConfigError(where, problems)
    return config


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | type(None)) else encode(value)


def _read_yaml(file: Path) -> Mapping[str, Any]:
    import yaml

    try:
        data = _once_only(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{file}: there is no such file. `--config` takes a YAML file.") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(str(file), [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict):
        raise ConfigError(str(file), [f"holds {type(data).__name__}, not settings by name"])
    return data


def _once_only(text: str) -> Any:
    """YAML in which no key stands twice: the parser would silently take the last."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses a key that was there before."""

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
        keys = [loader.construct_object(key) for key, _ in node.value if not key.tag.endswith(":merge")]
        doubled = sorted({str(key) for key in keys if keys.count(key) > 1})
        if doubled:
            raise yaml.YAMLError(f"`{doubled[0]}` stands twice, in line {node.start_mark.line + 1}")
        return dict(loader.construct_mapping(node, deep=True))

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    return yaml.load(text, Loader)  # noqa: S506  # it is a SafeLoader

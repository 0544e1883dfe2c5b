"""The config of a run: one YAML, flags override, unknown keys are errors, each value keeps where it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from recollect.cli.wording import plainly
from recollect.domain.errors import ConfigError, UsageError
from recollect.domain.repeats import Repeats
from recollect.domain.steps import Arm
from recollect.records.codec import encode, read

FORMAT = "NAME, or NAME:setting=value,setting=value"
STAGES_FORMAT = "ingest=2,answer=3,judge=2"


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
class ModelChoice:
    """A model that plays a role: how it is reached, and its settings."""

    name: str
    """The way to reach it."""
    settings: Mapping[str, Any] = field(default_factory=dict)


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
    preset: str = "standard"
    chunk_tokens: int | None = None
    """Tokens of a chunk, where another size than the preset's is wanted."""
    search_limit: int | None = None
    """Items asked of a search, where another number than the preset's is wanted."""
    context_tokens: int | None = None
    """Only so many tokens at the end of what there is to remember are shown."""
    references: bool = True
    """Add the floor and ceiling rows that the card names."""
    reader: str | ModelChoice = "rules"
    judge: str | ModelChoice = "rules"
    memory_model: str | ModelChoice | None = None
    """For systems that call a model of their own."""
    embedder: str | ModelChoice = "bundled"
    user: str | ModelChoice | None = None
    """Who plays the simulated user, where a benchmark converses; the card's first if nobody is named."""
    talk: str | None = None
    """A run whose dialogues are replayed instead of new ones: `RUN`, or `RUN:ROW` where it has several rows."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """What happens in an episode beside what the preset says; `show` tells what a benchmark knows."""
    fresh: bool = False
    """Take no reply that another run paid for."""
    limit: int | None = None
    """Questions, spread evenly over the tasks."""
    repeats: int | Repeats = 1
    """A number repeats everything; by stage, also answers or verdicts alone."""

    @property
    def repeated(self) -> Repeats:
        """The repeats of each stage."""
        return self.repeats if isinstance(self.repeats, Repeats) else Repeats(ingest=self.repeats)

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"`limit` starts at 1, got {self.limit}")
        for name in ("chunk_tokens", "search_limit", "context_tokens"):
            if (said := getattr(self, name)) is not None and said < 1:
                raise ValueError(f"`{name}` starts at 1, got {said}")
        if not isinstance(self.repeats, Repeats):
            Repeats(ingest=self.repeats)  # raises if it is no number of repeats
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"`seed` lies in 0 to 4294967295, got {self.seed}")


MODELS = frozenset({"reader", "judge", "memory_model", "embedder", "user"})
"""Settings that name a model."""
SYSTEMS = frozenset({"memories", "agents"})
"""Settings that list systems."""
LATER = frozenset(
    {
        *("memory_model", "embedder", "fresh", "chunk_tokens", "search_limit", "context_tokens"),
        *("user", "talk", "steps"),
    }
)
"""Settings that came after runs had been published: left at their default, they are not part of what a run is."""
Origins = Mapping[str, str]


def resolve(file: Path | None, flags: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config of *file* and *flags*, flags first, and where each value came from.

    Raises:
        ConfigError: With all problems at once.
    """
    said = _read_yaml(file) if file else {}
    given = {key: value for key, value in flags.items() if value is not None and value != ()}
    config = _config({**said, **given}, str(file) if file else "command line")
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


def settings_in(pairs: Iterable[str]) -> dict[str, str]:
    """`setting=value` pairs by name, as they are said."""
    parted = [pair.partition("=") for pair in pairs]
    for name, equals, value in parted:
        if not (name.strip() and equals and value.strip()):
            raise UsageError(f"`{name}{equals}{value}`: write setting=value.")
    return {name.strip(): value.strip() for name, _, value in parted}


def _chosen(said: Mapping[str, Any]) -> dict[str, Any]:
    """Models and systems that a file names as the command line would."""
    return {name: _as_choice(name, value) for name, value in said.items()}


def _as_choice(name: str, value: Any) -> Any:
    if name in MODELS and isinstance(value, str):
        return model_choice(value)
    if name in SYSTEMS and isinstance(value, list):
        return [choice(one) if isinstance(one, str) else one for one in value]
    return value


def model_choice(text: str) -> str | dict[str, Any]:
    """`rules`, or `openai:model=NAME,base_url=URL` as data for a `ModelChoice`."""
    return choice(text) if ":" in text else text


def as_data(config: RunConfig) -> dict[str, Any]:
    """The config with every value said, also the defaults; those of `LATER` only where they are none."""
    said = {item.name: _plain(getattr(config, item.name)) for item in fields(RunConfig)}
    plain = {item.name: _default(item) for item in fields(RunConfig) if item.name in LATER}
    return {name: value for name, value in said.items() if name not in plain or value != plain[name]}


def _default(item: Field[Any]) -> Any:
    return _plain(item.default if item.default_factory is MISSING else item.default_factory())


def from_data(data: Mapping[str, Any], where: str) -> RunConfig:
    """The config that a run folder holds."""
    return _config(data, where)


def against_itself(config: RunConfig, origins: Origins) -> tuple[RunConfig, Origins]:
    """The same config with every system run at least twice, which tells how far it lies from itself."""
    if config.repeated.ingest > 1:
        return config, origins
    return replace(config, repeats=replace(config.repeated, ingest=2)), {**origins, "repeats": "flag"}


def _config(data: Mapping[str, Any], where: str) -> RunConfig:
    repeats, problems = _repeats(data.get("repeats", 1))
    config, others = read(RunConfig, {**_chosen(data), "repeats": 1 if problems else repeats})
    if problems or others:
        raise ConfigError(where, plainly([*problems, *others]))
    return config


def _repeats(said: Any) -> tuple[Any, tuple[str, ...]]:
    """`3`, `ingest=2,answer=3` or the same by name, and all problems with it."""
    if isinstance(said, str) and said.strip().isdecimal():
        return int(said), ()
    if isinstance(said, str):
        pairs = [pair.partition("=") for pair in said.split(",")]
        if not all(equals for _, equals, _ in pairs):
            return 1, (f"`repeats` is {said!r}; write a number, or {STAGES_FORMAT}",)
        said = {name.strip(): times.strip() for name, _, times in pairs}
    if not isinstance(said, Mapping):
        return said, ()
    repeats, problems = read(Repeats, said)
    return repeats, tuple(problem.replace("unknown key `", "unknown stage `repeats.") for problem in problems)


def _plain(value: Any) -> Any:
    if isinstance(value, Repeats):
        return value.said
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

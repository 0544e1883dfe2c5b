"""The config of a run: one YAML, overridden by flags; unknown keys are errors; each value keeps its origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from recollect import registry
from recollect.contracts.benchmark import Benchmark
from recollect.domain.errors import ConfigError, UnknownNameError, UsageError
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
    """Name of its row; built from name and settings if empty."""

    def row_of(self, name: str) -> str:
        """The label of its row."""
        settings = ",".join(f"{key}={value}" for key, value in sorted(self.settings.items()))
        return self.label or (f"{name}({settings})" if settings else name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model for a role: how it is reached, and its settings."""

    name: str
    """The back end, such as `openai`."""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Everything that can change a result of a run."""

    benchmark: str
    data: str | None = None
    """A file or folder; data are generated without it."""
    size: str = "small"
    seed: int = 0
    tasks: tuple[str, ...] = ()
    """Empty: all."""
    memories: tuple[SystemChoice, ...] = ()
    agents: tuple[SystemChoice, ...] = ()
    arms: tuple[Arm, ...] = (Arm.SYSTEM, Arm.ORACLE, Arm.READBACK)
    preset: str = "standard"
    chunk_tokens: int | None = None
    """Tokens of a chunk; `None` for the preset's."""
    search_limit: int | None = None
    """Items requested of a search; `None` for the preset's."""
    context_tokens: int | None = None
    """Show only the last N tokens of a history."""
    references: bool = True
    """Add the floor and ceiling rows that the card names."""
    reader: str | ModelChoice = "rules"
    judge: str | ModelChoice = "rules"
    memory_model: str | ModelChoice | None = None
    """For systems that call a model themselves."""
    embedder: str | ModelChoice = "bundled"
    user: str | ModelChoice | None = None
    """The simulated user of benchmarks that converse; the card's first by default."""
    talk: str | None = None
    """A run whose dialogues are replayed: `RUN`, or `RUN:ROW` if it has several rows."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """Settings of an episode beyond the preset; `recollect show` lists those of a benchmark."""
    fresh: bool = False
    """Ignore replies cached by other runs."""
    limit: int | None = None
    """Questions, spread evenly over the tasks."""
    repeats: int | Repeats = 1
    """A number repeats everything; by stage, answers or verdicts can be repeated alone."""

    @property
    def repeated(self) -> Repeats:
        """The repeats of each stage."""
        return self.repeats if isinstance(self.repeats, Repeats) else Repeats(ingest=self.repeats)

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"`limit` starts at 1, got {self.limit}")
        for name in ("chunk_tokens", "search_limit", "context_tokens"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"`{name}` starts at 1, got {value}")
        if not isinstance(self.repeats, Repeats):
            Repeats(ingest=self.repeats)  # raises if it is out of range
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"`seed` must be 0 to 4294967295, got {self.seed}")


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
"""Settings added after runs had been published: at their default they are not part of a run's identity."""
Origins = Mapping[str, str]


def asked(values: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config that flags of the command line, or arguments of `recollect.run`, and their file ask for.

    Args:
        values: By the names of a config's settings; systems and models as text or as in a file. `config` is the file,
            `answers` are files scored as rows, `knobs` become part of the size, `aa` runs everything at least twice.

    Raises:
        ConfigError: If settings are wrong; lists all problems.
    """
    answers = [
        {"name": "answers", "settings": {"file": str(file)}, "label": Path(file).stem}
        for file in values.get("answers") or ()
    ]
    data, steps = values.get("data"), values.get("steps")
    given = {
        **{item.name: values.get(item.name) for item in fields(RunConfig)},
        "data": None if data is None else str(data),
        "memories": _as_choice("memories", [*(values.get("memories") or ())]) or None,
        "agents": [*_as_choice("agents", [*(values.get("agents") or ())]), *answers] or None,
        **{setting: _as_choice(setting, values.get(setting)) for setting in MODELS},
        "steps": steps if isinstance(steps, Mapping) else _settings_in(steps) if steps else None,
    }
    resolved, origins = resolve(values.get("config"), given)
    if knobs := values.get("knobs"):
        resolved, origins = with_knobs(resolved, origins, knobs)
    if values.get("aa") and resolved.repeated.ingest < 2:
        repeats = replace(resolved.repeated, ingest=2)
        return replace(resolved, repeats=repeats), {**origins, "repeats": "flag"}
    return resolved, origins


def resolve(file: Path | None, flags: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config of *file*, overridden by *flags*, and the origin of each value."""
    from_file = _read_yaml(file) if file else {}
    given = {key: value for key, value in flags.items() if value is not None and value != ()}
    config = from_data({**from_file, **given}, str(file) if file else "command line")
    names = [item.name for item in fields(RunConfig)]
    return config, {n: "flag" if n in given else "file" if n in from_file else "default" for n in names}


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


def _settings_in(pairs: Iterable[str]) -> dict[str, str]:
    """`setting=value` pairs as a dict of text."""
    parted = [pair.partition("=") for pair in pairs]
    for name, equals, value in parted:
        if not (name.strip() and equals and value.strip()):
            raise UsageError(f"`{name}{equals}{value}`: write setting=value.")
    return {name.strip(): value.strip() for name, _, value in parted}


def _as_choice(name: str, value: Any) -> Any:
    """Models and systems that are named as on the command line, as data."""
    if name in MODELS and isinstance(value, str):
        return model_choice(value)
    if name in SYSTEMS and isinstance(value, list):
        return [choice(one) if isinstance(one, str) else one for one in value]
    return value


def model_choice(text: str) -> str | dict[str, Any]:
    """`rules`, or `openai:model=NAME,base_url=URL` as data for a `ModelChoice`."""
    return choice(text) if ":" in text else text


def as_data(config: RunConfig) -> dict[str, Any]:
    """The config with every value, including defaults; those of `LATER` only if they differ from their default."""
    values = {item.name: _plain(getattr(config, item.name)) for item in fields(RunConfig)}
    defaults = {
        item.name: _plain(item.default if item.default_factory is MISSING else item.default_factory())
        for item in fields(RunConfig)
        if item.name in LATER
    }
    return {name: value for name, value in values.items() if name not in defaults or value != defaults[name]}


def from_data(data: Mapping[str, Any], where: str) -> RunConfig:
    """The config of a file, of flags or of a run folder."""
    repeats, problems = _repeats(data.get("repeats", 1))
    chosen = {name: _as_choice(name, value) for name, value in data.items()}
    config, others = read(RunConfig, {**chosen, "repeats": 1 if problems else repeats})
    if problems or others:
        raise ConfigError(where, plainly([*problems, *others]))
    return config


def _repeats(value: Any) -> tuple[Any, tuple[str, ...]]:
    """`3`, `ingest=2,answer=3` or the same as a mapping, and all problems with it."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value), ()
    if isinstance(value, str):
        pairs = [pair.partition("=") for pair in value.split(",")]
        if not all(equals for _, equals, _ in pairs):
            return 1, (f"`repeats` is {value!r}; write a number, or {STAGES_FORMAT}",)
        value = {name.strip(): times.strip() for name, _, times in pairs}
    if not isinstance(value, Mapping):
        return value, ()
    repeats, problems = read(Repeats, value)
    return repeats, tuple(problem.replace("unknown key `", "unknown stage `repeats.") for problem in problems)


def _plain(value: Any) -> Any:
    if isinstance(value, Repeats):
        return value.as_config
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | type(None)) else encode(value)


def _read_yaml(file: Path) -> Mapping[str, Any]:
    """A YAML file in which no key is repeated: the parser would silently take the last."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses repeated keys."""

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
        keys = [loader.construct_object(key) for key, _ in node.value if not key.tag.endswith(":merge")]
        repeated = sorted({str(key) for key in keys if keys.count(key) > 1})
        if repeated:
            raise yaml.YAMLError(f"`{repeated[0]}` is repeated, in line {node.start_mark.line + 1}")
        return dict(loader.construct_mapping(node, deep=True))

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader)  # noqa: S506  # it is a SafeLoader
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file. `--config` takes a YAML file.") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(str(file), [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict):
        raise ConfigError(str(file), [f"holds {type(data).__name__}, not settings by name"])
    return data


KNOB_MARK = "+"
"""Precedes each knob after a size: `base+gap_days=21`."""


def sized(benchmark: Benchmark, size: str, knobs: Sequence[str]) -> str:
    """The size with its knobs, in the given order."""
    if knobs and not benchmark.knobs:
        raise UsageError(f"{benchmark.card.name}: its sizes have no knobs. Leave out --knob.")
    names = [one.partition("=")[0] for one in size.split(KNOB_MARK)[1:]]
    for knob in knobs:
        name, equals, value = (part.strip() for part in knob.partition("="))
        if not equals or not value or KNOB_MARK in value:
            raise UsageError(f"--knob {knob}: write name=value.")
        if name not in benchmark.knobs:
            raise UnknownNameError("knob", name, benchmark.knobs)
        if name in names:
            raise UsageError(f"--knob {knob}: `{name}` is repeated. Give it once.")
        names.append(name)
        size = f"{size}{KNOB_MARK}{name}={value}"
    return size


def with_knobs(config: RunConfig, origins: Origins, knobs: Sequence[str]) -> tuple[RunConfig, Origins]:
    """The same config with the knobs added to its size."""
    if config.data is not None:
        raise UsageError("--knob: knobs are for generated data. Leave out --data or --knob.")
    size = sized(registry.benchmark(config.benchmark), config.size, knobs)
    return replace(config, size=size), {**origins, "size": "flag"}


_PLAINER = (
    (r"^(`[^`]+`): Field required, got .*$", r"\1 is missing"),
    (r"Input should be a valid (?:tuple|list)", "must be a list"),
    (r"Input should be a (?:valid )?(?:dictionary|mapping)(?: or an instance of \w+)?", "must be values by name"),
    (r"Input should be a valid string", "must be text"),
    (r"Input should be a valid integer(?:, .*?)?(?=, got)", "must be a whole number"),
    (r"Input should be a valid number(?:, .*?)?(?=, got)", "must be a number"),
    (r"Input should be a valid boolean(?:, .*?)?(?=, got)", "must be true or false"),
    (r"Input should be ", "must be "),
)


def plainly(problems: Iterable[str]) -> list[str]:
    """Problems of settings without the terms of the library that finds them."""
    plain = list(problems)
    for pattern, words in _PLAINER:
        plain = [re.sub(pattern, words, problem) for problem in plain]
    return plain

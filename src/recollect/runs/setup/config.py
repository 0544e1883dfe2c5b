"""The config of a run: one YAML, flags override, unknown keys are errors, each value keeps where it came from."""

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
AS_SAID = (
    *("benchmark", "size", "seed", "preset", "chunk_tokens", "search_limit", "context_tokens"),
    *("fresh", "limit", "repeats", "references", "talk"),
)
"""Settings that stand in a config as they are said."""
Origins = Mapping[str, str]


def asked(said: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config that flags of the command line, or arguments of `recollect.run`, and their file ask for.

    Args:
        said: By the names of a config's settings; systems and models as text or as in a file. `config` is the file,
            `answers` are files scored as rows, `knobs` become part of the size, `aa` runs everything twice at least.

    Raises:
        ConfigError: With all problems at once.
    """
    agents = [*map(_system, said.get("agents") or ()), *map(_given_answers, said.get("answers") or ())]
    flags = {
        **{setting: said.get(setting) for setting in AS_SAID},
        "data": None if said.get("data") is None else str(said["data"]),
        "tasks": said.get("tasks"),
        "arms": said.get("arms"),
        "memories": [*map(_system, said.get("memories") or ())] or None,
        "agents": agents or None,
        **{setting: _model(said.get(setting)) for setting in MODELS},
        "steps": _steps(said.get("steps")),
    }
    resolved, origins = with_knobs(*resolve(said.get("config"), flags), said.get("knobs") or ())
    return against_itself(resolved, origins) if said.get("aa") else (resolved, origins)


def _system(said: Any) -> Any:
    return choice(said) if isinstance(said, str) else said


def _given_answers(file: Any) -> Mapping[str, Any]:
    return {"name": "answers", "settings": {"file": str(file)}, "label": Path(file).stem}


def _model(said: Any) -> Any:
    return model_choice(said) if isinstance(said, str) else said


def _steps(said: Any) -> Any:
    return said if isinstance(said, Mapping) else settings_in(said) if said else None


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
    plain = {
        item.name: _plain(item.default if item.default_factory is MISSING else item.default_factory())
        for item in fields(RunConfig)
        if item.name in LATER
    }
    return {name: value for name, value in said.items() if name not in plain or value != plain[name]}


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


KNOB_MARK = "+"
"""Stands before each knob behind a size: `base+gap_days=21`."""


def sized(benchmark: Benchmark, size: str, knobs: Sequence[str]) -> str:
    """The size with its knobs, in the order in which they are said.

    Raises:
        UnknownNameError: The benchmark has no such knob.
        UsageError: It has none at all, one is said twice, or one has no value.
    """
    if knobs and not benchmark.knobs:
        raise UsageError(f"{benchmark.card.name}: nothing can be set beside its sizes. Leave out --knob.")
    names = [one.partition("=")[0] for one in size.split(KNOB_MARK)[1:]]
    for knob in knobs:
        name, equals, value = (part.strip() for part in knob.partition("="))
        if not equals or not value or KNOB_MARK in value:
            raise UsageError(f"--knob {knob}: write name=value.")
        if name not in benchmark.knobs:
            raise UnknownNameError("knob", name, benchmark.knobs)
        if name in names:
            raise UsageError(f"--knob {knob}: `{name}` is said twice. Say it once.")
        names.append(name)
        size = f"{size}{KNOB_MARK}{name}={value}"
    return size


def with_knobs(config: RunConfig, origins: Origins, knobs: Sequence[str]) -> tuple[RunConfig, Origins]:
    """The same config, its size with the knobs.

    Raises:
        UnknownNameError: The benchmark has no such knob.
        UsageError: A knob is said wrongly, or nothing is generated.
    """
    if not knobs:
        return config, origins
    if config.data is not None:
        raise UsageError("--knob: data are read, so nothing is generated. Leave out --data or --knob.")
    size = sized(registry.benchmark(config.benchmark), config.size, knobs)
    return replace(config, size=size), {**origins, "size": "flag"}


_SAID = (
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
    """Problems of settings in words that need no knowledge of the library that finds them."""
    return [_reworded(problem) for problem in problems]


def _reworded(problem: str) -> str:
    for pattern, words in _SAID:
        problem = re.sub(pattern, words, problem)
    return problem

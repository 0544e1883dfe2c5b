"""A memory from a YAML file: what it is, how it is started, its settings and traits; docs/add_a_memory.md has each.

The worker is asked for its hello when the file is read, so that what cannot work is said before a run begins.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, make_dataclass
from functools import partial
from keyword import iskeyword
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import Environment, MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.errors import CallError, ConfigError, UsageError
from recollect.memories.connectors.mcp_memory import McpMemory, Tools, mcp_traits
from recollect.memories.connectors.mcp_server import McpServer
from recollect.memories.worker.adapter import AdapterSystem
from recollect.memories.worker.installations import stand_in_of, versions_of
from recollect.memories.worker.links import HttpLink, Link, PipeLink
from recollect.memories.worker.memory import Hello, Patience, hello, open_worker
from recollect.memories.worker.process import ProcessEnvironment
from recollect.records.codec import read
from recollect.records.digests import digest

Need = Literal["gateway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Connector:
    """What every kind of door says."""

    name: str = ""
    """Of its row; that of the file if empty."""
    summary: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Handed to `open`, with their defaults; the command line overrides them."""
    traits: Mapping[str, Any] = field(default_factory=dict)
    """These go before what the worker says of itself."""
    needs: tuple[Need, ...] = ()
    files: tuple[str, ...] = ()
    """More files that make it what it is: their content is part of every key."""
    timeout_s: float = 300.0
    open_timeout_s: float = 300.0

    @property
    def patience(self) -> Patience:
        """How long requests may take."""
        return Patience(open_s=self.open_timeout_s, request_s=self.timeout_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Process(_Connector):
    env: tuple[str, ...] = ()
    set_env: Mapping[str, str] = field(default_factory=dict)
    memory_mb: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerConnector(_Process):
    """Any program that speaks the worker protocol."""

    command: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonConnector(_Process):
    """An adapter in Python, in an environment of its own if it names requirements."""

    adapter: str
    requirements: str = ""
    python: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpConnector(_Connector):
    """A server that speaks the worker protocol."""

    url: str
    headers_from_env: Mapping[str, str] = field(default_factory=dict)
    """Header -> name of the variable that holds its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpConnector(_Process):
    """An MCP server over standard input and output."""

    command: tuple[str, ...]
    tools: Tools


Connector = WorkerConnector | PythonConnector | HttpConnector | McpConnector
KINDS: Mapping[str, type[Any]] = {
    "worker": WorkerConnector,
    "python": PythonConnector,
    "http": HttpConnector,
    "mcp": McpConnector,
}
Opener = Callable[[Traits, Mapping[str, Any], Room], Memory]


def kind_of(path: Path) -> MemoryKind:
    """The memory that a file describes.

    Raises:
        UsageError: The file is not what it should be, or its worker cannot be met; all problems of the file at once.
    """
    door = connector_of(path)
    settings = settings_class(door.settings, path)
    met = _met(door, path)
    traits = _traits(door, met, path)
    opener = _opener(door, path, met)
    environment = environment_of(path)
    installed = {} if environment is None else versions_of(environment)
    inputs = {**installed, **met.versions, "traits": _worded(traits), "source": source_of(path, _named_files(door))}
    return MemoryKind(
        name=door.name or path.stem,
        version=1,
        summary=door.summary or f"what {path.name} describes",
        config=settings,
        traits=lambda _: traits,
        open=lambda said, room: opener(traits, asdict(said), room),
        needs=door.needs,
        inputs=lambda _: inputs,
        environment=environment,
        stands_in=lambda _: met.stands_in or ("" if environment is None else stand_in_of(environment)),
    )


def connector_of(path: Path) -> Connector:
    """What the file says.

    Raises:
        ConfigError: With all problems at once.
    """
    data = data_of(path)
    kind = data.pop("kind", None)
    if kind not in KINDS:
        raise ConfigError(str(path), [f"`kind` is {kind!r:.40}; it may be {', '.join(KINDS)}"])
    door, problems = read(KINDS[kind], data)
    if problems:
        raise ConfigError(str(path), problems)
    found: Connector = door
    missing = [name for name in _named_files(found, sure=True) if not (path.parent / name).is_file()]
    if missing:
        raise ConfigError(str(path), [f"`{name}`: there is no such file beside it" for name in missing])
    return found


def environment_of(path: Path) -> Environment | None:
    """What must be installed for it, if anything."""
    door = connector_of(path)
    if not isinstance(door, PythonConnector) or not door.requirements:
        return None
    return Environment(name=str(path), requirements=path.parent / door.requirements)


def _named_files(door: Connector, *, sure: bool = False) -> list[str]:
    """Files beside the YAML that it names; of a command it is not *sure* which words are files."""
    named = list(door.files)
    if isinstance(door, PythonConnector):
        named += [door.adapter, *filter(None, [door.requirements])]
    if isinstance(door, WorkerConnector | McpConnector) and not sure:
        named += door.command
    return named


def _command(words: Sequence[str], path: Path) -> tuple[str, ...]:
    """A command whose relative files are those beside the YAML: it is started in another folder."""
    beside = [path.parent / word for word in words]
    return tuple(str(one.resolve()) if one.is_file() else word for word, one in zip(words, beside, strict=True))


def _who(door: Connector, path: Path) -> str:
    return f"memory `{door.name or path.stem}`"


def _surroundings(door: WorkerConnector | McpConnector, path: Path) -> ProcessEnvironment:
    command = _command(door.command, path)
    return ProcessEnvironment(command=command, env=door.env, set_env=door.set_env, memory_mb=door.memory_mb)


def _adapted(door: PythonConnector, path: Path) -> AdapterSystem:
    return AdapterSystem(
        who=_who(door, path),
        adapter=(path.parent / door.adapter).resolve(),
        environment=environment_of(path),
        python=door.python or sys.executable,
        env=door.env,
        set_env=door.set_env,
        memory_mb=door.memory_mb,
        patience=door.patience,
    )


def _link(door: WorkerConnector | PythonConnector | HttpConnector, path: Path, room: Room) -> Link:
    if isinstance(door, HttpConnector):
        return HttpLink(door.url, _who(door, path), _headers(door, path))
    around = _adapted(door, path).surroundings() if isinstance(door, PythonConnector) else _surroundings(door, path)
    return PipeLink(around.start_in(room), _who(door, path))


def _headers(door: HttpConnector, path: Path) -> dict[str, str]:
    missing = sorted({name for name in door.headers_from_env.values() if name not in os.environ})
    if missing:
        raise ConfigError(str(path), [f"`headers_from_env` names {name}, which is not set" for name in missing])
    return {header: os.environ[name] for header, name in door.headers_from_env.items()}


def _opener(door: Connector, path: Path, met: Hello) -> Opener:
    if isinstance(door, McpConnector):
        return lambda _, config, room: McpMemory.opened(_mcp(door, path, room), door.tools, config, room)
    return lambda traits, config, room: open_worker(
        _link(door, path, room), traits, door.patience, config, room, stands_in=met.stands_in
    )


def _mcp(door: McpConnector, path: Path, room: Room) -> McpServer:
    return McpServer(_surroundings(door, path).start_in(room), _who(door, path), door.patience)


def _met(door: Connector, path: Path) -> Hello:
    """What it says of itself, in a room that is thrown away.

    Raises:
        UsageError: It does not speak, or not the protocol.
    """
    with TemporaryDirectory() as folder:
        room = Room(folder=Path(folder), namespace="hello", seed=0)
        try:
            if isinstance(door, McpConnector):
                return _met_mcp(_mcp(door, path, room), door)
            link = _link(door, path, room)
            try:
                return hello(link, door.patience, _who(door, path))
            finally:
                link.end()
        except CallError as error:
            raise UsageError(f"{path}: {error}") from None


def _met_mcp(server: McpServer, door: McpConnector) -> Hello:
    try:
        door.tools.check(server)
        return Hello(adapter=server.name, versions={server.name: server.version}, can=door.tools.can, traits={})
    finally:
        server.end()


def _worded(traits: Traits) -> str:
    return json.dumps({**asdict(traits), "can": sorted(traits.can)}, sort_keys=True)


def _traits(door: Connector, met: Hello, path: Path) -> Traits:
    told = mcp_traits(door.tools) if isinstance(door, McpConnector) else met.traits
    said = {"can": sorted(met.can), **told, **door.traits}
    traits, problems = read(Traits, said)
    if problems:
        raise ConfigError(f"{path}: traits", problems)
    lacking = sorted({capability.value for capability in traits.can} - met.can)
    if lacking:
        raise ConfigError(f"{path}: traits", [f"`can` says {', '.join(lacking)}, which the worker cannot do"])
    return traits


_PLAIN = (bool, int, float, str)


def data_of(path: Path) -> dict[str, Any]:
    """The fields of the file.

    Raises:
        UsageError: There is no such file.
        ConfigError: It is no YAML with fields by name.
    """
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file. `--memory` takes a name, or a file of yours.") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(str(path), [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict):
        raise ConfigError(str(path), [f"holds {type(data).__name__}, not fields by name"])
    return {str(name): value for name, value in data.items()}


def settings_class(settings: Mapping[str, Any], path: Path) -> type[Any]:
    """A config class whose fields are *settings*, each of the type of its default."""
    odd = [name for name in settings if not str(name).isidentifier() or iskeyword(str(name))]
    if odd:
        raise ConfigError(str(path), [f"`settings.{name}` is no name of a setting" for name in odd])
    fields = [(name, _type(value), field(default_factory=partial(deepcopy, value))) for name, value in settings.items()]
    return make_dataclass("Settings", fields, frozen=True, kw_only=True)


def _type(value: Any) -> Any:
    return type(value) if type(value) in _PLAIN else Any


def source_of(path: Path, named: Sequence[str]) -> str:
    """The digest of the file and of those files beside it that are *named*."""
    files = [path, *(path.parent / name for name in sorted(set(named)))]
    return digest([[file.name, digest(file.read_bytes().hex())] for file in files if file.is_file()])

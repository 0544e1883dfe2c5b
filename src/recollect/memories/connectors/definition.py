"""A memory from a YAML file: its connector, settings and traits; docs/add_a_memory.md has each.

The worker is asked for its hello when the file is read, so that errors show before a run begins.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
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
from recollect.memories.worker.process import ProcessEnvironment, Start
from recollect.records.codec import read
from recollect.records.digests import digest

Need = Literal["gateway"]
_PLAIN = (bool, int, float, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Connector:
    """Fields of every kind."""

    name: str = ""
    """Of its row; that of the file if empty."""
    summary: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Passed to `open`, with their defaults; the command line overrides them."""
    traits: Mapping[str, Any] = field(default_factory=dict)
    """Override those of the worker's hello."""
    needs: tuple[Need, ...] = ()
    files: tuple[str, ...] = ()
    """More files whose content is part of every key."""
    timeout_s: float = 300.0
    open_timeout_s: float = 300.0

    @property
    def patience(self) -> Patience:
        return Patience(open_s=self.open_timeout_s, request_s=self.timeout_s)

    def who(self, path: Path) -> str:
        return f"memory `{self.name or path.stem}`"


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


def kind_of(path: Path) -> MemoryKind:
    """The memory that a file describes.

    Raises:
        UsageError: The file is invalid, or its worker does not answer; all problems of the file at once.
    """
    connector = connector_of(path)
    config = settings_class(connector.settings, path)
    met = _hello(connector, path)
    traits = _traits(connector, met, path)
    environment = environment_of(path)
    inputs = {
        **({} if environment is None else versions_of(environment)),
        **met.versions,
        "traits": json.dumps({**asdict(traits), "can": sorted(traits.can)}, sort_keys=True),
        "source": source_of(path, _named_files(connector)),
    }

    def open_memory(settings: Any, room: Room) -> Memory:
        if isinstance(connector, McpConnector):
            return McpMemory(_mcp_server(connector, path, room), connector.tools, asdict(settings), room)
        link = _link(connector, path, room)
        return open_worker(link, traits, connector.patience, asdict(settings), room, stands_in=met.stands_in)

    return MemoryKind(
        name=connector.name or path.stem,
        version=1,
        summary=connector.summary or f"what {path.name} describes",
        config=config,
        traits=lambda _: traits,
        open=open_memory,
        needs=connector.needs,
        inputs=lambda _: inputs,
        environment=environment,
        stands_in=lambda _: met.stands_in or ("" if environment is None else stand_in_of(environment)),
    )


def connector_of(path: Path) -> Connector:
    """The connector in a file."""
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file. `--memory` takes a name, or a file of yours.") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(str(path), [f"cannot be read as YAML ({error})"]) from None
    if not isinstance(data, dict):
        raise ConfigError(str(path), [f"holds {type(data).__name__}, not fields by name"])
    fields = {str(name): value for name, value in data.items()}
    kind = fields.pop("kind", None)
    if kind not in KINDS:
        raise ConfigError(str(path), [f"`kind` is {kind!r:.40}; it may be {', '.join(KINDS)}"])
    found, problems = read(KINDS[kind], fields)
    if problems:
        raise ConfigError(str(path), problems)
    connector: Connector = found
    missing = [name for name in _named_files(connector, sure=True) if not (path.parent / name).is_file()]
    if missing:
        raise ConfigError(str(path), [f"`{name}`: there is no such file beside it" for name in missing])
    return connector


def environment_of(path: Path) -> Environment | None:
    """What must be installed for it, if anything."""
    connector = connector_of(path)
    if not isinstance(connector, PythonConnector) or not connector.requirements:
        return None
    return Environment(name=str(path), requirements=path.parent / connector.requirements)


def settings_class(settings: Mapping[str, Any], path: Path) -> type[Any]:
    """A config class whose fields are *settings*, each of the type of its default."""
    odd = [name for name in settings if not str(name).isidentifier() or iskeyword(str(name))]
    if odd:
        raise ConfigError(str(path), [f"`settings.{name}` is no name of a setting" for name in odd])
    fields = [
        (name, (type(value) if type(value) in _PLAIN else Any), field(default_factory=partial(deepcopy, value)))
        for name, value in settings.items()
    ]
    return make_dataclass("Settings", fields, frozen=True, kw_only=True)


def source_of(path: Path, named: Sequence[str]) -> str:
    """The digest of the file and of the files beside it that are *named*."""
    files = [path, *(path.parent / name for name in sorted(set(named)))]
    return digest([[file.name, digest(file.read_bytes().hex())] for file in files if file.is_file()])


def _named_files(connector: Connector, *, sure: bool = False) -> list[str]:
    """Files beside the YAML that it names; of a command it is not *sure* which words are files."""
    named = list(connector.files)
    if isinstance(connector, PythonConnector):
        named += [connector.adapter, *filter(None, [connector.requirements])]
    if isinstance(connector, WorkerConnector | McpConnector) and not sure:
        named += connector.command
    return named


def _start(connector: WorkerConnector | PythonConnector | McpConnector, path: Path, room: Room) -> Start:
    if isinstance(connector, PythonConnector):
        adapted = AdapterSystem(
            who=connector.who(path),
            adapter=(path.parent / connector.adapter).resolve(),
            environment=environment_of(path),
            python=connector.python or sys.executable,
            env=connector.env,
            set_env=connector.set_env,
            memory_mb=connector.memory_mb,
        )
        return adapted.surroundings().start_in(room)
    files = {word: path.parent / word for word in connector.command}
    command = [str(files[word].resolve()) if files[word].is_file() else word for word in connector.command]
    surroundings = ProcessEnvironment(
        command=command, env=connector.env, set_env=connector.set_env, memory_mb=connector.memory_mb
    )
    return surroundings.start_in(room)


def _link(connector: WorkerConnector | PythonConnector | HttpConnector, path: Path, room: Room) -> Link:
    if not isinstance(connector, HttpConnector):
        return PipeLink(_start(connector, path, room), connector.who(path))
    names = connector.headers_from_env
    missing = sorted({name for name in names.values() if name not in os.environ})
    if missing:
        raise ConfigError(str(path), [f"`headers_from_env` names {name}, which is not set" for name in missing])
    headers = {header: os.environ[name] for header, name in names.items()}
    return HttpLink(connector.url, connector.who(path), headers)


def _mcp_server(connector: McpConnector, path: Path, room: Room) -> McpServer:
    return McpServer(_start(connector, path, room), connector.who(path), connector.patience)


def _hello(connector: Connector, path: Path) -> Hello:
    """Its description of itself, in a temporary room."""
    with TemporaryDirectory() as folder:
        room = Room(folder=Path(folder), namespace="hello", seed=0)
        peer: McpServer | Link | None = None
        try:
            if isinstance(connector, McpConnector):
                tools = connector.tools
                peer = server = _mcp_server(connector, path, room)
                tools.check(server)
                return Hello(versions={server.name: server.version}, can=tools.can, traits={})
            peer = _link(connector, path, room)
            return hello(peer, connector.patience)
        except CallError as error:
            raise UsageError(f"{path}: {error}") from None
        finally:
            if peer is not None:
                peer.end()


def _traits(connector: Connector, met: Hello, path: Path) -> Traits:
    own = mcp_traits(connector.tools) if isinstance(connector, McpConnector) else met.traits
    traits, problems = read(Traits, {"can": sorted(met.can), **own, **connector.traits})
    if problems:
        raise ConfigError(f"{path}: traits", problems)
    lacking = sorted({capability.value for capability in traits.can} - met.can)
    if lacking:
        raise ConfigError(f"{path}: traits", [f"`can` says {', '.join(lacking)}, which the worker cannot do"])
    return traits

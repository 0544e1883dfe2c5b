"""A memory from a YAML file: what it is, how it is started, its settings and traits; docs/add_a_memory.md has each.

The worker is asked for its hello when the file is read, so that what cannot work is said before a run begins.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import Environment, MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.errors import CallError, ConfigError, UsageError
from recollect.memories.doors.door_settings import data_of, settings_class, source_of
from recollect.memories.doors.mcp_memory import McpMemory, Tools, mcp_traits
from recollect.memories.doors.mcp_server import McpServer
from recollect.memories.worker.adapted import Adapted
from recollect.memories.worker.installs import stand_in_of, versions_of
from recollect.memories.worker.links import HttpLink, Link, PipeLink
from recollect.memories.worker.memory import Hello, Patience, hello, open_worker
from recollect.memories.worker.surroundings import Surroundings
from recollect.records.codec import read

Need = Literal["gateway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Door:
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
class _Process(_Door):
    env: tuple[str, ...] = ()
    set_env: Mapping[str, str] = field(default_factory=dict)
    memory_mb: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerDoor(_Process):
    """Any program that speaks the worker protocol."""

    command: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonDoor(_Process):
    """An adapter in Python, in an environment of its own if it names requirements."""

    adapter: str
    requirements: str = ""
    python: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpDoor(_Door):
    """A server that speaks the worker protocol."""

    url: str
    headers_from_env: Mapping[str, str] = field(default_factory=dict)
    """Header -> name of the variable that holds its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpDoor(_Process):
    """An MCP server over standard input and output."""

    command: tuple[str, ...]
    tools: Tools


Door = WorkerDoor | PythonDoor | HttpDoor | McpDoor
KINDS: Mapping[str, type[Any]] = {"worker": WorkerDoor, "python": PythonDoor, "http": HttpDoor, "mcp": McpDoor}
Opener = Callable[[Traits, Mapping[str, Any], Room], Memory]


def kind_of(path: Path) -> MemoryKind:
    """The memory that a file describes.

    Raises:
        UsageError: The file is not what it should be, or its worker cannot be met; all problems of the file at once.
    """
    door = door_of(path)
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


def door_of(path: Path) -> Door:
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
    found: Door = door
    missing = [name for name in _named_files(found, sure=True) if not (path.parent / name).is_file()]
    if missing:
        raise ConfigError(str(path), [f"`{name}`: there is no such file beside it" for name in missing])
    return found


def environment_of(path: Path) -> Environment | None:
    """What must be installed for it, if anything."""
    door = door_of(path)
    if not isinstance(door, PythonDoor) or not door.requirements:
        return None
    return Environment(name=str(path), requirements=path.parent / door.requirements)


def _named_files(door: Door, *, sure: bool = False) -> list[str]:
    """Files beside the YAML that it names; of a command it is not *sure* which words are files."""
    named = list(door.files)
    if isinstance(door, PythonDoor):
        named += [door.adapter, *filter(None, [door.requirements])]
    if isinstance(door, WorkerDoor | McpDoor) and not sure:
        named += door.command
    return named


def _command(words: Sequence[str], path: Path) -> tuple[str, ...]:
    """A command whose relative files are those beside the YAML: it is started in another folder."""
    beside = [path.parent / word for word in words]
    return tuple(str(one.resolve()) if one.is_file() else word for word, one in zip(words, beside, strict=True))


def _who(door: Door, path: Path) -> str:
    return f"memory `{door.name or path.stem}`"


def _surroundings(door: WorkerDoor | McpDoor, path: Path) -> Surroundings:
    command = _command(door.command, path)
    return Surroundings(command=command, env=door.env, set_env=door.set_env, memory_mb=door.memory_mb)


def _adapted(door: PythonDoor, path: Path) -> Adapted:
    return Adapted(
        who=_who(door, path),
        adapter=(path.parent / door.adapter).resolve(),
        environment=environment_of(path),
        python=door.python or sys.executable,
        env=door.env,
        set_env=door.set_env,
        memory_mb=door.memory_mb,
        patience=door.patience,
    )


def _link(door: WorkerDoor | PythonDoor | HttpDoor, path: Path, room: Room) -> Link:
    if isinstance(door, HttpDoor):
        return HttpLink(door.url, _who(door, path), _headers(door, path))
    around = _adapted(door, path).surroundings() if isinstance(door, PythonDoor) else _surroundings(door, path)
    return PipeLink(around.start_in(room), _who(door, path))


def _headers(door: HttpDoor, path: Path) -> dict[str, str]:
    missing = sorted({name for name in door.headers_from_env.values() if name not in os.environ})
    if missing:
        raise ConfigError(str(path), [f"`headers_from_env` names {name}, which is not set" for name in missing])
    return {header: os.environ[name] for header, name in door.headers_from_env.items()}


def _opener(door: Door, path: Path, met: Hello) -> Opener:
    if isinstance(door, McpDoor):
        return lambda _, config, room: McpMemory.opened(_mcp(door, path, room), door.tools, config, room)
    return lambda traits, config, room: open_worker(
        _link(door, path, room), traits, door.patience, config, room, stands_in=met.stands_in
    )


def _mcp(door: McpDoor, path: Path, room: Room) -> McpServer:
    return McpServer(_surroundings(door, path).start_in(room), _who(door, path), door.patience)


def _met(door: Door, path: Path) -> Hello:
    """What it says of itself, in a room that is thrown away.

    Raises:
        UsageError: It does not speak, or not the protocol.
    """
    with TemporaryDirectory() as folder:
        room = Room(folder=Path(folder), namespace="hello", seed=0)
        try:
            if isinstance(door, McpDoor):
                return _met_mcp(_mcp(door, path, room), door)
            link = _link(door, path, room)
            try:
                return hello(link, door.patience, _who(door, path))
            finally:
                link.end()
        except CallError as error:
            raise UsageError(f"{path}: {error}") from None


def _met_mcp(server: McpServer, door: McpDoor) -> Hello:
    try:
        door.tools.check(server)
        return Hello(adapter=server.name, versions={server.name: server.version}, can=door.tools.can, traits={})
    finally:
        server.end()


def _worded(traits: Traits) -> str:
    return json.dumps({**asdict(traits), "can": sorted(traits.can)}, sort_keys=True)


def _traits(door: Door, met: Hello, path: Path) -> Traits:
    told = mcp_traits(door.tools) if isinstance(door, McpDoor) else met.traits
    said = {"can": sorted(met.can), **told, **door.traits}
    traits, problems = read(Traits, said)
    if problems:
        raise ConfigError(f"{path}: traits", problems)
    lacking = sorted({capability.value for capability in traits.can} - met.can)
    if lacking:
        raise ConfigError(f"{path}: traits", [f"`can` says {', '.join(lacking)}, which the worker cannot do"])
    return traits

"""In a process of its own: open the system, tell it the story, look, close; models are asked for over the pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from recollect.contracts.call_context import CallContext
from recollect.contracts.memory import Access, Room
from recollect.contracts.models import ChatReply, ChatRequest, Turn
from recollect.contracts.traits import Capability
from recollect.domain.errors import CallError
from recollect.domain.version import VERSION
from recollect.engine.doctor.bench import ProcessReport, Subject
from recollect.engine.doctor.process import worker_monitor
from recollect.engine.doctor.process.guard import Guard
from recollect.engine.doctor.story import ALL, STORY, sessions_of
from recollect.engine.faults import Failure, attempt, close_safely
from recollect.engine.rows import Row
from recollect.engine.systems.call_context import CurrentCall, run_in_context
from recollect.engine.systems.driver import Driver
from recollect.records.codec import decode, encode
from recollect.records.digests import canonical, digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROOM, SAVED, STDERR, REPORTS = "room", "saved", "stderr.txt", "reports"
_HOOKS = frozenset({"_distutils_hack"})
"""Modules that every Python loads which has their package."""
FOLDERS = ("home", "cwd", "temp")
"""Below the folder of an errand: empty before, and to be empty afterwards."""


class Pipe:
    """The way to the process that sent this one: a JSON line there, a JSON line back."""

    def __init__(self) -> None:
        """Take standard output for the pipe; whatever is printed goes to standard error from now on."""
        self._out: BinaryIO = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._lock = Lock()

    def read(self) -> dict[str, Any]:
        """The next line that came."""
        line = sys.stdin.buffer.readline()
        if not line:
            raise CallError("the doctor went away", cause="worker_died")
        said: dict[str, Any] = json.loads(line)
        return said

    def say(self, said: Mapping[str, Any]) -> None:
        """One line there."""
        self._out.write(canonical(said).encode() + b"\n")
        self._out.flush()

    def ask(self, what: str, **said: Any) -> Any:
        """One line there, its answer back."""
        with self._lock:
            self.say({"ask": what, **said})
            answer = self.read()
        if "error" in answer:
            raise CallError(str(answer["error"]), cause=str(answer.get("cause", "")))
        return answer["reply"]


@dataclass(frozen=True, slots=True)
class RemoteChat:
    """The chat model of the process that sent this one."""

    pipe: Pipe
    fingerprint: str

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        request = ChatRequest(turns=tuple(turns), max_tokens=max_tokens, schema=schema)
        return str(self.pipe.ask("complete", request=encode(request)))


@dataclass(frozen=True, slots=True)
class RemoteTools(RemoteChat):
    """One that takes tools."""

    def chat(self, request: ChatRequest) -> ChatReply:
        return decode(ChatReply, self.pipe.ask("chat", request=encode(request)), where="the doctor")


@dataclass(frozen=True, slots=True)
class RemoteEmbedder:
    """The embedder of the process that sent this one."""

    pipe: Pipe
    fingerprint: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        made = self.pipe.ask("embed", texts=list(texts))
        return np.asarray(made, np.float32).reshape(len(texts), self.dimensions)


def models_of(pipe: Pipe, job: Mapping[str, Any]) -> tuple[RemoteChat | None, RemoteEmbedder | None]:
    """The models that the sender has."""
    chat, embedder = job.get("chat"), job.get("embedder")
    kind = RemoteTools if chat and chat["tools"] else RemoteChat
    return (
        kind(pipe, chat["fingerprint"]) if chat else None,
        RemoteEmbedder(pipe, embedder["fingerprint"], embedder["dimensions"]) if embedder else None,
    )


def do(row_of: Callable[[], Row], room: Room, guard: Guard, folder: Path) -> ProcessReport:
    """What can be seen of the system; its errors are part of that."""
    told = attempt(lambda: _visit(row_of(), room, folder))
    heard = heard_of(guard, folder / REPORTS)
    left = {*_strays(folder), *(path for path in heard["written"] if Path(path).exists())}
    return ProcessReport(
        picture="" if isinstance(told, Failure) else told,
        error=f"{told.error}: {' '.join(told.message.split())[:300]}" if isinstance(told, Failure) else "",
        reached=tuple(heard["reached"]),
        servers=tuple(dict.fromkeys(heard["servers"])),
        programs=tuple(dict.fromkeys(heard["programs"])),
        left=tuple(sorted(left)),
        packages=loaded_packages(),
    )


def heard_of(guard: Guard, reports: Path) -> dict[str, list[str]]:
    """What this process did outside, and its workers; programs are those that nobody watched."""
    heard = {name: list(getattr(guard, name)) for name in ("reached", "servers", "programs", "written")}
    lines = [json.loads(line) for file in sorted(reports.iterdir()) for line in file.read_text().splitlines()]
    if sum(what == "watched" for what, _ in lines) >= len(heard["programs"]):
        heard["programs"] = []
    for what, name in lines:
        if what in heard:
            heard[what].append(name)
    return heard


def watch_workers(folder: Path, job: Mapping[str, Any], guard: Guard) -> None:
    """Have the workers that this process will start watched as well."""
    (folder / REPORTS).mkdir()
    os.environ[worker_monitor.VARIABLE] = json.dumps(
        {
            "file": worker_monitor.__file__,
            "ahead_s": job["ahead_s"],
            "own": str(folder),
            "home_servers": sorted(guard.home_servers),
            "reports": str(folder / REPORTS),
        }
    )


def guard_of(folder: Path, job: Mapping[str, Any]) -> Guard:
    """Who watches; the server of the sender is no server of the system."""
    access = job.get("access")
    return Guard(own=folder, home_servers=frozenset([urlsplit(access["base_url"]).netloc] if access else []))


def room_of(folder: Path, job: Mapping[str, Any], chat: RemoteChat | None, embedder: RemoteEmbedder | None) -> Room:
    """The room of the errand."""
    access = job.get("access")
    return Room(
        folder=folder / ROOM,
        namespace=job["namespace"],
        seed=0,
        model=chat,
        embedder=embedder,
        access=Access(**access) if access else None,
    )


def _visit(row: Row, room: Room, folder: Path) -> str:
    desk = CurrentCall()
    driver = run_in_context(CallContext(stage="open"), lambda: Driver(row, room, desk), desk)
    try:
        subject = Subject(driver)
        subject.tell(*sessions_of(STORY))
        picture = subject.picture([one.asks for one in ALL])
        if subject.can(Capability.SNAPSHOT):
            subject.save(folder / SAVED)
        return digest(picture)
    finally:
        close_safely(driver.close)


def _strays(folder: Path) -> list[str]:
    """What is beside the room, or in the folders that were empty; named as seen from there."""
    beside = [place for place in sorted(folder.iterdir()) if place.name not in (*FOLDERS, ROOM, SAVED, STDERR, REPORTS)]
    inside = [file for name in FOLDERS for file in sorted((folder / name).rglob("*")) if not file.is_dir()]
    return [f"{file.relative_to(folder)}" for file in (*beside, *inside)]


def loaded_packages() -> dict[str, str]:
    """The versions of the packages whose modules are loaded, and of Python."""
    from importlib.metadata import PackageNotFoundError, packages_distributions, version
    from platform import python_version

    owners = packages_distributions()
    modules = {module.partition(".")[0] for module in list(sys.modules)} - _HOOKS
    names = {owner for module in modules for owner in owners.get(module, ())}
    found = {"python": python_version(), "recollect": VERSION}
    for name in sorted(names):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found

"""Runs in a process of its own: opens the system, tells it the story, inspects it; models are called over a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
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
"""Modules that Python always loads if their package is installed."""
FOLDERS = ("home", "cwd", "temp")
"""Folders of a task that must stay empty."""


class Pipe:
    """The connection to the parent process: JSON lines over standard input and output."""

    def __init__(self) -> None:
        """Take standard output for the pipe; from now on prints go to standard error."""
        self._out: BinaryIO = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._lock = Lock()

    def read(self) -> dict[str, Any]:
        """Read a line."""
        line = sys.stdin.buffer.readline()
        if not line:
            raise CallError("the doctor went away", cause="worker_died")
        message: dict[str, Any] = json.loads(line)
        return message

    def say(self, message: Mapping[str, Any]) -> None:
        """Write a line."""
        self._out.write(canonical(message).encode() + b"\n")
        self._out.flush()

    def ask(self, what: str, **fields: Any) -> Any:
        """Write a request and read its reply."""
        with self._lock:
            self.say({"ask": what, **fields})
            answer = self.read()
        if "error" in answer:
            raise CallError(str(answer["error"]), cause=str(answer.get("cause", "")))
        return answer["reply"]


@dataclass(frozen=True, slots=True)
class RemoteChat:
    """The chat model of the parent process."""

    pipe: Pipe
    fingerprint: str

    def complete(
        self, turns: Sequence[Turn], *, max_tokens: int | None = None, schema: Mapping[str, Any] | None = None
    ) -> str:
        request = ChatRequest(turns=tuple(turns), max_tokens=max_tokens, schema=schema)
        return str(self.pipe.ask("complete", request=encode(request)))


@dataclass(frozen=True, slots=True)
class RemoteTools(RemoteChat):
    """One with tools."""

    def chat(self, request: ChatRequest) -> ChatReply:
        return decode(ChatReply, self.pipe.ask("chat", request=encode(request)), where="the doctor")


@dataclass(frozen=True, slots=True)
class RemoteEmbedder:
    """The embedder of the parent process."""

    pipe: Pipe
    fingerprint: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        made = self.pipe.ask("embed", texts=list(texts))
        return np.asarray(made, np.float32).reshape(len(texts), self.dimensions)


RowMaker = Callable[[dict[str, Any], RemoteChat | None, RemoteEmbedder | None], Row]
"""Makes the row of the system from its settings and models."""


def serve(pipe: Pipe, row_of: RowMaker, *, is_ahead: bool) -> None:
    """Do the task that comes over *pipe*, and answer with the report."""
    job = pipe.read()
    folder, chat, embedder = Path(job["folder"]), None, None
    if job.get("chat"):
        chat = (RemoteTools if job["chat"]["tools"] else RemoteChat)(pipe, job["chat"]["fingerprint"])
    if job.get("embedder"):
        embedder = RemoteEmbedder(pipe, job["embedder"]["fingerprint"], job["embedder"]["dimensions"])
    access = Access(**job["access"]) if job.get("access") else None
    room = Room(folder=folder / ROOM, namespace=job["namespace"], seed=0, model=chat, embedder=embedder, access=access)
    # the parent's own server is no server of the system
    servers = [urlsplit(access.base_url).netloc] if access else []
    (folder / REPORTS).mkdir()
    os.environ[worker_monitor.VARIABLE] = json.dumps(
        {
            "file": worker_monitor.__file__,
            "ahead_s": job["ahead_s"],
            "own": str(folder),
            "home_servers": servers,
            "reports": str(folder / REPORTS),
        }
    )
    guard = Guard(own=folder, home_servers=frozenset(servers))
    guard.begin()
    report = do(lambda: row_of(job["system"], chat, embedder), room, guard, folder)
    pipe.say({"seen": encode(replace(report, is_ahead=is_ahead))})


def do(row_of: Callable[[], Row], room: Room, guard: Guard, folder: Path) -> ProcessReport:
    """The report on the system; its errors are part of it."""

    def visit() -> str:
        row, current = row_of(), CurrentCall()
        driver = run_in_context(CallContext(stage="open"), lambda: Driver(row, room, current), current)
        try:
            subject = Subject(driver)
            subject.tell(*sessions_of(STORY))
            picture = subject.picture([one.asks for one in ALL])
            if subject.can(Capability.SNAPSHOT):
                subject.save(folder / SAVED)
            return digest(picture)
        finally:
            close_safely(driver.close)

    picture = attempt(visit)
    events = events_of(guard, folder / REPORTS)
    own = (*FOLDERS, ROOM, SAVED, STDERR, REPORTS)
    left = [path for path in sorted(folder.iterdir()) if path.name not in own]
    left += [file for name in FOLDERS for file in sorted((folder / name).rglob("*")) if not file.is_dir()]
    written = {path for path in events["written"] if Path(path).exists()}
    return ProcessReport(
        picture="" if isinstance(picture, Failure) else picture,
        error=f"{picture.error}: {' '.join(picture.message.split())[:300]}" if isinstance(picture, Failure) else "",
        reached=tuple(events["reached"]),
        servers=tuple(dict.fromkeys(events["servers"])),
        programs=tuple(dict.fromkeys(events["programs"])),
        left=tuple(sorted({*(f"{path.relative_to(folder)}" for path in left), *written})),
        packages=loaded_packages(),
    )


def events_of(guard: Guard, reports: Path) -> dict[str, list[str]]:
    """What this process and its workers did outside; programs are those that were not watched."""
    events = {name: list(getattr(guard, name)) for name in ("reached", "servers", "programs", "written")}
    lines = [json.loads(line) for file in sorted(reports.iterdir()) for line in file.read_text().splitlines()]
    if sum(what == "watched" for what, _ in lines) >= len(events["programs"]):
        events["programs"] = []
    for what, name in lines:
        if what in events:
            events[what].append(name)
    return events


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

"""A process that reads and writes lines, and the environment that it is started in."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from weakref import finalize

from recollect.contracts.memory import Access, Room
from recollect.domain.errors import CallError, MalformedError, RetryableError, UsageError

T = TypeVar("T")
MAX_LINE = 256 * 2**20
"""Bytes of one line."""
MAX_NOISE = 10_000
"""Lines that are no answer, in one request."""
LAST_WORDS = 4000
"""Bytes kept of what it said beside its answers."""
_CHUNK = 2**20
_LOOK_S = 1.0
"""How often a silent process is looked after: one that it started may hold its output open."""
_LEAVE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a process is started."""

    command: Sequence[str]
    folder: Path
    """Its working directory."""
    env: Mapping[str, str] = field(default_factory=dict)
    """All of its environment."""
    secrets: Sequence[str] = ()
    """Never shown in a message."""
    memory_mb: int | None = None
    """Limit of its address space, where the system has such a limit."""


class Pipe:
    """A running process in a session of its own."""

    def __init__(self, start: Start, what: str) -> None:
        self._what, self._secrets = what, tuple(secret for secret in start.secrets if len(secret) >= 6)
        self._process = _started(start, what)
        self._in, self._out = _fd(self._process.stdin), _fd(self._process.stdout)
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._buffer, self._searched = bytearray(), 0
        self._words = bytearray()
        self._drain = threading.Thread(target=self._listen, daemon=True, name=f"stderr of {what}")
        self._drain.start()
        self._gone = finalize(self, _kill_group, self._process)

    @property
    def pid(self) -> int:
        """Number of the process, which is also that of its group."""
        return self._process.pid

    def exchange(self, line: bytes, accept: Callable[[bytes], T | None], limit_s: float) -> T:
        """Send *line* and return what *accept* makes of the first line that it takes; it returns `None` for noise.

        Raises:
            CallError: The process died, is silent for too long, or says what is no answer. It is then killed.
        """
        try:
            return self._exchange(line, accept, time.monotonic() + limit_s, limit_s)
        except BaseException:  # its next answer would be that to another question
            self.kill()
            raise

    def tell(self, line: bytes, limit_s: float) -> None:
        """Send *line*, to which there is no answer."""
        self._send(memoryview(line), time.monotonic() + limit_s, limit_s)

    def kill(self) -> None:
        """End the process and all that it started in its session."""
        self._gone()
        self._process.wait()
        self._drain.join(_LOOK_S)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def leave(self) -> None:
        """Close its input, give it some time to end, then end it."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_S)
        self.kill()

    def words(self) -> str:
        """The end of what it said beside its answers, without secrets."""
        said = bytes(self._words[-LAST_WORDS:]).decode("utf-8", "replace").strip()
        for secret in self._secrets:
            said = said.replace(secret, "***")
        return said

    def hide(self, text: str) -> str:
        """*text* without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def _exchange(self, line: bytes, accept: Callable[[bytes], T | None], until: float, limit_s: float) -> T:
        self._send(memoryview(line), until, limit_s)
        for _ in range(MAX_NOISE):
            said = self._line(until, limit_s)
            answer = accept(said)
            if answer is not None:
                return answer
            self._note(said + b"\n")
        raise MalformedError(
            f"{self._what} said {MAX_NOISE} lines and no answer{self._told()}", cause="worker_protocol"
        )

    def _send(self, rest: memoryview, until: float, limit_s: float) -> None:
        try:
            while rest:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    self._wait(until, limit_s, sending=True)
                    self._read()  # who is talking while it is spoken to must be heard, or both wait for ever
        except (BrokenPipeError, OSError, ValueError):
            raise self._died() from None

    def _line(self, until: float, limit_s: float) -> bytes:
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._buffer)
            if self._searched > MAX_LINE:
                raise MalformedError(f"{self._what} said a line of over {MAX_LINE} bytes", cause="worker_protocol")
            self._wait(until, limit_s)
            if not self._read():
                raise self._died()

    def _read(self) -> bool:
        """Take what there is; whether more may come."""
        try:
            got = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return True
        self._buffer += got
        return bool(got)

    def _wait(self, until: float, limit_s: float, *, sending: bool = False) -> None:
        """Until it says something, or, while sending, takes more."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if sending:
            poll.register(self._in, select.POLLOUT)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise RetryableError(
                    f"{self._what} was silent for {limit_s:g} s and was ended. Raise `timeout_s`{self._told()}",
                    cause="worker_timeout",
                )
            if poll.poll(1000 * min(left, _LOOK_S)):
                return
            if self._process.poll() is not None:
                raise self._died()

    def _died(self) -> CallError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LOOK_S)
        self._drain.join(_LOOK_S)
        told = f"{self._what} ended by itself: {_ending(self._process.returncode)}{self._told()}"
        return CallError(told, cause="worker_died")

    def _told(self) -> str:
        words = self.words()
        return f". Its last words: {words[-1500:]}" if words else ""

    def _listen(self) -> None:
        stderr = self._process.stderr
        if stderr is None:
            return
        with stderr, suppress(OSError, ValueError):
            while said := os.read(stderr.fileno(), 65536):
                self._note(said)

    def _note(self, said: bytes) -> None:
        self._words += said[-LAST_WORDS:]
        del self._words[: -2 * LAST_WORDS]


def _started(start: Start, what: str) -> subprocess.Popen[bytes]:
    try:
        process = subprocess.Popen(  # noqa: S603  # what the user's own file, or an adapter of ours, names
            list(start.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=start.folder,
            env=dict(start.env),
            start_new_session=True,
            bufsize=0,
        )
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        told = f"{what}: `{start.command[0]}` cannot be started ({error.strerror}). Is it installed?"
        raise UsageError(told) from None
    if start.memory_mb is not None:
        _limit(process.pid, start.memory_mb)
    return process


def _limit(pid: int, memory_mb: int) -> None:
    import resource

    if hasattr(resource, "prlimit"):  # other systems than Linux cannot limit a process from outside
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (memory_mb * 2**20, memory_mb * 2**20))


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _fd(pipe: object) -> int:
    return int(pipe.fileno())  # type: ignore[attr-defined]


def _ending(code: int | None) -> str:
    if code is None:
        return "it closed its output"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


DOCTOR_VARIABLE = "RECOLLECT_DOCTOR"
"""Set by `recollect doctor` alone: how a Python worker is to be watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessEnvironment:
    """How a worker's process is started, whatever its room."""

    command: Sequence[str]
    env: Sequence[str] = ()
    """Names of variables that are handed on where they are set; their values are never shown."""
    set_env: Mapping[str, str] = field(default_factory=dict)
    """Variables with fixed values, in which `{folder}`, `{namespace}`, `{base_url}` and `{token}` are filled in."""
    memory_mb: int | None = None

    def start_in(self, room: Room) -> Start:
        """How it is started in *room*."""
        passed = {name: os.environ[name] for name in self.env if name in os.environ}
        return Start(
            command=self.command,
            folder=room.folder,
            env={**_own(room.folder.resolve()), **self._fixed(room), **passed},
            secrets=(*passed.values(), *([room.access.token] if room.access else ())),
            memory_mb=self.memory_mb,
        )

    def _fixed(self, room: Room) -> dict[str, str]:
        access = room.access or Access(base_url="", token="")
        known = {
            "{folder}": str(room.folder.resolve()),
            "{namespace}": room.namespace,
            "{base_url}": access.base_url,
            "{token}": access.token,
        }
        made = dict(self.set_env)
        for place, value in known.items():
            made = {name: said.replace(place, value) for name, said in made.items()}
        return made


def _own(folder: Path) -> dict[str, str]:
    """What every process needs; a home and a place for temporary files that go with the room."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{name: os.environ[name] for name in (DOCTOR_VARIABLE,) if name in os.environ},
    }

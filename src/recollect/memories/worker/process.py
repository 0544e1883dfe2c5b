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
"""Lines before the answer to one request."""
LAST_WORDS = 4000
"""Bytes kept of all other output."""
_CHUNK = 2**20
_LOOK_S = 1.0
"""How often a silent process is checked: a child of it may keep its output open."""
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
    """Limit of its address space, where the operating system has such a limit."""


class Pipe:
    """A running process in a session of its own."""

    def __init__(self, start: Start, what: str) -> None:
        self._what, self._secrets = what, tuple(secret for secret in start.secrets if len(secret) >= 6)
        self._process = _started(start, what)
        self._in = self._process.stdin.fileno()  # type: ignore[union-attr]
        self._out = self._process.stdout.fileno()  # type: ignore[union-attr]
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._buffer, self._searched = bytearray(), 0
        self._noise = bytearray()
        self._drain = threading.Thread(target=self._read_stderr, daemon=True, name=f"stderr of {what}")
        self._drain.start()
        self._end = finalize(self, _kill_group, self._process)

    @property
    def pid(self) -> int:
        """Number of the process, which is also that of its group."""
        return self._process.pid

    def exchange(self, line: bytes, accept: Callable[[bytes], T | None], limit_s: float) -> T:
        """Send *line* and return the first result of *accept* that is not `None`; it returns `None` for noise.

        Raises:
            CallError: The process died, was silent for too long, or gave no answer. It is then killed.
        """
        until = time.monotonic() + limit_s
        try:
            self._send(memoryview(line), until, limit_s)
            for _ in range(MAX_NOISE):
                received = self._line(until, limit_s)
                answer = accept(received)
                if answer is not None:
                    return answer
                self._note(received + b"\n")
            problem = f"{self._what} said {MAX_NOISE} lines and no answer{self._last_words()}"
            raise MalformedError(problem, cause="worker_protocol")
        except BaseException:  # its next answer would be that to another question
            self.kill()
            raise

    def tell(self, line: bytes, limit_s: float) -> None:
        self._send(memoryview(line), time.monotonic() + limit_s, limit_s)

    def kill(self) -> None:
        """End the process and all that it started in its session."""
        self._end()
        self._process.wait()
        self._drain.join(_LOOK_S)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def leave(self) -> None:
        """Close its input, give it some time to exit, then end it."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_S)
        self.kill()

    def hide(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def _send(self, rest: memoryview, until: float, limit_s: float) -> None:
        try:
            while rest:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    self._wait(until, limit_s, sending=True)
                    self._read()  # or both sides wait for ever, each with a full pipe
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
        """Read what there is; whether more may come."""
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return True
        self._buffer += chunk
        return bool(chunk)

    def _wait(self, until: float, limit_s: float, *, sending: bool = False) -> None:
        """Wait until there is output or, while sending, room for input."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if sending:
            poll.register(self._in, select.POLLOUT)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                problem = f"{self._what} was silent for {limit_s:g} s and was ended. Raise `timeout_s`"
                raise RetryableError(f"{problem}{self._last_words()}", cause="worker_timeout")
            if poll.poll(1000 * min(left, _LOOK_S)):
                return
            if self._process.poll() is not None:
                raise self._died()

    def _died(self) -> CallError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LOOK_S)
        self._drain.join(_LOOK_S)
        code = self._process.returncode
        how = "it closed its output" if code is None else f"exit code {code}"
        if code is not None and code < 0:
            known = {number.value: number.name for number in signal.Signals}
            how = f"signal {known.get(-code, -code)}"
        return CallError(f"{self._what} ended by itself: {how}{self._last_words()}", cause="worker_died")

    def _last_words(self) -> str:
        words = self.hide(bytes(self._noise[-LAST_WORDS:]).decode("utf-8", "replace").strip())
        return f". Its last words: {words[-1500:]}" if words else ""

    def _read_stderr(self) -> None:
        stderr = self._process.stderr
        if stderr is None:
            return
        with stderr, suppress(OSError, ValueError):
            while chunk := os.read(stderr.fileno(), 65536):
                self._note(chunk)

    def _note(self, output: bytes) -> None:
        self._noise += output[-LAST_WORDS:]
        del self._noise[: -2 * LAST_WORDS]


class Requests:
    """Numbered requests to a process, one at a time. After one failed all fail, since its content is gone."""

    def __init__(self, start: Start, who: str) -> None:
        self.pipe = Pipe(start, who)
        self.number = 0
        self._dead: CallError | None = None
        self._lock = threading.Lock()

    def exchange(self, line: Callable[[int], bytes], accept: Callable[[bytes], T | None], limit_s: float) -> T:
        """Send what *line* makes of the next number; see `Pipe.exchange`."""
        with self._lock:
            if self._dead is not None:
                raise CallError(f"{self._dead} (in an earlier request; what it held is gone)", cause=self._dead.cause)
            self.number += 1
            try:
                return self.pipe.exchange(line(self.number), accept, limit_s)
            except CallError as error:
                self._dead = error
                raise


def _started(start: Start, what: str) -> subprocess.Popen[bytes]:
    try:
        process = subprocess.Popen(  # noqa: S603  # named by the user's own file, or by a bundled adapter
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
        problem = f"{what}: `{start.command[0]}` cannot be started ({error.strerror}). Is it installed?"
        raise UsageError(problem) from None
    if start.memory_mb is not None:
        import resource

        if hasattr(resource, "prlimit"):  # only Linux can limit a process from outside
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (start.memory_mb * 2**20, start.memory_mb * 2**20))
    return process


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


DOCTOR_VARIABLE = "RECOLLECT_DOCTOR"
"""Set by `recollect doctor` alone: how a Python worker is monitored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessEnvironment:
    """How a worker's process is started, whatever its room."""

    command: Sequence[str]
    env: Sequence[str] = ()
    """Names of variables that are passed on where they are set; their values are never shown."""
    set_env: Mapping[str, str] = field(default_factory=dict)
    """Variables with fixed values, in which `{folder}`, `{namespace}`, `{base_url}` and `{token}` are filled in."""
    memory_mb: int | None = None

    def start_in(self, room: Room) -> Start:
        """How it is started in *room*; home and temporary files are in the room's folder."""
        folder, access = str(room.folder.resolve()), room.access or Access(base_url="", token="")
        placeholders = {
            "{folder}": folder,
            "{namespace}": room.namespace,
            "{base_url}": access.base_url,
            "{token}": access.token,
        }
        fixed = dict(self.set_env)
        for placeholder, value in placeholders.items():
            fixed = {name: text.replace(placeholder, value) for name, text in fixed.items()}
        passed = {name: os.environ[name] for name in self.env if name in os.environ}
        env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": folder,
            "TMPDIR": folder,
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        if DOCTOR_VARIABLE in os.environ:
            env[DOCTOR_VARIABLE] = os.environ[DOCTOR_VARIABLE]
        return Start(
            command=self.command,
            folder=room.folder,
            env={**env, **fixed, **passed},
            secrets=(*passed.values(), *([room.access.token] if room.access else ())),
            memory_mb=self.memory_mb,
        )

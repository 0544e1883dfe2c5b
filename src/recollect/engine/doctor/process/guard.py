"""Watches what this process does outside: connections, programs it starts, files it writes.

Only the standard library is imported, and Python 3.9 is enough: it is loaded into workers, too.

It hears Python's audit events, so nothing that Python code does escapes it. What compiled code does by itself is not
heard; files of that kind are found by looking at the folders afterwards.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

_CONNECTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKS_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.fork", "os.forkpty"})
_WRITES = frozenset({"os.mkdir", "os.truncate", "sqlite3.connect", "shutil.copyfile", "shutil.move"})
_WRITES_SECOND = frozenset({"os.rename", "os.link", "os.symlink"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_ABOUT_THE_MACHINE = frozenset({"uname", "lscpu", "ldconfig", "lsb_release"})
"""Programs that say what machine this is, and do nothing else."""
_NO_FILES = ("/dev/", "/proc/")


@dataclass
class Guard:
    """Notes all that, and lets no connection out but to this machine."""

    own: Path
    """Below it everything may be written."""
    home_servers: frozenset[str] = frozenset()
    """`host:port` of servers that are the harness's own."""
    reached: list[str] = field(default_factory=list)
    """Addresses beyond this machine that were tried."""
    servers: list[str] = field(default_factory=list)
    """Servers on this machine that were talked to, and are not the harness's own."""
    programs: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """Paths outside that were opened for writing."""
    tell: Callable[[str, str], None] = lambda _what, _name: None
    """Told each of these at once, by the name of its list: a process may end without a word."""

    def begin(self) -> None:
        """Listen from now on; this cannot be undone in this process."""
        sys.addaudithook(self.hear)

    def hear(self, event: str, about: tuple[Any, ...]) -> None:
        """Take one event in.

        Raises:
            PermissionError: Somebody wants to leave this machine.
        """
        if event in _CONNECTS:
            self._connect(about[1])
        elif event in _LOOKS_UP:
            self._look_up(about[0])
        elif event in _STARTS:
            self._start(_program(about))
        elif event == "open":
            self._open(about[0], about[2])
        elif event in _WRITES or event in _WRITES_SECOND:
            self._note(about[0] if event in _WRITES and not event.startswith("shutil") else about[1])

    def _start(self, program: str) -> None:
        if program not in _ABOUT_THE_MACHINE:
            self._hear("programs", program)

    def _connect(self, address: Any) -> None:
        if not isinstance(address, tuple):
            return
        place = f"{address[0]}:{address[1]}"
        if not is_loopback(str(address[0])):
            self._refuse(place)
        if place not in self.home_servers and address[1]:
            self._hear("servers", place)

    def _look_up(self, host: Any) -> None:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if isinstance(name, str) and name and not is_loopback(name):
            self._refuse(name)

    def _refuse(self, place: str) -> None:
        self._hear("reached", place)
        raise PermissionError(f"the doctor lets no connection out of this machine, and {place} is beyond it")

    def _open(self, path: Any, flags: Any) -> None:
        if isinstance(flags, int) and flags & _WRITING:
            self._note(path)

    def _note(self, path: Any) -> None:
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, (str, os.PathLike)):  # Python 3.9
            return
        whole = os.path.abspath(path)  # noqa: PTH100  # Path.resolve would open what it looks at
        if not whole.startswith((f"{self.own}{os.sep}", *_NO_FILES)) and whole != str(self.own):
            self._hear("written", whole)

    def _hear(self, what: str, name: str) -> None:
        getattr(self, what).append(name)
        self.tell(what, name)


def is_loopback(host: str) -> bool:
    """Whether a name or number means this machine itself."""
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host.casefold() in {"localhost", "localhost.localdomain"}


def _program(about: tuple[Any, ...]) -> str:
    """The name of what was started."""
    if not about:
        return "a copy of itself"
    name = os.fsdecode(about[0]) if isinstance(about[0], (bytes, os.PathLike)) else str(about[0])
    return os.path.basename(name.split()[0]) if name.split() else name  # noqa: PTH119

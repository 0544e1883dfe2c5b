"""Watches what this process does outside: connections, programs, files.

Only the standard library is imported, and Python 3.9 is enough: it is loaded into workers, too.

It uses Python's audit events, which cover all Python code. What compiled code does by itself is not covered; its files
are found in the folders afterwards.
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
"""Programs that only describe the machine."""
_NO_FILES = ("/dev/", "/proc/")


@dataclass
class Guard:
    """Notes all that, and lets no connection out but to this machine."""

    own: Path
    """The folder that may be written."""
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
    """Called for each of these at once, with the name of its list: a process may be killed."""

    def begin(self) -> None:
        """Start; this cannot be undone in this process."""
        sys.addaudithook(self.hear)

    def hear(self, event: str, about: tuple[Any, ...]) -> None:
        """Handle one event."""
        if event in _CONNECTS:
            if isinstance(about[1], tuple):
                self._connect(str(about[1][0]), about[1][1])
        elif event in _LOOKS_UP:
            name = about[0].decode("ascii", "replace") if isinstance(about[0], bytes) else about[0]
            if isinstance(name, str) and name and not is_loopback(name):
                self._refuse(name)
        elif event in _STARTS:
            program = _program(about)
            if program not in _ABOUT_THE_MACHINE:
                self._hear("programs", program)
        elif event == "open":
            if isinstance(about[2], int) and about[2] & _WRITING:
                self._note(about[0])
        elif event in _WRITES or event in _WRITES_SECOND:
            self._note(about[0] if event in _WRITES and not event.startswith("shutil") else about[1])

    def _connect(self, host: str, port: Any) -> None:
        address = f"{host}:{port}"
        if not is_loopback(host):
            self._refuse(address)
        if address not in self.home_servers and port:
            self._hear("servers", address)

    def _refuse(self, address: str) -> None:
        self._hear("reached", address)
        raise PermissionError(f"the doctor lets no connection out of this machine, and {address} is beyond it")

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
    """Whether a host is this machine."""
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host.casefold() in {"localhost", "localhost.localdomain"}


def _program(about: tuple[Any, ...]) -> str:
    if not about:
        return "a copy of itself"
    name = os.fsdecode(about[0]) if isinstance(about[0], (bytes, os.PathLike)) else str(about[0])
    return os.path.basename(name.split()[0]) if name.split() else name  # noqa: PTH119

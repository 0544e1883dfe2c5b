"""What a worker's process finds around it: its folder, and only those environment variables that somebody named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recollect.contracts.memory import Access, Room
from recollect.memories.worker.pipe import Start

WATCHED = "RECOLLECT_DOCTOR"
"""Set by `recollect doctor` alone: how a Python worker is to be watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
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
        **{name: os.environ[name] for name in (WATCHED,) if name in os.environ},
    }

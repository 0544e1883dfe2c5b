"""The process that the doctor starts: `python -m recollect.runs.trust.doctor_process SECONDS_AHEAD`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.engine.doctor.process.child import RemoteChat, RemoteEmbedder
    from recollect.engine.rows import Row


def main(ahead_s: float) -> None:
    """Set the clock, before anything is imported that looks at it; then do what the pipe says."""
    from recollect.engine.doctor.process.clock import put_ahead

    is_ahead = put_ahead(ahead_s) if ahead_s else True
    from dataclasses import replace
    from pathlib import Path

    from recollect.engine.doctor.process import child
    from recollect.records.codec import encode

    pipe = child.Pipe()
    job = pipe.read()
    folder = Path(job["folder"])
    guard = child.guard_of(folder, job)
    chat, embedder = child.models_of(pipe, job)
    room = child.room_of(folder, job, chat, embedder)
    child.watch_workers(folder, job, guard)
    guard.begin()
    seen = replace(child.do(lambda: _row(job["system"], chat, embedder), room, guard, folder), is_ahead=is_ahead)
    pipe.say({"seen": encode(seen)})


def _row(system: dict[str, Any], chat: RemoteChat | None, embedder: RemoteEmbedder | None) -> Row:
    from recollect.records.codec import decode
    from recollect.runs.setup.config import SystemChoice
    from recollect.runs.setup.models import Supplies
    from recollect.runs.setup.rows import memory_row

    choice = decode(SystemChoice, system, where="the doctor")
    return memory_row(choice, (), Supplies(embedder=embedder, model=chat))


if __name__ == "__main__":
    main(float(sys.argv[1]))

"""The process that the doctor starts: `python -m recollect.runs.trust.doctor_process SECONDS_AHEAD`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.engine.doctor.process.child import RemoteChat, RemoteEmbedder
    from recollect.engine.rows import Row


def main(ahead_s: float) -> None:
    """Set the clock before importing anything that reads it; then run the job of the pipe."""
    from recollect.engine.doctor.process.clock import put_ahead

    is_ahead = put_ahead(ahead_s) if ahead_s else True
    from recollect.engine.doctor.process import child

    child.serve(child.Pipe(), _row, is_ahead=is_ahead)


def _row(system: dict[str, Any], chat: RemoteChat | None, embedder: RemoteEmbedder | None) -> Row:
    from recollect.records.codec import decode
    from recollect.runs.setup.config import SystemChoice
    from recollect.runs.setup.models import Supplies
    from recollect.runs.setup.rows import memory_row

    choice = decode(SystemChoice, system, where="the doctor")
    return memory_row(choice, (), Supplies(embedder=embedder, model=chat))


if __name__ == "__main__":
    main(float(sys.argv[1]))

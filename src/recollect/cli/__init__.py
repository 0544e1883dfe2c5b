"""The command line: one verb a file; parse, call, print."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

INTERRUPTED = 130
SHOW_CURSOR = "\x1b[?25h\n"
"""A bar hides the cursor while it is shown."""
STOPPED = "interrupted; all that was recorded is kept. Run the same command again to go on."


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `recollect` and leave with its exit code."""
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: Sequence[str]) -> int:
    """The exit code of a command line.

    0 finished; 1 finished, faults above the bound; 2 usage or bad data; 3 refused; 4 could not go on; 70 a bug of ours;
    130 interrupted.
    """
    before = signal.signal(signal.SIGINT, _interrupt)  # first: all imports are below
    try:
        from recollect.cli.app import app

        app(args=list(arguments), prog_name="recollect")
    except BaseException as error:  # noqa: BLE001  # whatever it is, it gets its words and its exit code
        from recollect.cli.endings import ending

        return ending(error)
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    return 0


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Stop; from inside an import at once, since what is raised there may be caught, or shown as a traceback."""
    if _is_importing(frame):
        leave()
    from recollect.domain.errors import InterruptedRunError

    raise InterruptedRunError


def leave() -> None:
    """End the process here and now, as a kill would, but with words and the exit code of an interrupt."""
    shown = SHOW_CURSOR if os.isatty(2) else ""
    os.write(2, f"{shown}recollect: {STOPPED}\n".encode())
    os._exit(INTERRUPTED)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

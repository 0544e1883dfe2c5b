"""The command line: parses and prints, and leaves the work to `recollect.runs`.

`main` and `command_line` are public. Start at `app`, which lists the verbs; each is a function in `run`, `inspect`,
`data` or `trust` that parses, calls and prints. Their modules import nothing heavy at the top: the help needs them all.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType

from recollect.cli.endings import leave


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `recollect` and leave with its exit code."""
    sys.exit(command_line(list(sys.argv[1:] if arguments is None else arguments)))


def command_line(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code.

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


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

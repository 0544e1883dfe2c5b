"""The command line: parses and prints; the work is done in `recollect.runs`.

`main` and `command_line` are public. Start at `app`, which lists the verbs; each is a function in `run`, `inspect`,
`data` or `trust` that parses, calls and prints. Their modules import nothing slow at the top, for the sake of the help.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType

from recollect.cli.endings import leave


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `recollect` and exit with its exit code."""
    sys.exit(command_line(list(sys.argv[1:] if arguments is None else arguments)))


def command_line(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code.

    0 finished; 1 finished with too many faults; 2 usage or bad data; 3 refused; 4 could not continue; 70 an internal
    error; 130 interrupted.
    """
    before = signal.signal(signal.SIGINT, _interrupt)  # before the slow imports below
    try:
        from recollect.cli.app import app

        app(args=list(arguments), prog_name="recollect")
    except BaseException as error:  # noqa: BLE001  # any error gets a message and an exit code
        from recollect.cli.endings import ending

        return ending(error)
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    return 0


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Stop; inside an import by exiting, since an exception there may be caught, or shown as a traceback."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            leave()
        frame = frame.f_back
    from recollect.domain.errors import InterruptedRunError

    raise InterruptedRunError

"""The command line: one verb a file; parse, call, print."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

DISK = 4
"""Exit code where the disk does not do what is asked of it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `recollect` and leave with its exit code."""
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: Sequence[str]) -> int:
    """The exit code of a command line.

    0 finished; 1 finished, faults above the bound; 2 usage or bad data; 3 refused; 4 could not go on; 130 interrupted.
    """
    from recollect.cli.app import app
    from recollect.domain.errors import RecollectError

    signal.signal(signal.SIGINT, _interrupt)
    try:
        app(args=list(arguments), prog_name="recollect")
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 0
    except RecollectError as error:
        print(f"recollect: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:  # the reader of our output went away: nothing more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"recollect: {place}{error.strerror or error}. What was recorded is kept; run again.", file=sys.stderr)
        return DISK
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    from recollect.domain.errors import InterruptedRunError

    raise InterruptedRunError

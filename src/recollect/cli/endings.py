"""How a command ends that does not come to its own end: the words on stderr, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.domain.errors import RecollectError

INTERRUPTED = 130
SHOW_CURSOR = "\x1b[?25h\n"
"""A bar hides the cursor while it is shown."""
STOPPED = "interrupted; all that was recorded is kept. Run the same command again to go on."
FAULTY, USAGE, CANNOT, BUG = 1, 2, 4, 70
USER_MODULE = "recollect_user_"
"""How the names of modules begin that `recollect.registry` makes of files of the user."""


def leave() -> None:
    """End the process here and now, as a kill would, but with words and the exit code of an interrupt."""
    shown = SHOW_CURSOR if os.isatty(2) else ""
    os.write(2, f"{shown}recollect: {STOPPED}\n".encode())
    os._exit(INTERRUPTED)


def ending(error: BaseException) -> int:
    """Say what ended the command, and give the exit code for it."""
    from recollect.domain.errors import InterruptedRunError, RecollectError

    chain = list(_chain(error)) if isinstance(error, SystemExit) else [error]
    if any(isinstance(one, KeyboardInterrupt) for one in chain):
        return _said(InterruptedRunError())
    if any(isinstance(one, BrokenPipeError) for one in chain):  # the reader of our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, SystemExit):
        return _code(error)
    if isinstance(error, RecollectError):
        return _said(error)
    return _unforeseen(error)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and those it was made of: the parser of commands turns some into an exit of its own."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _code(leave: SystemExit) -> int:
    if isinstance(leave.code, int):
        return leave.code
    return 0 if leave.code is None else FAULTY


def _said(error: RecollectError) -> int:
    _say(str(error))
    return error.exit_code


def _unforeseen(error: BaseException) -> int:
    place = _in_a_file_of_yours(error)
    if place:
        _say(f"{place}: {type(error).__name__}: {error}.")
        return USAGE
    if isinstance(error, MemoryError):
        _say("there is not enough memory. What was recorded is kept; run again, with fewer `--trials` and `--calls`.")
        return CANNOT
    if isinstance(error, OSError):
        file = error.filename2 or error.filename
        _say(f"{f'{file}: ' if file else ''}{error.strerror or error}. What was recorded is kept; run again.")
        return CANNOT
    import traceback

    traceback.print_exception(error)
    *_, last = traceback.extract_tb(error.__traceback__)
    _say(
        f"{last.filename}:{last.lineno}: {type(error).__name__}. This is a bug in Recollect, not in your input. "
        "What was recorded is kept. Please report it with the traceback above."
    )
    return BUG


def _in_a_file_of_yours(error: BaseException) -> str:
    """`file:line` where a memory file that the user wrote raised; empty where none did."""
    import traceback

    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__", "")).startswith(USER_MODULE):
            return f"{frame.f_code.co_filename}:{line}"
    return ""


def _say(text: str) -> None:
    print(f"recollect: {text}", file=sys.stderr)

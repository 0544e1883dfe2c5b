"""Message on stderr and exit code of a command that ends with an error."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130
SHOW_CURSOR = "\x1b[?25h\n"
"""Progress bars hide the cursor."""
STOPPED = "interrupted; all that was recorded is kept. Run the same command again to go on."
FAULTY, USAGE, CANNOT, BUG = 1, 2, 4, 70
USER_MODULE = "recollect_user_"
"""Prefix of the names of modules that `recollect.registry` makes from files of the user."""


def leave() -> None:
    """End the process at once, with the message and exit code of an interrupt."""
    shown = SHOW_CURSOR if os.isatty(2) else ""
    os.write(2, f"{shown}recollect: {STOPPED}\n".encode())
    os._exit(INTERRUPTED)


def ending(error: BaseException) -> int:
    """Print what ended the command, and return its exit code."""
    from recollect.domain.errors import InterruptedRunError, RecollectError

    chain = [error]
    if isinstance(error, SystemExit):  # the parser of commands turns some errors into an exit
        while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
            chain.append(cause)
    if any(isinstance(one, KeyboardInterrupt) for one in chain):
        error = InterruptedRunError()
    elif any(isinstance(one, BrokenPipeError) for one in chain):  # whoever read our output is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0 if error.code is None else FAULTY
    if isinstance(error, RecollectError):
        _print(str(error))
        return error.exit_code
    return _unexpected(error)


def _unexpected(error: BaseException) -> int:
    import traceback

    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if str(frame.f_globals.get("__name__", "")).startswith(USER_MODULE):
            _print(f"{frame.f_code.co_filename}:{line}: {type(error).__name__}: {error}.")
            return USAGE
    if isinstance(error, MemoryError):
        _print("not enough memory. All records are kept; run again with fewer `--trials` and `--calls`.")
        return CANNOT
    if isinstance(error, OSError):
        file = error.filename2 or error.filename
        _print(f"{f'{file}: ' if file else ''}{error.strerror or error}. All records are kept; run again.")
        return CANNOT
    traceback.print_exception(error)
    *_, last = traceback.extract_tb(error.__traceback__)
    _print(
        f"{last.filename}:{last.lineno}: {type(error).__name__}. This is a bug in Recollect, not in your input. "
        "All records are kept. Please report it with the traceback above."
    )
    return BUG


def _print(text: str) -> None:
    print(f"recollect: {text}", file=sys.stderr)

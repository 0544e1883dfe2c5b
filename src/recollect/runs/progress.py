"""Progress of long work on stderr, and remarks on the logger `recollect`; both are silent by default."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from recollect.engine.rows import ProgressCallback
from recollect.records.kinds import UNPLANNED

LOGGER = logging.getLogger("recollect")


def remark(text: str) -> None:
    """Log a message; the command line prints it on stderr."""
    LOGGER.info("%s", text)


@contextmanager
def progress(total: int, *, done: int = 0, quiet: bool = False) -> Iterator[ProgressCallback]:
    """A bar on stderr with rate and time left; a line at every tenth if stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        tenth = 10 * done // max(1, total)

        def write(kind: str, count: int) -> None:
            nonlocal done, tenth
            done += 0 if kind in UNPLANNED else count
            before, tenth = tenth, max(tenth, 10 * done // max(1, total))
            if tenth > before and not quiet:
                print(f"{done} of {max(1, total)} records", file=sys.stderr, flush=True)

        yield write
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    faults = TextColumn("{task.fields[faults]}")
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("records"), rate, TimeRemainingColumn(), faults)
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("run", total=total, completed=done, rate="", faults="")
        broken = 0

        def watch(kind: str, count: int) -> None:
            nonlocal broken
            broken += count if kind == "fault" else 0
            speed = shown.tasks[0].speed
            shown.update(
                task,
                advance=count if kind not in UNPLANNED else 0,
                rate=f"{speed:.0f}/s" if speed else "",
                faults=f"{broken} faults" if broken else "",
            )

        yield watch


@contextmanager
def bar(total: int, kind: str) -> Iterator[Callable[[object], None]]:
    """A bar on a terminal, nothing elsewhere; call it after each of *total* items."""
    with progress(total, quiet=not sys.stderr.isatty()) as watch:
        yield lambda _item: watch(kind, 1)

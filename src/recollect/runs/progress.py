"""Progress of long work on stderr, and remarks on the logger `recollect`; both are silent unless asked for."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from recollect.engine.context import ProgressCallback
from recollect.records.kinds import UNPLANNED

LOGGER = logging.getLogger("recollect")


def remark(text: str) -> None:
    """Tell whoever listens to the logger: the command line does, and prints it on stderr."""
    LOGGER.info("%s", text)


@contextmanager
def progress(total: int, *, done: int = 0, quiet: bool = False) -> Iterator[ProgressCallback]:
    """A bar on stderr with rate and time left; lines now and then where stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield _Lines(total, done, quiet=quiet)
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
    """A bar where somebody watches a terminal, and nothing elsewhere; to be called after each of *total* pieces."""
    with progress(total, quiet=not sys.stderr.isatty()) as watch:
        yield lambda _piece: watch(kind, 1)


class _Lines:
    """Progress where there is no terminal: a line at every tenth."""

    def __init__(self, total: int, done: int, *, quiet: bool) -> None:
        self.total, self.done, self.quiet = max(1, total), done, quiet
        self.tenth = 10 * done // self.total

    def __call__(self, kind: str, count: int) -> None:
        if kind in UNPLANNED:
            return
        self.done += count
        tenth = 10 * self.done // self.total
        if tenth > self.tenth and not self.quiet:
            self.tenth = tenth
            print(f"{self.done} of {self.total} records", file=sys.stderr, flush=True)

"""What goes to the terminal: results to stdout, progress and remarks to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from recollect.engine.context import ProgressCallback
from recollect.records.kinds import UNPLANNED


def print_json(data: Any) -> None:
    """One JSON document on stdout."""
    print(json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False))


def remark(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)


NUMBERS = frozenset(
    {
        *("n", "asked", "answers", "clusters", "not scored", "score", "memory lift", "recall", "precision"),
        *("reading", "preservation", "retrieval", "wrong", "write", "use", "unknown", "stale", "cells"),
        *("done", "planned", "faults", "void", "histories", "messages", "questions"),
        *("first", "second", "difference", "p (Holm)", "detectable"),
        *("calls", "tokens in", "tokens out", "$", "writing, s", "a search, ms", "tokens", "cost"),
        *("right", "memory score", "ratio of means", "upper bound", "guessing", "read", "utilisation", "not told"),
        *("rank of the first", "rank of the second", "change"),
        *("calls at most", "tokens in at most", "tokens out at most", "$ at most"),
    }
)
"""Columns that are aligned at the right."""


FOLDED = frozenset({"knob", "what it changes", "report says", "records say", "example", "with"})
"""Columns of long texts, which take several lines where there is no room."""


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout; plain and unfolded where stdout is no terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if sys.stdout.isatty() else 200
    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(
            Text(column),
            justify="right" if column in NUMBERS else "left",
            no_wrap=column not in FOLDED,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(width=width).print(table)


@contextmanager
def progress(total: int, *, done: int, quiet: bool = False) -> Iterator[ProgressCallback]:
    """A bar on stderr with rate and time left; lines now and then where stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield _Lines(total, done, quiet=quiet)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    faults = TextColumn("{task.fields[faults]}")
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("records"), rate, TimeRemainingColumn(), faults)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run", total=total, completed=done, rate="", faults="")
        broken = 0

        def watch(kind: str, count: int) -> None:
            nonlocal broken
            broken += count if kind == "fault" else 0
            speed = bar.tasks[0].speed
            bar.update(
                task,
                advance=count if kind not in UNPLANNED else 0,
                rate=f"{speed:.0f}/s" if speed else "",
                faults=f"{broken} faults" if broken else "",
            )

        yield watch


class _Lines:
    """Progress where there is no terminal: a line at every tenth."""

    def __init__(self, total: int, done: int, *, quiet: bool) -> None:
        self.total, self.done, self.quiet = max(1, total), done, quiet
        self.said = 10 * done // self.total

    def __call__(self, kind: str, count: int) -> None:
        if kind in UNPLANNED:
            return
        self.done += count
        tenth = 10 * self.done // self.total
        if tenth > self.said and not self.quiet:
            self.said = tenth
            remark(f"{self.done} of {self.total} records")

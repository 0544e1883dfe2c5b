"""Output on the terminal: results to stdout, messages to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recollect.runs.results.wording import Estimate, Interval


def print_json(data: Any) -> None:
    """One JSON document on stdout; records are encoded."""
    if is_dataclass(data):
        from recollect.runs.results.wording import encode

        data = encode(data)
    print(json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False))


def remark(text: str) -> None:
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
"""Right-aligned columns."""
FOLDED = frozenset({"knob", "what it changes", "report says", "records say", "example", "with"})
"""Columns of long text that may take several lines."""


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout; 200 characters wide if stdout is no terminal."""
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


def show(estimate: Estimate | Interval) -> str:
    """`0.740 [0.650, 0.820]`, or a dash."""
    if estimate.estimate is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.estimate:.3f}"
    return f"{estimate.estimate:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def percent(ratio: float | None) -> str:
    """`12.3`, or a dash."""
    return "-" if ratio is None else f"{100 * ratio:.1f}"


@contextmanager
def remarks_on_stderr() -> Iterator[None]:
    """Inside the block, messages of the logger `recollect` are printed on stderr."""
    import logging

    class Printer(logging.Handler):
        """Prints each message as it is."""

        def emit(self, record: logging.LogRecord) -> None:
            remark(record.getMessage())

    logger, printer = logging.getLogger("recollect"), Printer()
    before = logger.level, logger.propagate
    logger.addHandler(printer)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(printer)
        logger.level, logger.propagate = before

"""The paper's columns on the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.records.tables.summary import Estimate
    from recollect.records.tables.supplement import PaperNumbers


def print_tables(tables: Iterable[PaperNumbers]) -> None:
    """A table for each, in percent without intervals, which the report and `--json` have; nothing where none is."""
    from recollect.cli.output import print_table

    for table in tables:
        columns = ["row", *table.lines[0].columns]
        rows = [[line.row, *map(_said, line.columns.values())] for line in table.lines]
        print_table(f"{table.title}, %", columns, rows)


def _said(estimate: Estimate) -> str:
    return "-" if estimate.estimate is None else f"{100 * estimate.estimate:.1f}"

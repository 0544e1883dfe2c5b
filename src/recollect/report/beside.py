"""The paper's columns and the times of rows as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from recollect.records.beside import PaperNumbers, RowTime
from recollect.report.csv_files import Record


def tables_table(tables: Iterable[PaperNumbers]) -> list[Record]:
    """One line for each table, row and column."""
    return [
        {
            "table": table.title,
            "row": line.row,
            "reference": line.reference,
            "column": name,
            "mean_of_columns": name in table.means,
            **asdict(estimate),
        }
        for table in tables
        for line in table.lines
        for name, estimate in line.columns.items()
    ]


def times_table(times: Iterable[RowTime]) -> list[Record]:
    """One line for each task and row."""
    return [asdict(time) for time in times]

"""Writes the report of a run: one page, with the same numbers as CSV beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.contracts.benchmark import Card
from recollect.records.summary import CellOutcome, Summary
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder


def write(folder: RunFolder, summary: Summary, cells: Sequence[CellOutcome], *, card: Card, identity: str) -> Path:
    """Write the report; the same input gives the same bytes.

    Args:
        folder: The run; its data and templates are read, `report/` is written.
        summary: The tables.
        cells: Every planned cell, wrong answers with their label.
        card: That of the run's benchmark, for licences, citation and what tasks mean.
        identity: The digest of the run.

    Returns:
        The page, `report/index.html`. `scores.csv` and `cells.csv` lie beside it, and `cells.parquet` where pyarrow is
        installed.

    Raises:
        DataError: The run's data cannot be read.
        DiskError: The disk does not take it.
    """
    from recollect.report.csv_files import as_csv, cells_table, scores
    from recollect.report.found import Recalls
    from recollect.report.page import page
    from recollect.report.parquet import as_parquet
    from recollect.report.payload import payload

    recalls = Recalls()
    table = cells_table(cells, recalls)
    parquet = as_parquet(table)
    data = payload(folder.histories(), cells, folder.prompts(), recalls)
    files = {
        "scores.csv": as_csv(scores(summary)),
        "cells.csv": as_csv(table),
        **({} if parquet is None else {"cells.parquet": parquet}),
        "index.html": page(_values(summary, cells, card, identity), data),
    }
    if parquet is None:
        (folder.report / "cells.parquet").unlink(missing_ok=True)
    for name, content in files.items():
        write_whole(folder.report / name, content)
    return folder.report / "index.html"


def _values(summary: Summary, cells: Sequence[CellOutcome], card: Card, identity: str) -> dict[str, Any]:
    from recollect.report.outcomes import MEANINGS
    from recollect.report.sections import sections

    return {
        "summary": summary,
        "card": card,
        "identity": identity,
        "tasks": sections(summary, cells),
        "meanings": MEANINGS,
        "rules": is_rules,
    }


def is_rules(value: object) -> bool:
    """A reader or judge that is made of rules, and no model."""
    return isinstance(value, str) and (value == "rules" or value.startswith(("rules:", "rules-", "rules ")))

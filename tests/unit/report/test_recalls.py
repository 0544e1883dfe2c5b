from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recollect.records.tables.cells import Recalled, RecalledItem
from recollect.report.recalls import Recalls

from tests.fakes.report_builder import run


def test_evidence_counts_once_however_often_it_was_found(tmp_path: Path) -> None:
    made = run(tmp_path / "run", histories=1, questions=1, tasks=("facts",))
    cell = made.cells[0]
    item = RecalledItem(text="x", sources=cell.evidence, covers=cell.evidence)
    assert Recalls().met(replace(cell, recall=Recalled(items=(item, item)))) == len(cell.evidence) == 1
    assert Recalls().met(replace(cell, recall=None)) is None

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recollect.diagnose.waterfall.evidence import ReadDepth
from recollect.records.tables.summary import Recalled, RecalledItem
from recollect.report.recalls import Recalls
from recollect.text.tokens import count

from tests.fakes.report_builder import run


def test_what_was_read_whole_is_what_the_diagnosis_says(tmp_path: Path) -> None:
    made = run(tmp_path / "run", histories=1, questions=3, tasks=("facts",))
    recalls, reach = Recalls(), ReadDepth(count=count)
    for cell in made.cells:
        for tokens in (0, 17, 40, 100, 1000):
            cut = replace(cell, context_tokens=tokens, truncated=True)
            assert recalls.whole(cut) == reach.items(cut)


def test_evidence_counts_once_however_often_it_was_found(tmp_path: Path) -> None:
    made = run(tmp_path / "run", histories=1, questions=1, tasks=("facts",))
    cell = made.cells[0]
    item = RecalledItem(text="x", sources=cell.evidence, covers=cell.evidence)
    assert Recalls().met(replace(cell, recall=Recalled(items=(item, item)))) == len(cell.evidence) == 1
    assert Recalls().met(replace(cell, recall=None)) is None

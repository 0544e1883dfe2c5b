"""The shapes of a summary go to JSON and back without loss."""

from __future__ import annotations

import json
from pathlib import Path

from recollect.diagnose.compare.pairs import compare, sides_of
from recollect.diagnose.summary import findings
from recollect.domain.steps import Arm
from recollect.records.codec import decode, encode
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.records.tables.summary import Comparison, Counts, Summary

from tests.fakes.run_builder import BENCHMARK, RowSpec, build, floor_row, lost, oracle_row, right


def test_a_summary_its_cells_and_a_comparison_survive_json(tmp_path: Path) -> None:
    rows = [floor_row(), oracle_row(), RowSpec(label="bm25", says=right, arms=(Arm.SYSTEM, Arm.READBACK))]
    folder = build(tmp_path / "run", rows)
    summary, cells, _ = findings(folder, BENCHMARK)
    assert decode(Summary, json.loads(json.dumps(encode(summary))), where="test") == summary
    for cell in cells:
        assert decode(CellOutcome, json.loads(json.dumps(encode(cell))), where="test") == cell
    first, second = sides_of(folder, ["bm25", "none"], BENCHMARK)
    compared = compare(first, second)
    assert decode(Comparison, json.loads(json.dumps(encode(compared))), where="test") == compared


def test_an_undefined_number_is_null_in_json_and_never_zero() -> None:
    assert encode(Estimate(estimate=None, why="no answers")) == {"estimate": None, "why": "no answers"}


def test_a_field_that_is_not_known_is_a_problem() -> None:
    _, problems = _read({"planned": 1, "skipped": 1})
    assert problems == ("unknown key `skipped`",)


def test_only_scored_and_abstained_answers_are_counted() -> None:
    counts = Counts(planned=6, scored=1, abstained=1, undecided=1, fault=1, not_available=1, unfinished=1)
    assert counts.counted == 2


def test_every_table_of_a_summary_is_there_even_for_a_row_that_lost_everything(tmp_path: Path) -> None:
    summary = findings(build(tmp_path / "run", [RowSpec(label="bm25", says=lost)]), BENCHMARK).summary
    for name in ("numbers", "references", "headlines", "waterfalls", "retrieval", "failures"):
        assert getattr(summary, name), name


def _read(data: dict[str, int]) -> tuple[Counts, tuple[str, ...]]:
    from recollect.records.codec import read

    return read(Counts, data)

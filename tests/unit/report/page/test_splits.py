"""Waterfalls by label on the page and as CSV: bars, corners, links."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from recollect.cli.inspect.diagnosis import split_tables
from recollect.diagnose.records.identity import identity
from recollect.diagnose.summary import Findings, findings
from recollect.records.tables.cells import Estimate
from recollect.report.charts.bars import stage_bars
from recollect.report.page.splits import LINKED, split_sections, waterfalls_table
from recollect.report.writer import write

from tests.fakes.run_builder import RowSpec, build, make_history, oracle_row
from tests.unit.diagnose.waterfall.test_splits import BM25, SPLIT, found, kind, planted


@pytest.fixture
def run(tmp_path: Path) -> Findings:
    return found(tmp_path, BM25, RowSpec(label="other", says=planted), oracle_row(planted))


def test_a_row_has_bars_for_the_whole_and_every_value(run: Findings) -> None:
    (section,) = split_sections(run.beside.splits, run.cells)
    assert (section.task, section.label, section.values) == ("facts", "kind", ["all", "rain", "sun"])
    (line,) = section.lines
    assert [str(bar).count("<rect") for bar in line.bars] == [2, 1, 2], "an undefined share has no bar"
    assert "bm25, sun: preserved 66.7" in str(line.bars[2])
    assert section.no_bars == {"the arm `readback` was not asked": ["other"]}


def test_leaks_link_the_pages_of_their_questions(run: Findings) -> None:
    (section,) = split_sections(run.beside.splits, run.cells)
    (whole, *_) = section.lines[0].parts
    assert [leak.answers for leak in whole.leaks] == [2, 2]
    assert whole.leaks[0].links == [
        ("q-facts-0-5", "#task=facts&row=bm25&q=q-facts-0-5"),
        ("q-facts-0-6", "#task=facts&row=bm25&q=q-facts-0-6"),
    ]
    assert whole.leaks[0].more == 0 < LINKED


def test_the_table_says_shares_denominators_corners_and_leaks(run: Findings) -> None:
    lines = {(line["row"], line["value"]): line for line in waterfalls_table(run.beside.splits)}
    sun = lines["bm25", "sun"]
    assert sun["p_preserve"] == pytest.approx(2 / 3)
    assert (sun["p_preserve_of"], sun["corner_--+"]) == (3, 1)
    assert (sun["right_without_oracle"], sun["right_without_readback"]) == (1, 1)
    assert lines["bm25", "rain"]["p_retrieve_why"] == "nothing is right under readback"


def test_the_terminal_says_undefined_where_nothing_is_left(run: Findings) -> None:
    shares, corners = split_tables(run.beside.splits)
    told = {tuple(row[1:3]): row[3:] for row in shares[2]}
    assert told["bm25", "rain"][-1] == "undefined (of 0)"
    assert told["bm25", "sun"][2].endswith("of 3")
    assert told["other", "sun"][-1] == "-", "no arm, no share"
    assert [row[1] for row in corners[2]] == ["bm25"] * 3


def test_page_csv_and_json_are_written_with_it(tmp_path: Path) -> None:
    history = make_history(0, questions=8, labels=kind)
    folder = build(tmp_path / "run", (BM25, oracle_row(planted)), [history])
    seen = findings(folder, SPLIT)
    named = identity(folder, seen.summary)
    page = write(folder, seen.summary, seen.cells, card=SPLIT.card, identity=named, beside=seen.beside).read_text()
    assert 'href="#splits-1"' in page
    assert page.count('class="chart stages"') == 3
    assert "#task=facts&amp;row=bm25&amp;q=q-facts-0-6" in page
    table = list(csv.DictReader(io.StringIO((folder.report / "waterfalls.csv").read_text())))
    assert [row["value"] for row in table] == ["all", "rain", "sun"]
    data = json.loads((folder.report / "report.json").read_text())
    assert data["splits"][0]["parts"][0]["leaks"][0]["count"] == 2


def test_a_bar_shows_its_interval_and_what_is_undefined_a_dash() -> None:
    known = Estimate(estimate=0.5, low=0.4, high=0.6, n=10)
    drawn = str(stage_bars("row", known, Estimate(estimate=None, why="nothing is right under readback")))
    assert drawn.count("whisker") == 1
    assert "retrieved nothing is right under readback" in drawn
    assert ">–<" in drawn

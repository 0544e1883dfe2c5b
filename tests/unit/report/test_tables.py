from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.report.recalls import Recalls
from recollect.report.tables import Value, as_csv, cells_table, guarded, scores

from tests.fakes.report_builder import run


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param("=1+1", "'=1+1", id="formula"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("-2", "'-2", id="text-that-looks-like-a-number"),
        pytest.param(" =1", "' =1", id="behind-a-space"),
        pytest.param("\t=1", "'\t=1", id="tab"),
        pytest.param("＝1", "'＝1", id="full-width"),
        pytest.param("plain", "plain", id="plain"),
        pytest.param(-0.5, -0.5, id="number"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_no_text_is_a_formula(value: Value, written: Value) -> None:
    assert guarded(value) == written


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00")), min_size=1))
def test_every_text_comes_back_but_for_the_guard(texts: list[str]) -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv([{"a": text, "b": 1} for text in texts]).decode(), newline="")))
    assert [line["a"] for line in lines] == [guarded(text) for text in texts]


def test_nothing_is_empty_and_never_a_zero() -> None:
    assert as_csv([{"a": None, "b": 0.0, "c": True}]) == b"a,b,c\n,0.0,true\n"


def test_a_lone_surrogate_can_be_written() -> None:
    assert as_csv([{"a": "\ud800"}]) == b"a\n\\ud800\n"


def test_a_line_for_each_cell_and_each_number(tmp_path: Path) -> None:
    made = run(tmp_path / "run", histories=1, questions=2)
    table = cells_table(made.cells, Recalls())
    assert len(table) == len(made.cells)
    lines = scores(made.summary)
    assert sum(line["what"] == "score" for line in lines) == len(made.summary.numbers) + len(made.summary.strata)
    assert sum(line["what"] == "lift" for line in lines) == len(made.summary.headlines)
    assert all("seconds" not in line for line in table)


def test_each_line_of_a_row_says_who_words_its_answers(tmp_path: Path) -> None:
    """An agent answers by itself; memories and the evidence are read by the harness."""
    made = run(tmp_path / "run", histories=1, questions=2)
    owners = {"agent": "system", "memory": "harness", "oracle": "harness"}
    for table in (cells_table(made.cells, Recalls()), scores(made.summary)):
        told = {line["kind"]: line["answer_owner"] for line in table if line.get("kind")}
        assert told == {kind: owners[str(kind)] for kind in told}
        assert len(told) > 1

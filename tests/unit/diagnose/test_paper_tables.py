"""The columns of a paper's table from cells: whole, or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.contracts.tables import Column, PaperTable
from recollect.diagnose.estimates import Estimator, mean_of, nothing
from recollect.diagnose.grid import grid_of
from recollect.diagnose.paper_tables import paper_tables
from recollect.diagnose.summary import Findings, findings
from recollect.records.tables.cells import Estimate
from recollect.records.tables.supplement import PaperNumbers
from recollect.report.tables import tables_table

from tests.fakes.run_builder import (
    BENCHMARK,
    Case,
    RowSpec,
    Said,
    build,
    floor_row,
    lost,
    make_history,
    oracle_row,
    right,
)

TABLE = PaperTable(
    title="Table 2",
    columns=(
        Column(name="even", tasks=("facts",), label="place", value="even"),
        Column(name="facts", tasks=("facts",)),
        Column(name="graded", tasks=("graded",)),
        Column(name="both", columns=("facts", "graded")),
        Column(name="all", tasks=("facts", "graded"), over="questions"),
        Column(name="other", tasks=("choice",)),
        Column(name="whole", columns=("both", "other")),
    ),
)


def _says(case: Case) -> Said:
    """All even ones of `facts`, and nothing of the rest."""
    return right(case) if case.keyed.task == "facts" and case.number % 2 == 0 else lost(case)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Three histories of four facts, and one of two graded questions."""

    def place(number: int) -> dict[str, str]:
        return {"place": "odd" if number % 2 else "even"}

    histories = [make_history(number, labels=place) for number in range(3)]
    histories.append(make_history(0, task="graded", questions=2))
    rows = [RowSpec(label="bm25", says=_says), floor_row(), oracle_row()]
    return findings(build(tmp_path_factory.mktemp("run") / "r", rows, histories), BENCHMARK)


def _columns(run: Findings, row: str, *tables: PaperTable) -> dict[str, Estimate]:
    (found,) = _tables(run, *(tables or (TABLE,)))
    return dict(next(line.columns for line in found.lines if line.row == row))


def _tables(run: Findings, *tables: PaperTable) -> tuple[PaperNumbers, ...]:
    return paper_tables(tables, grid_of(run.cells), Estimator(seed=0))


def test_columns_are_of_tasks_labels_questions_and_columns(run: Findings) -> None:
    """By hand: 6 of 12 facts, 0 of 2 graded: 1/2, 0, their mean 1/4; 6 of 14 questions; all 6 even facts."""
    found = _columns(run, "bm25")
    shown = {name: one.estimate for name, one in found.items() if one.estimate is not None}
    assert shown == pytest.approx({"even": 1.0, "facts": 0.5, "graded": 0.0, "both": 0.25, "all": 6 / 14})


def test_a_column_that_lacks_a_part_is_empty_and_says_which(run: Findings) -> None:
    found = _columns(run, "bm25")
    assert found["other"].why == "nothing of choice is in this run"
    assert (found["whole"].estimate, found["whole"].why) == (None, "lacks other")


def test_a_columns_own_interval_is_that_of_the_task(run: Findings) -> None:
    (number,) = [one for one in run.summary.numbers if (one.task, one.row, str(one.arm)) == ("facts", "bm25", "system")]
    assert _columns(run, "bm25")["facts"] == number.score


def test_the_oracle_stands_there_by_its_own_arm(run: Findings) -> None:
    assert _columns(run, "oracle")["facts"].estimate == 1.0


def test_a_table_of_other_tasks_is_not_shown(run: Findings) -> None:
    other = PaperTable(title="other", columns=(Column(name="choice", tasks=("choice",)),))
    assert _tables(run, other) == ()


def test_a_row_that_broke_too_often_or_is_not_done_has_no_column(tmp_path: Path) -> None:
    def breaks(case: Case) -> Said:
        return Said(fault=("answer", "timeout")) if case.number == 0 else right(case)

    def stops(case: Case) -> Said:
        return Said(found=None) if case.number == 0 else right(case)

    rows = [RowSpec(label="breaks", says=breaks), RowSpec(label="stops", says=stops)]
    run = findings(build(tmp_path / "run", rows, [make_history(0)]), BENCHMARK)
    assert _columns(run, "breaks")["facts"].why == "1 of 4 answers are faults"
    assert _columns(run, "stops")["facts"].why == "1 of 4 answers are still to come"


def test_a_mean_has_an_interval_only_where_all_parts_have_one() -> None:
    sure, bare = Estimate(estimate=0.5, low=0.4, high=0.6), Estimate(estimate=0.7)
    found = mean_of({"sure": sure, "bare": bare})
    assert (found.estimate, found.low, found.why) == (0.6, None, "no interval is known for bare")
    both = mean_of({"one": sure, "other": sure})
    assert (both.low, both.high) == pytest.approx((0.5 - 0.1 / 2**0.5, 0.5 + 0.1 / 2**0.5))


def test_a_mean_is_never_over_less() -> None:
    assert mean_of({"here": Estimate(estimate=1.0), "gone": nothing("not asked")}).why == "lacks gone"


OWN = PaperTable(
    title="own intervals",
    columns=(
        Column(name="even", tasks=("facts",), label="place", value="even", over="questions"),
        Column(name="all", tasks=("facts",), over="questions"),
        Column(name="task", tasks=("facts",)),
    ),
    strata="place",
)


def test_the_papers_own_interval_is_stratified_and_stands_beside(run: Findings) -> None:
    """All even facts are right and all odd ones wrong: within strata nothing varies, and over histories it may."""
    (table,) = _tables(run, OWN)
    (line,) = [line for line in table.lines if line.row == "bm25"]
    assert table.strata == "place"
    assert set(line.paper) == {"even", "all"}, "a mean over tasks has none"
    own = line.paper["all"]
    assert (own.estimate, own.low, own.high, own.n) == (0.5, 0.5, 0.5, 12)
    assert own.method == "bootstrap over questions within parts"
    assert line.columns["all"].method != own.method
    records = {record["column"]: record for record in tables_table([table]) if record["row"] == "bm25"}
    assert (records["all"]["paper_low"], records["all"]["paper_strata"]) == (0.5, "place")
    assert "paper_low" not in records["task"]


def test_a_table_that_names_no_strata_has_no_such_interval(run: Findings) -> None:
    (table,) = _tables(run, TABLE)
    assert all(not line.paper for line in table.lines)
    assert "paper_strata" not in tables_table([table])[0]

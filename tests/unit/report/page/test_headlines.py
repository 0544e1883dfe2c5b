"""What stands first on the page: each memory beside the rows that it must beat, with certainty and price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from recollect.records.tables.cells import Estimate
from recollect.records.tables.costs import CallSums, Costs, RowCost, Spread
from recollect.records.tables.summary import Summary
from recollect.report.page.tasks import Comparison, HeadlineGroup, headline_groups, sections
from recollect.report.writer import write

from tests.fakes.report_builder import Made, run

SCORES: Mapping[str, tuple[float, float, float]] = {
    "none": (0.0, 0.0, 0.9),
    "window": (0.2, 0.1, 0.3),
    "bm25": (0.6, 0.4, 0.7),
    "full": (0.95, 0.9, 1.0),
    "oracle": (1.0, 0.9, 1.0),
    "extractor": (0.65, 0.5, 0.8),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return run(tmp_path_factory.mktemp("headlines") / "run", histories=2, questions=3, tasks=("facts",))


def groups(made: Made, summary: Summary) -> tuple[HeadlineGroup, ...]:
    return headline_groups(summary, sections(summary, made.cells))


def scored(made: Made, *, lift: tuple[float | None, float | None] = (0.4, 0.8)) -> Summary:
    """The run with made-up scores."""

    def of(row: str, held: Estimate) -> Estimate:
        estimate, low, high = SCORES.get(row, (None, None, None))
        return replace(held, estimate=estimate, low=low, high=high) if row in SCORES else held

    numbers = tuple(replace(one, score=of(one.row, one.score)) for one in made.summary.numbers)
    lifted = Estimate(estimate=0.6, low=lift[0], high=lift[1])
    headlines = tuple(replace(one, lift=lifted, withheld="") for one in made.summary.headlines)
    return replace(made.summary, numbers=numbers, headlines=headlines)


def standing(made: Made, summary: Summary) -> Comparison:
    (group,) = groups(made, summary)
    found = next(line.standing for line in group.lines if line.headline.row == "extractor")
    graph = "graph-memory (k=20, rerank)"
    return Comparison(*([row for row in rows if row != graph] for rows in found))


def test_a_row_is_clearly_above_or_below_where_the_intervals_lie_apart(made: Made) -> None:
    """By hand: 50 to 80 % is above 10 to 30, below 90 to 100, and overlaps 40 to 70; the ceiling is no rival."""
    assert standing(made, scored(made)) == Comparison(["none", "window"], ["bm25"], ["full"])


def test_against_the_floor_the_interval_of_the_lift_decides(made: Made) -> None:
    """The floor's own interval reaches to 90 %, that of the paired lift does not reach 0."""
    assert "none" in standing(made, scored(made, lift=(0.01, 0.8))).above
    assert "none" in standing(made, scored(made, lift=(-0.01, 0.8))).level
    assert "none" in standing(made, scored(made, lift=(-0.8, -0.1))).below


def test_without_intervals_nothing_is_told_apart(made: Made) -> None:
    numbers = tuple(replace(one, score=replace(one.score, low=None, high=None)) for one in made.summary.numbers)
    told = standing(made, replace(scored(made, lift=(None, None)), numbers=numbers))
    assert (told.above, told.below) == ([], [])


def test_rows_under_test_stand_there_and_reference_rows_only_where_there_are_no_others(made: Made) -> None:
    (group,) = groups(made, made.summary)
    assert {line.headline.row for line in group.lines} == {"extractor", "graph-memory (k=20, rerank)"}
    rows = tuple(replace(row, reference=True) for row in made.summary.rows)
    numbers = tuple(replace(one, reference=True) for one in made.summary.numbers)
    (all_rows,) = groups(made, replace(made.summary, rows=rows, numbers=numbers))
    assert {"bm25", "full", "window", "extractor"} <= {line.headline.row for line in all_rows.lines}


def test_the_price_is_all_that_a_row_takes_by_question(made: Made) -> None:
    """By hand: 6 dollars of questions and 3 of writing, for 6 questions."""
    spent = RowCost(
        task="facts",
        row="extractor",
        questions=6,
        histories=2,
        question_money=Spread(mean=1, p50=1, p95=1, total=6),
        history_money=Spread(mean=1.5, p50=1, p95=2, total=3),
    )
    costs = Costs(total=CallSums(paid=1), rows=(spent,), units={"facts": "money"})
    (group,) = groups(made, replace(made.summary, costs=costs))
    assert {line.headline.row: line.price for line in group.lines} == {
        "extractor": 1.5,
        "graph-memory (k=20, rerank)": None,
    }


def written(made: Made, summary: Summary) -> str:
    return write(made.folder, summary, made.cells, card=made.card, identity=made.identity).read_text("utf-8")


def test_the_answer_stands_before_all_charts(made: Made) -> None:
    page = written(made, scored(made))
    answer = page.split('<section class="answer"')[1].split("</section>")[0]
    assert page.index('<section class="answer"') < page.index('<svg class="chart') < page.index('id="questions"')
    for said in ("Floor, %", "Ceiling, %", "Memory lift, %", "Faults", "clearly above", "40.0 to 80.0", "no row cost"):
        assert said in answer


def test_a_withheld_headline_says_why_and_no_number(made: Made) -> None:
    headlines = tuple(replace(one, withheld="too many faults") for one in made.summary.headlines)
    answer = written(made, replace(scored(made), headlines=headlines)).split('<section class="answer"')[1]
    body = answer.split("</table>")[0]
    assert body.count("No headline: too many faults.") == 2
    assert "clearly above" not in body

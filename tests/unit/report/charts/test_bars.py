from __future__ import annotations

import re

from recollect.records.tables.cells import Estimate
from recollect.records.tables.summary import Waterfall, WaterfallCell
from recollect.report.charts import bars


def half(low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(estimate=0.5, low=low, high=high)


def test_a_score_is_a_bar_with_whiskers_at_the_ends_of_its_interval() -> None:
    drawn = bars.score_bar("bm25", half(0.25, 0.75), [bars.Guide("floor", 0.1)], tone="system")
    assert 'class="bar system" x="0" y="6" width="50.00%"' in drawn
    assert 'class="whisker" x1="25.00%" x2="75.00%"' in drawn
    assert 'class="guide floor" x1="10.00%"' in drawn


def test_an_undefined_score_has_no_bar_and_says_why() -> None:
    drawn = bars.score_bar("bm25", Estimate(estimate=None, why="no answer counts"), [], tone="system")
    assert "<rect" not in drawn
    assert "bm25: no answer counts" in drawn


def test_the_pieces_of_a_stack_fill_it() -> None:
    drawn = bars.stacked_bar("bm25", [bars.Segment("right", 3), bars.Segment("wrong", 0), bars.Segment("fault", 1)])
    widths = [float(width) for width in re.findall(r'<rect class="piece [^>]*width="([0-9.]+)%"', drawn)]
    assert widths == [75.0, 25.0]


def test_a_stack_of_nothing_is_drawn_empty() -> None:
    assert "nothing planned" in bars.stacked_bar("bm25", [bars.Segment("right", 0)])


def test_a_waterfall_loses_what_the_table_says() -> None:
    """By hand: 10 answers, 8 right under oracle, 6 of them under readback, 5 of those under system."""
    corners = [(True, True, True, 5), (True, True, False, 1), (True, False, True, 2), (False, False, False, 2)]
    table = tuple(WaterfallCell(oracle=o, readback=r, system=s, count=c) for o, r, s, c in corners)
    fall = Waterfall(task="t", row="r", table=table, n=10, reading=half(), preservation=half(), retrieval=half())
    steps = bars.waterfall_steps(fall)
    assert [(step.arm, step.kept, step.lost) for step in steps] == [
        ("oracle", 8, 2),
        ("readback", 6, 2),
        ("system", 5, 1),
    ]


def test_a_waterfall_of_nothing_has_no_steps() -> None:
    fall = Waterfall(task="t", row="r", reading=half(), preservation=half(), retrieval=half(), why="graded")
    assert bars.waterfall_steps(fall) == ()


def point(row: str, cost: float, score: float) -> bars.Point:
    return bars.Point(row, cost, Estimate(estimate=score))


def test_a_row_is_on_the_frontier_unless_another_is_as_good_for_less_or_better_for_as_little() -> None:
    """By hand: b is as good as c for less; e is better than d for as much; a is the cheapest."""
    points = [point("a", 1, 0.1), point("b", 2, 0.5), point("c", 3, 0.5), point("d", 4, 0.6), point("e", 4, 0.7)]
    assert bars.frontier(points) == {"a", "b", "e"}


def test_the_oracle_beats_nobody() -> None:
    """It is shown the evidence: no memory could do what it does for that little."""
    oracle = bars.Point("oracle", 1, Estimate(estimate=1.0), rival=False)
    assert bars.frontier([oracle, point("bm25", 2, 0.5)]) == {"bm25"}


def test_two_rows_that_are_equal_in_both_do_not_beat_each_other() -> None:
    assert bars.frontier([point("a", 1, 0.5), point("b", 1, 0.5)]) == {"a", "b"}


def test_cost_grows_by_factors_of_ten_and_the_best_rows_are_joined() -> None:
    """0.001, 0.01 and 0.1 dollars stand equally far apart."""
    drawn = bars.cost_plane("facts", [point("a", 0.001, 0.2), point("b", 0.01, 0.6), point("c", 0.1, 0.5)], "dollars")
    marks = [float(x) for x in re.findall(r'class="ring" cx="([0-9.]+)%"', drawn)]
    assert sorted(marks) == [9.0, 52.0]
    assert drawn.count('class="frontier"') == 1
    assert "$0.001" in drawn
    assert "c: 50.0" in drawn


def test_a_row_that_costs_nothing_stands_at_the_left_end() -> None:
    drawn = bars.cost_plane("facts", [point("a", 0, 0.2), point("b", 250, 0.6)], "tokens")
    assert ">0</text>" in drawn
    assert ">1,000</text>" in drawn
    assert 'cx="9.00%"' in drawn


def test_rows_that_cost_the_same_have_a_scale_too() -> None:
    assert 'class="chart plane"' in bars.cost_plane("facts", [point("a", 10, 0.2), point("b", 10, 0.6)], "tokens")


def test_a_piece_can_be_told_in_other_words_than_its_class() -> None:
    drawn = bars.stacked_bar("bm25", [bars.Segment("lost unknown", 3, "wrong")])
    assert "bm25: 3 wrong" in drawn
    assert 'class="piece lost-unknown"' in drawn


def test_each_of_ten_rows_has_a_mark_that_no_other_has() -> None:
    """Shape and filling differ among the first eight; the last two are told by their colour and line."""
    shapes = [re.sub(r"series-\d+", "", bars.mark(n, "0%", 0)) for n in range(8)]
    assert len(set(shapes)) == 8
    assert len({bars.key_mark(n) for n in range(bars.SERIES)}) == bars.SERIES == 10

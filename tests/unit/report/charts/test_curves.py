"""The chart of evidence recall: each line has a look of its own, and its name where it ends."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations, pairwise
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.tables.cells import Estimate
from recollect.report.charts import bars, curves
from recollect.report.charts.curves import GAP, Spot, apart

Matrix = tuple[tuple[float, ...], ...]


def points(*recalls: float | None) -> tuple[Spot, ...]:
    """A line through *recalls*, at 1, 2, 3 and so on."""
    return tuple(
        Spot(str(place), Estimate(estimate=one, why="" if one is not None else "none"))
        for place, one in enumerate(recalls, start=1)
    )


def style() -> str:
    return files("recollect.report").joinpath("templates", "page.css").read_text(encoding="utf-8")


def name_places(drawn: str) -> dict[str, float]:
    """Name -> y coordinate, as drawn."""
    found = re.findall(r'class="end" x="18" y="([0-9.]+)"><title>([^<]*)</title>', drawn)
    return {name: float(y) for y, name in found}


def test_rows_are_told_apart_by_lines_of_their_own() -> None:
    drawn = curves.line_chart("evidence recall of facts", {f"row {n}": points(0.5, 0.6) for n in range(bars.SERIES)})
    assert all(f"line series-{n}" in drawn for n in range(bars.SERIES))


def test_each_line_has_a_dash_pattern_and_a_colour_that_no_other_has() -> None:
    """In the light scheme and in the dark one; the first line is drawn through."""
    dashes = re.findall(r"\.line\.series-\d\{stroke-dasharray:([^}]+)\}", style())
    assert len(dashes) == len(set(dashes)) == bars.SERIES - 1
    colours = re.findall(r"--s(\d):(#[0-9a-f]{6})", style())
    assert len(colours) == len(set(colours)) == 2 * bars.SERIES


SIGHTS = {
    "all three cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no green cones": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no red cones": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
}
"""Linear RGB as it is seen. Source: Machado, Oliveira and Fernandes 2009, severity 1."""


def seen(colour: str, sight: Matrix) -> tuple[float, ...]:
    """A colour in CIELAB, white D65, as it is seen."""
    coded = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in coded]
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in sight)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=SIGHTS)
def test_any_two_colours_are_told_apart_by_colour_blind_readers_too(sight: Matrix) -> None:
    """A distance of 2.3 is just seen; 20 is plain at the width of a line."""
    colours = re.findall(r"--s\d:(#[0-9a-f]{6})", style())
    for scheme in (colours[: bars.SERIES], colours[bars.SERIES :]):
        assert min(dist(seen(a, sight), seen(b, sight)) for a, b in combinations(scheme, 2)) > 20


def test_points_without_a_recall_are_left_out() -> None:
    assert "at 2" not in curves.line_chart("evidence recall of facts", {"bm25": points(0.5, None)})


def test_rows_are_named_in_the_order_in_which_their_lines_end() -> None:
    """By hand: c ends at 90 %, a and d at 50 %, b stopped at 20 %."""
    lines = {"a": points(0.1, 0.5), "b": points(0.2, None), "c": points(0.0, 0.9), "d": points(0.9, 0.5)}
    assert [(end.row, end.number, end.ratio) for end in curves.ends_of(lines)] == [
        ("c", 2, 0.9),
        ("a", 0, 0.5),
        ("d", 3, 0.5),
        ("b", 1, 0.2),
    ]
    places = name_places(curves.line_chart("evidence recall of facts", lines))
    assert sorted(places, key=places.__getitem__) == ["c", "a", "d", "b"]


def test_names_of_lines_that_end_together_do_not_lie_on_one_another() -> None:
    """Twelve rows at the bottom: all names are a gap apart and inside the drawing."""
    drawn = curves.line_chart("evidence recall of facts", {f"row {n}": points(0.0, 0.01) for n in range(12)})
    places = sorted(name_places(drawn).values())
    assert len(places) == 12
    assert all(second - first >= GAP - 0.02 for first, second in pairwise(places))
    assert places[-1] <= bars.CURVES


def test_more_names_than_the_chart_is_high_make_it_higher() -> None:
    drawn = curves.line_chart("evidence recall of facts", {f"row {n}": points(0.5) for n in range(30)})
    tall = float(re.findall(r'class="chart curves"[^>]* height="([0-9.]+)"', drawn)[0])
    assert tall >= 30 * GAP
    assert max(name_places(drawn).values()) <= tall + 4


def test_a_long_name_is_cut_at_its_line_and_whole_in_its_title() -> None:
    drawn = curves.line_chart("evidence recall of facts", {"m" * 60: points(0.5)})
    assert f"<title>{'m' * 60}</title>{'m' * 21}…" in drawn


def test_a_name_that_has_room_stays_where_its_line_ends() -> None:
    assert apart([10.0, 100.0, 200.0], gap=14, least=6, most=244) == [10.0, 100.0, 200.0]


def test_two_names_that_touch_move_by_as_much_each() -> None:
    """By hand: both want about 100; the middle stays, and each goes half a gap."""
    assert apart([100.0, 100.0], gap=14, least=6, most=244) == [93.0, 107.0]


@given(st.lists(st.floats(6, 244), max_size=17))
def test_names_keep_their_order_their_gap_and_their_bounds(wanted: list[float]) -> None:
    wanted.sort()
    placed = apart(wanted, gap=14, least=6, most=244)
    assert len(placed) == len(wanted)
    assert all(second - first >= 14 - 1e-6 for first, second in pairwise(placed))
    assert all(6 - 1e-6 <= place <= 244 + 1e-6 for place in placed)

"""A drawing takes along the rules that it needs, and no variable, media query or unused rule."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from recollect.report.exports.drawing import patterns_of, style_of

SHEET = files("recollect.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
LIGHT = SHEET.partition("@media")[0]


def colour(name: str) -> str:
    """A colour of the page on light paper."""
    found = re.search(rf"--{name}:([^;}}]+)", LIGHT)
    assert found is not None
    return found[1]


def drawing(*classes: str) -> str:
    """A shape with *classes* in a chart."""
    return f'<svg class="chart"><rect class="{" ".join(classes)}"/></svg>'


def test_colours_are_those_of_light_paper_and_no_variable_is_left() -> None:
    style = style_of(drawing("bar", "system", "tick"))
    assert f".chart .bar.system{{fill:{colour('system')}}}" in style
    assert "var(" not in style
    assert "--" not in style
    assert "@media" not in style


def test_what_the_page_says_for_dark_screens_and_phones_stays_there() -> None:
    """Counts on a piece are white by day and dark by night; names of lines are left out on a phone."""
    style = style_of('<svg class="chart curves"><text class="on piece"/><svg class="name"/></svg>')
    assert [line for line in style.splitlines() if line.startswith(".chart text.on{")] == [
        ".chart text.on{stroke:none;fill:#fff;font-weight:650}"
    ]
    assert "display:none" not in style


def test_rules_for_what_is_not_drawn_are_left_out() -> None:
    """Of the page's navigation, which has a class of the same name as a bar, nothing comes along either."""
    style = style_of(drawing("bar", "system"))
    assert "reference" not in style
    assert "sticky" not in style
    assert "piece" not in style


@pytest.mark.parametrize("number", [0, 3, 9])
def test_a_rows_line_has_the_colour_of_its_number(number: int) -> None:
    style = style_of(drawing("line", f"series-{number}"))
    assert f"stroke:{colour(f's{number}')}" in style
    assert {int(found) for found in re.findall(r"series-(\d)", style)} == {number}


def test_a_hatched_square_brings_its_pattern() -> None:
    """The page defines patterns once for all charts; a file must have its own."""
    style = style_of(drawing("heat", "unknown"))
    pattern = patterns_of(style)
    assert pattern.startswith('<pattern id="hatch"')
    assert pattern.count("<pattern") == 1
    assert f"fill:{colour('absent')}" in style_of(pattern)
    assert patterns_of(style_of(drawing("bar", "system"))) == ""

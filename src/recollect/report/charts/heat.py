"""A heat map: a square for each row and column, as dark as the number in it."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from recollect.report.charts.curves import Lines, Spot, row_name
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent, spoken

SQUARE, HEAD = 26, 20
NAMES = 0.2
"""Share of the width for the names of rows."""
DARKEST = 0.6
"""Opacity of 1; on a darker square the number would be unreadable."""


def heat_map(what: str, lines: Lines) -> Markup:
    """The chart; numbers below 0 are as light as 0, and those above 1 as dark as 1."""
    places = list(dict.fromkeys(spot.at for spots in lines.values() for spot in spots))
    width = (1 - NAMES) / max(1, len(places))
    shapes = []
    for index, place in enumerate(places):
        x = across(NAMES + width * (index + 0.5))
        shapes.append(element("text", place, class_="tick", x=x, y=14, text_anchor="middle"))
    for number, (row, spots) in enumerate(lines.items()):
        top = HEAD + SQUARE * number
        shapes.append(row_name(row, 0, top + SQUARE / 2 + 4))
        for spot in spots:
            shapes.extend(_square(row, spot, NAMES + width * places.index(spot.at), width, top + 1))
    title = f"{what}: " + ", ".join(f"{row} {spoken(spots[-1].score)}" for row, spots in lines.items() if spots)
    return picture("heat", title, shapes, height=HEAD + SQUARE * len(lines))


def _square(row: str, spot: Spot, left: float, width: float, y: float) -> Iterator[Markup]:
    score, middle = spot.score, across(left + width / 2)
    known = score.estimate is not None
    yield element(
        "rect",
        element("title", f"{row}, {spot.at}: {spoken(score)}"),
        class_="heat" if known else "heat unknown",
        x=across(left),
        y=y,
        width=across(width),
        height=SQUARE - 2,
        fill_opacity=round(DARKEST * min(max(score.estimate or 0.0, 0.0), 1.0), 3) if known else None,
    )
    number = percent(score.estimate, 0)
    yield element("text", number, class_="number", x=middle, y=y + SQUARE / 2 + 3, text_anchor="middle")

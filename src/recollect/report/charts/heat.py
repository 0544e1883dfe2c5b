"""A heat map: a square for each row and place, as dark as its number, which stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from recollect.records.tables.summary import Estimate
from recollect.report.charts.curves import LONGEST, Lines
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent, spoken

SQUARE, HEAD = 26, 20
NAMES = 0.2
"""Share of the width that the names of rows take."""
DARKEST = 0.6
"""Opacity of 1; darker, the number in it could not be read."""


def heat_map(what: str, lines: Lines) -> Markup:
    """The chart; numbers below 0 are as light as 0, and those above 1 as dark as 1."""
    places = list(dict.fromkeys(spot.at for spots in lines.values() for spot in spots))
    shapes = list(_head(places))
    for number, (row, spots) in enumerate(lines.items()):
        top = HEAD + SQUARE * number
        shapes.append(_name(row, top))
        shapes.extend(
            shape for spot in spots for shape in _square(row, spot.score, places.index(spot.at), (places, top))
        )
    title = f"{what}: " + ", ".join(f"{row} {spoken(spots[-1].score)}" for row, spots in lines.items() if spots)
    return picture("heat", title, shapes, height=HEAD + SQUARE * len(lines))


def _width(places: Sequence[str]) -> float:
    return (1 - NAMES) / max(1, len(places))


def _head(places: Sequence[str]) -> Iterator[Markup]:
    for at, place in enumerate(places):
        x = across(NAMES + _width(places) * (at + 0.5))
        yield element("text", place, class_="tick", x=x, y=14, text_anchor="middle")


def _name(row: str, top: int) -> Markup:
    short = row if len(row) <= LONGEST else f"{row[: LONGEST - 1]}…"
    return element("text", element("title", row), short, class_="end", x=0, y=top + SQUARE / 2 + 4)


def _square(row: str, score: Estimate, at: int, where: tuple[Sequence[str], int]) -> Iterator[Markup]:
    places, top = where
    width = _width(places)
    left, y = NAMES + width * at, top + 1
    said = element("title", f"{row}, {places[at]}: {spoken(score)}")
    known = score.estimate is not None
    yield element(
        "rect",
        said,
        class_="heat" if known else "heat unknown",
        x=across(left),
        y=y,
        width=across(width),
        height=SQUARE - 2,
        fill_opacity=round(DARKEST * min(max(score.estimate or 0.0, 0.0), 1.0), 3) if known else None,
    )
    middle = across(left + width / 2)
    yield element(
        "text", percent(score.estimate, 0), class_="number", x=middle, y=y + SQUARE / 2 + 3, text_anchor="middle"
    )

"""Line charts of ratios, such as evidence recall over items found: a line for each row, named where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.cells import Estimate
from recollect.report.charts.bars import CURVES, SERIES, height, key_mark, mark, percent_axis
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent_with_unit, spoken

GAP = 14.0
"""Between the names of two lines."""
NAMES = "78%"
"""Where the names begin; the style sheet hides them on a phone, where the legend replaces them."""
LONGEST = 22
"""Characters of a name that fit there; the legend has the full name."""
TOP = 6.0


class Spot(NamedTuple):
    at: str
    score: Estimate


Lines = Mapping[str, Sequence[Spot]]
"""Row -> its line; each has a score somewhere."""


class End(NamedTuple):
    row: str
    number: int
    """The index of the row among all that are drawn, which decides its style."""
    ratio: float


class PeriodCurve(NamedTuple):
    name: str
    chart: Markup
    legend: Sequence[tuple[str, Markup]]


def curves_over_periods(task: str, measures: Iterable[tuple[str, Lines]]) -> Iterator[PeriodCurve]:
    """A chart for each measure that some row has; rows without a score anywhere are left out."""
    for name, lines in measures:
        drawn = {row: spots for row, spots in lines.items() if any(one.score.estimate is not None for one in spots)}
        if drawn:
            legend = [(end.row, key_mark(end.number)) for end in ends_of(drawn)]
            yield PeriodCurve(name, line_chart(f"{name.lower()} of {task}, by period", drawn), legend)


def ends_of(lines: Lines) -> tuple[End, ...]:
    """The rows in the order in which their lines end, the highest first."""
    found = []
    for number, (row, spots) in enumerate(lines.items()):
        known = [spot.score.estimate for spot in spots if spot.score.estimate is not None]
        found.append(End(row, number, known[-1] if known else 0.0))
    return tuple(sorted(found, key=lambda end: -end.ratio))


def line_chart(what: str, lines: Lines) -> Markup:
    """The chart. The names of lines that end close together are moved apart, each joined to its line."""
    places = list(dict.fromkeys(point.at for points in lines.values() for point in points))
    shapes = [*percent_axis()]
    for place in places:
        x = across(_column(places, place))
        shapes.append(element("text", place, class_="tick", x=x, y=CURVES - 6, text_anchor="middle"))
    for number, points in reversed(list(enumerate(lines.values()))):  # systems on top
        shapes.extend(_curve(number % SERIES, points, places))
    ends = ends_of(lines)
    tall = max(CURVES, round(TOP + GAP * len(ends)))
    plane = element("svg", *shapes, class_="plane-of-curves", width=NAMES, height=tall, overflow="visible")
    title = f"{what}: " + ", ".join(f"{end.row} {percent_with_unit(end.ratio)}" for end in ends)
    return picture("curves", title, [plane, *_names(ends, tall)], height=tall)


def apart(wanted: Sequence[float], *, gap: float, least: float, most: float) -> list[float]:
    """Sorted positions moved as little as possible, so that no two are closer than *gap* and all are within the bounds.

    Positions that would overlap form a block around their mean; blocks that overlap are merged.
    """
    blocks: list[_Block] = []
    for place in wanted:
        blocks.append(_Block(place, 1).within(gap, least, most))
        while len(blocks) > 1 and blocks[-1].begin(gap) < blocks[-2].begin(gap) + gap * blocks[-2].many:
            blocks.append(blocks.pop().joined(blocks.pop()).within(gap, least, most))
    return [block.begin(gap) + gap * at for block in blocks for at in range(block.many)]


class _Block(NamedTuple):
    """Names at the least distance."""

    middle: float
    many: int

    def begin(self, gap: float) -> float:
        return self.middle - gap * (self.many - 1) / 2

    def within(self, gap: float, least: float, most: float) -> _Block:
        """Moved to where all of it fits; where it does not fit, the upper bound is ignored."""
        half = gap * (self.many - 1) / 2
        return _Block(max(min(self.middle, most - half), least + half), self.many)

    def joined(self, other: _Block) -> _Block:
        many = self.many + other.many
        return _Block((self.middle * self.many + other.middle * other.many) / many, many)


def _names(ends: Sequence[End], tall: float) -> Iterator[Markup]:
    wanted = [height(end.ratio) for end in ends]
    placed = apart(wanted, gap=GAP, least=TOP, most=tall - TOP)
    for end, at, y in zip(ends, wanted, placed, strict=True):
        thread = element("line", class_=f"thread series-{end.number % SERIES}", x1=0, x2=14, y1=at, y2=round(y, 2))
        name = row_name(end.row, 18, round(y + 4, 2))
        yield element("svg", thread, name, class_="name", x=NAMES, overflow="visible")


def row_name(row: str, x: float, y: float) -> Markup:
    """The name of a row, shortened; pointing at it shows all of it."""
    short = row if len(row) <= LONGEST else f"{row[: LONGEST - 1]}…"
    return element("text", element("title", row), short, class_="end", x=x, y=y)


def _curve(series: int, points: Sequence[Spot], places: Sequence[str]) -> Iterator[Markup]:
    known = [(_column(places, point.at), point) for point in points if point.score.estimate is not None]
    spots = [(across(x), height(point.score.estimate or 0.0)) for x, point in known]
    for (x1, y1), (x2, y2) in pairwise(spots):
        yield element("line", class_=f"line series-{series}", x1=x1, y1=y1, x2=x2, y2=y2)
    for x, y in spots[-1:]:
        yield element("line", class_=f"thread series-{series}", x1=x, x2="100%", y1=y, y2=y)
    for (x, y), (_, point) in zip(spots, known, strict=True):
        yield mark(series, x, y, f"at {point.at}: {spoken(point.score)}")


def _column(places: Sequence[str], place: str) -> float:
    return 0.09 + 0.88 * places.index(place) / max(1, len(places) - 1)

"""Ratios over places in a row, such as evidence recall over items found: a line for each row, named where it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.summary import Estimate, RetrievalPoint
from recollect.report.charts.bars import CURVES, SERIES, height, mark, percent_axis
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent_with_unit, spoken

GAP = 14.0
"""Between the names of two lines, from one to the next."""
NAMES = "78%"
"""Where the names begin; the style sheet leaves them out on a phone, where the legend has to do."""
LONGEST = 22
"""Characters of a name that have room there; the legend has it whole."""
TOP = 6.0

Curves = Mapping[str, Sequence[RetrievalPoint]]


class Spot(NamedTuple):
    """One point of a line."""

    at: str
    score: Estimate


Lines = Mapping[str, Sequence[Spot]]
"""Row -> its line; each has a score somewhere."""


class End(NamedTuple):
    """Where the line of a row ends."""

    row: str
    number: int
    """The place of the row among all that are drawn, which is its look."""
    recall: float
    """Or whatever the line is of."""


def ends(curves: Curves) -> tuple[End, ...]:
    """The rows in the order in which their lines end, the highest first."""
    return ends_of(_lines(curves))


def ends_of(lines: Lines) -> tuple[End, ...]:
    """The same of any lines."""
    found = (End(row, number, _last(points)) for number, (row, points) in enumerate(lines.items()))
    return tuple(sorted(found, key=lambda end: -end.recall))


def recall_curves(task: str, curves: Curves) -> Markup:
    """The chart of evidence recall."""
    return line_chart(f"evidence recall of {task}", _lines(curves))


def line_chart(what: str, lines: Lines) -> Markup:
    """The chart. Lines that end close to one another have their names moved apart, with a thread to each."""
    places = list(dict.fromkeys(point.at for points in lines.values() for point in points))
    shapes = [*percent_axis(), *_columns(places)]
    for number, points in reversed(list(enumerate(lines.values()))):  # systems on top
        shapes.extend(_curve(number % SERIES, points, places))
    named = ends_of(lines)
    tall = max(CURVES, round(TOP + GAP * len(named)))
    plane = element("svg", *shapes, class_="plane-of-curves", width=NAMES, height=tall, overflow="visible")
    title = f"{what}: " + ", ".join(f"{end.row} {percent_with_unit(end.recall)}" for end in named)
    return picture("curves", title, [plane, *_names(named, tall)], height=tall)


def apart(wanted: Sequence[float], *, gap: float, least: float, most: float) -> list[float]:
    """Sorted places moved as little as may be, so that no two are closer than *gap* and all are within the bounds.

    Places that would touch form a block around the mean of what they wanted; blocks that touch become one.
    """
    blocks: list[_Block] = []
    for place in wanted:
        blocks.append(_Block(place, 1).within(gap, least, most))
        while len(blocks) > 1 and blocks[-1].begin(gap) < blocks[-2].begin(gap) + gap * blocks[-2].many:
            blocks.append(blocks.pop().joined(blocks.pop()).within(gap, least, most))
    return [block.begin(gap) + gap * at for block in blocks for at in range(block.many)]


class _Block(NamedTuple):
    """Names that stand as close as may be."""

    middle: float
    many: int

    def begin(self, gap: float) -> float:
        """Where the first one stands."""
        return self.middle - gap * (self.many - 1) / 2

    def within(self, gap: float, least: float, most: float) -> _Block:
        """Moved to where all of it has room; the upper bound gives way where there is too little."""
        half = gap * (self.many - 1) / 2
        return _Block(max(min(self.middle, most - half), least + half), self.many)

    def joined(self, other: _Block) -> _Block:
        """One block around the mean of both."""
        many = self.many + other.many
        return _Block((self.middle * self.many + other.middle * other.many) / many, many)


def _lines(curves: Curves) -> Lines:
    return {row: [Spot(point.at, point.recall) for point in points] for row, points in curves.items()}


def _names(named: Sequence[End], tall: float) -> Iterator[Markup]:
    wanted = [height(end.recall) for end in named]
    placed = apart(wanted, gap=GAP, least=TOP, most=tall - TOP)
    for end, at, y in zip(named, wanted, placed, strict=True):
        look = f"series-{end.number % SERIES}"
        short = end.row if len(end.row) <= LONGEST else f"{end.row[: LONGEST - 1]}…"
        yield element(
            "svg",
            element("line", class_=f"thread {look}", x1=0, x2=14, y1=at, y2=round(y, 2)),
            element("text", element("title", end.row), short, class_="end", x=18, y=round(y + 4, 2)),
            class_="name",
            x=NAMES,
            overflow="visible",
        )


def _columns(places: Sequence[str]) -> Iterator[Markup]:
    for place in places:
        x = across(_column(places, place))
        yield element("text", place, class_="tick", x=x, y=CURVES - 6, text_anchor="middle")


def _curve(series: int, points: Sequence[Spot], places: Sequence[str]) -> Iterator[Markup]:
    known = [(_column(places, point.at), point) for point in points if point.score.estimate is not None]
    spots = [(across(x), height(point.score.estimate or 0.0)) for x, point in known]
    for (x1, y1), (x2, y2) in pairwise(spots):
        yield element("line", class_=f"line series-{series}", x1=x1, y1=y1, x2=x2, y2=y2)
    for x, y in spots[-1:]:
        yield element("line", class_=f"thread series-{series}", x1=x, x2="100%", y1=y, y2=y)
    for (x, y), (_, point) in zip(spots, known, strict=True):
        yield mark(series, x, y, f"at {point.at}: {spoken(point.score)}")


def _last(points: Sequence[Spot]) -> float:
    """The ratio at the end of a line."""
    return next((one.score.estimate for one in reversed(points) if one.score.estimate is not None), 0.0)


def _column(places: Sequence[str], place: str) -> float:
    return 0.09 + 0.88 * places.index(place) / max(1, len(places) - 1)

"""The charts: inline SVG that is as wide as its place, so that it can be read on a phone and in print.

Colours are classes of the style sheet, which knows light, dark and paper; no meaning rests on colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.summary import Estimate, Waterfall
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent, percent_with_unit, spoken, written

BAR, STEP, CURVES, AXIS = 26, 22, 250, 22
SERIES = 10
"""Rows that get a line of their own look; more begin anew."""
SHAPES = ("", "M-4-4H4V4H-4Z", "M0-5.7L5.7 0 0 5.7-5.7 0Z", "M0-5.5L5.2 4H-5.2Z")
"""Circle, square, diamond, triangle, around the origin."""
WIDE_ENOUGH = 0.055
"""Share of a bar that a written count needs."""
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Guide(NamedTuple):
    """A line across all bars of a table."""

    name: str
    """`floor`, `ceiling` or `chance`."""
    at: float


class Segment(NamedTuple):
    """A piece of a stacked bar."""

    name: str
    """Its class, and what it is called where *said* is empty."""
    many: int
    said: str = ""


def score_bar(label: str, score: Estimate, guides: Sequence[Guide], *, tone: str) -> Markup:
    """A bar from 0 to 100 % with its interval as whiskers, and the guides behind."""
    shapes = [*_grid(BAR), *_guides(guides, BAR)]
    if score.estimate is not None:
        width = across(score.estimate)
        shapes.append(element("rect", class_=f"bar {tone}", x="0", y=6, width=width, height=BAR - 12, rx=2))
        shapes.extend(_whiskers(score))
    return picture("score", f"{label}: {spoken(score)}", shapes, height=BAR)


def score_axis(guides: Sequence[Guide] = ()) -> Markup:
    """Percent below the bars."""
    names = ", ".join(f"{guide.name} {percent_with_unit(guide.at)}" for guide in guides)
    title = f"axis from 0 to 100 %; {names}" if names else "axis from 0 to 100 %"
    shapes = [
        element("text", percent(tick, 0), x=across(tick), y=14, text_anchor=_anchor(tick), class_="tick")
        for tick in TICKS
    ]
    return picture("axis", title, shapes, height=AXIS)


def stacked_bar(label: str, segments: Sequence[Segment]) -> Markup:
    """All that was planned, one piece for each outcome; pieces of nothing are left out."""
    total = sum(segment.many for segment in segments)
    told = [segment for segment in segments if segment.many]
    title = f"{label}: " + (", ".join(f"{one.many} {one.said or one.name}" for one in told) or "nothing planned")
    return picture("stack", title, list(_stacked(told, total)), height=BAR)


def _stacked(segments: Sequence[Segment], total: int) -> Iterator[Markup]:
    start = 0.0
    for name, count, said in segments:
        share = count / total
        kind = f"piece {name.replace(' ', '-')}"
        tip = element("title", f"{count} {said or name} ({percent_with_unit(share)})")
        yield element("rect", tip, class_=kind, x=across(start), y=3, width=across(share), height=BAR - 6)
        if share >= WIDE_ENOUGH:
            place = across(start + share / 2)
            yield element("text", str(count), x=place, y=BAR / 2 + 4.5, text_anchor="middle", class_=f"on {kind}")
        start += share


class Fall(NamedTuple):
    """Right answers left after an arm, and lost at it."""

    arm: str
    meaning: str
    kept: int
    lost: int
    n: int
    chart: Markup


def waterfall_steps(waterfall: Waterfall) -> tuple[Fall, ...]:
    """Three bars: right under oracle, still right under readback, still right with the memory's own search."""
    corners = [(cell.oracle, cell.readback, cell.system, cell.count) for cell in waterfall.table]
    read = sum(count for oracle, _, _, count in corners if oracle)
    kept = sum(count for oracle, readback, _, count in corners if oracle and readback)
    found = sum(count for oracle, readback, system, count in corners if oracle and readback and system)
    steps = (
        ("oracle", "at reading", read, waterfall.n - read),
        (waterfall.variant, "at write", kept, read - kept),
        ("system", "at search or use", found, kept - found),
    )
    return tuple(
        Fall(arm, meaning, right, lost, waterfall.n, _fall(f"{waterfall.row}, {arm}", right, lost, waterfall.n))
        for arm, meaning, right, lost in steps
        if waterfall.n
    )


def _fall(label: str, kept: int, lost: int, n: int) -> Markup:
    title = f"{label}: {kept} of {n} right, {lost} lost here"
    shapes = [*_grid(STEP)]
    shapes.append(element("rect", class_="bar kept", x="0", y=3, width=across(kept / n), height=STEP - 6, rx=2))
    if lost:
        shapes.append(
            element("rect", class_="bar lost", x=across(kept / n), y=3, width=across(lost / n), height=STEP - 6, rx=2)
        )
    return picture("fall", title, shapes, height=STEP)


def key_mark(number: int) -> Markup:
    """The look of one row's line, for the legend."""
    series = number % SERIES
    line = element("line", class_=f"line series-{series}", x1=0, y1=7, x2=28, y2=7)
    return element("svg", line, mark(series, "50%", 7), class_="chart key", width=28, height=14, aria_hidden="true")


def mark(series: int, x: str, y: float, title: str = "") -> Markup:
    """A shape of its own: circle, square, diamond, triangle, and the same hollow."""
    tip = (element("title", title),) if title else ()
    kind = f"mark series-{series}" + (" hollow" if series // len(SHAPES) % 2 else "")
    shape = SHAPES[series % len(SHAPES)]
    if not shape:
        return element("circle", *tip, class_=kind, cx=x, cy=y, r=4.5)
    return element("svg", element("path", *tip, class_=kind, d=shape), x=x, y=y, overflow="visible")


def height(ratio: float) -> float:
    """The y coordinate of a ratio in a plane."""
    return round(10 + (CURVES - 40) * (1 - ratio), 2)


def percent_axis() -> Iterator[Markup]:
    """Lines across a plane, with their percent at the left."""
    for tick in TICKS:
        y = height(tick)
        yield element("line", class_="grid", x1=across(0.05), x2="100%", y1=y, y2=y)
        yield element("text", percent(tick, 0), class_="tick", x=across(0.04), y=y + 4, text_anchor="end")


def _grid(tall: int) -> Iterator[Markup]:
    for tick in TICKS:
        yield element("line", class_="grid", x1=across(tick), x2=across(tick), y1=0, y2=tall)


def _guides(guides: Sequence[Guide], tall: int) -> Iterator[Markup]:
    for guide in guides:
        x = across(guide.at)
        yield element("line", class_=f"guide {guide.name}", x1=x, x2=x, y1=0, y2=tall)


def _whiskers(score: Estimate) -> Iterator[Markup]:
    if score.low is None or score.high is None:
        return
    low, high, middle = across(score.low), across(score.high), BAR / 2
    for kind in ("halo", "whisker"):
        yield element("line", class_=kind, x1=low, x2=high, y1=middle, y2=middle)
        for end in (low, high):
            yield element("line", class_=kind, x1=end, x2=end, y1=middle - 4, y2=middle + 4)


def _anchor(tick: float) -> str:
    return "start" if tick == 0.0 else "end" if tick == 1.0 else "middle"


class Point(NamedTuple):
    """A row in the plane of score and cost."""

    row: str
    cost: float
    score: Estimate
    rival: bool = True
    """It could be used: the oracle, which is shown the evidence, could not."""


def frontier(points: Sequence[Point]) -> frozenset[str]:
    """Rows that no other beats: none has as good a score for less, or a better one for as little."""
    rivals = [point for point in points if point.rival]

    def beaten(point: Point) -> bool:
        return any(
            _at(other) >= _at(point)
            and other.cost <= point.cost
            and (_at(other) > _at(point) or other.cost < point.cost)
            for other in rivals
        )

    return frozenset(point.row for point in rivals if not beaten(point))


def cost_plane(task: str, points: Sequence[Point], unit: str) -> Markup:
    """Score over cost, which grows by factors of ten; the best rows for their money are joined by a line."""
    scale = _Scale.of([point.cost for point in points])
    best = frontier(points)
    edge = sorted((point for point in points if point.row in best), key=lambda point: (point.cost, _at(point)))
    shapes = [*_cost_axes(scale, unit)]
    for one, other in pairwise(edge):
        x1, x2 = across(scale.place(one.cost)), across(scale.place(other.cost))
        shapes.append(element("line", class_="frontier", x1=x1, x2=x2, y1=height(_at(one)), y2=height(_at(other))))
    for number, point in reversed(list(enumerate(points))):
        told = f"{point.row}: {spoken(point.score)} for {written(point.cost, unit)}"
        x, y = across(scale.place(point.cost)), height(_at(point))
        if point.row in best:
            shapes.append(element("circle", class_="ring", cx=x, cy=y, r=8))
        shapes.append(mark(number % SERIES, x, y, told))
    names = ", ".join(point.row for point in edge)
    title = f"score of {task} over {unit} a question; best for what they cost: {names}"
    return picture("plane", title, shapes, height=CURVES)


class _Scale(NamedTuple):
    """Factors of ten from left to right; what costs nothing stands at the very left."""

    low: int
    high: int
    free: bool
    """The left end stands for nothing, and not for ten to the power of *low*."""

    @classmethod
    def of(cls, costs: Sequence[float]) -> _Scale:
        """A scale that holds all of *costs*."""
        dear, free = [log10(cost) for cost in costs if cost > 0] or [0.0], any(cost <= 0 for cost in costs)
        low, high = floor(min(dear)), ceil(max(dear))
        return cls(low - free, max(high, low + 1), free)

    def place(self, cost: float) -> float:
        """Where *cost* stands on the x axis, a ratio."""
        at = self.low if cost <= 0 else log10(cost)
        return 0.09 + 0.86 * (at - self.low) / (self.high - self.low)


def _cost_axes(scale: _Scale, unit: str) -> Iterator[Markup]:
    yield from percent_axis()
    for power in range(scale.low, scale.high + 1):
        x, cost = across(scale.place(10.0**power)), 0.0 if scale.free and power == scale.low else 10.0**power
        yield element("line", class_="grid", x1=x, x2=x, y1=10, y2=CURVES - 30)
        yield element("text", written(cost, unit), class_="tick", x=x, y=CURVES - 6, text_anchor="middle")


def _at(point: Point) -> float:
    return point.score.estimate or 0.0


TALL, GAP = 13, 3
STAGE_REACH = 0.76
"""Share of the width that 100 % takes; the number stands behind it."""
STAGES = ("preserved", "retrieved")


def stage_bars(label: str, preservation: Estimate, retrieval: Estimate) -> Markup:
    """The upper bar and the lower one, each with its interval; what is undefined has no bar but a dash."""
    told = list(zip(STAGES, (preservation, retrieval), strict=True))
    title = f"{label}: " + "; ".join(f"{name} {spoken(share)}" for name, share in told)
    shapes = [
        shape for place, (name, share) in enumerate(told) for shape in _bar(name, share, GAP + place * (TALL + GAP))
    ]
    return picture("stages", title, shapes, height=2 * (TALL + GAP) + GAP)


def _bar(name: str, share: Estimate, top: int) -> Iterator[Markup]:
    middle = top + TALL / 2
    yield element("line", class_="grid", x1="0", x2="0", y1=top, y2=top + TALL)
    yield element("line", class_="grid", x1=across(STAGE_REACH), x2=across(STAGE_REACH), y1=top, y2=top + TALL)
    if share.estimate is not None:
        tip = element("title", f"{name} {spoken(share)}, of {share.n}")
        width = across(STAGE_REACH * share.estimate)
        yield element("rect", tip, class_=f"bar {name}", x="0", y=top, width=width, height=TALL, rx=2)
    if share.low is not None and share.high is not None:
        ends = [across(STAGE_REACH * end) for end in (share.low, share.high)]
        for kind in ("halo", "whisker"):
            yield element("line", class_=kind, x1=ends[0], x2=ends[1], y1=middle, y2=middle)
    yield element("text", percent(share.estimate), class_="end", x="100%", y=middle + 4, text_anchor="end")

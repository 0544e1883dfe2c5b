"""The charts: inline SVG as wide as its container, readable on a phone and in print.

Colours are classes of the style sheet, which has light, dark and print themes; nothing is encoded by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from recollect.records.tables.cells import Estimate
from recollect.records.tables.summary import Waterfall
from recollect.report.charts.svg import across, element, picture
from recollect.report.numbers import percent, percent_with_unit, spoken, written

BAR, STEP, CURVES, AXIS = 26, 22, 250, 22
SERIES = 10
"""Distinct line styles; further rows reuse them."""
SHAPES = ("", "M-4-4H4V4H-4Z", "M0-5.7L5.7 0 0 5.7-5.7 0Z", "M0-5.5L5.2 4H-5.2Z")
WIDE_ENOUGH = 0.055
"""Least share of a bar in which a count fits."""
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Guide(NamedTuple):
    """A line across all bars of a table."""

    name: str
    at: float


class Segment(NamedTuple):
    name: str
    """Its class, and its label where *said* is empty."""
    many: int
    said: str = ""


def score_bar(label: str, score: Estimate, guides: Sequence[Guide], *, tone: str) -> Markup:
    """A bar from 0 to 100 % with its interval as whiskers, and the guides behind."""
    shapes = [*_grid(BAR)]
    for name, ratio in guides:
        shapes.append(element("line", class_=f"guide {name}", x1=across(ratio), x2=across(ratio), y1=0, y2=BAR))
    if score.estimate is not None:
        width = across(score.estimate)
        shapes.append(element("rect", class_=f"bar {tone}", x="0", y=6, width=width, height=BAR - 12, rx=2))
        if score.low is not None and score.high is not None:
            shapes.extend(_whiskers(across(score.low), across(score.high)))
    return picture("score", f"{label}: {spoken(score)}", shapes, height=BAR)


def score_axis(guides: Sequence[Guide] = ()) -> Markup:
    """Percent below the bars."""
    names = ", ".join(f"{guide.name} {percent_with_unit(guide.at)}" for guide in guides)
    title = f"axis from 0 to 100 %; {names}" if names else "axis from 0 to 100 %"
    anchors = {0.0: "start", 1.0: "end"}
    shapes = [
        element("text", percent(tick, 0), x=across(tick), y=14, text_anchor=anchors.get(tick, "middle"), class_="tick")
        for tick in TICKS
    ]
    return picture("axis", title, shapes, height=AXIS)


def stacked_bar(label: str, segments: Sequence[Segment]) -> Markup:
    """All that was planned, one piece for each outcome; empty pieces are left out."""
    total = sum(segment.many for segment in segments)
    pieces = [(name, count, text or name) for name, count, text in segments if count]
    title = f"{label}: " + (", ".join(f"{count} {text}" for _, count, text in pieces) or "nothing planned")
    shapes, start = [], 0.0
    for name, count, text in pieces:
        share = count / total
        kind = f"piece {name.replace(' ', '-')}"
        tip = element("title", f"{count} {text} ({percent_with_unit(share)})")
        shapes.append(element("rect", tip, class_=kind, x=across(start), y=3, width=across(share), height=BAR - 6))
        if share >= WIDE_ENOUGH:
            x, y = across(start + share / 2), BAR / 2 + 4.5
            shapes.append(element("text", str(count), x=x, y=y, text_anchor="middle", class_=f"on {kind}"))
        start += share
    return picture("stack", title, shapes, height=BAR)


class Fall(NamedTuple):
    arm: str
    meaning: str
    kept: int
    lost: int
    n: int
    chart: Markup


def waterfall_steps(waterfall: Waterfall) -> tuple[Fall, ...]:
    """Three bars: right under oracle, still right under readback, still right with the memory's own search."""
    n, corners = waterfall.n, waterfall.table
    read = sum(cell.count for cell in corners if cell.oracle)
    kept = sum(cell.count for cell in corners if cell.oracle and cell.readback)
    found = sum(cell.count for cell in corners if cell.oracle and cell.readback and cell.system)
    steps = (
        ("oracle", "at reading", read, n - read),
        (waterfall.variant, "at write", kept, read - kept),
        ("system", "at search or use", found, kept - found),
    )
    falls = []
    for arm, meaning, right, lost in steps if n else ():
        end, tall = across(right / n), STEP - 6
        shapes = [*_grid(STEP), element("rect", class_="bar kept", x="0", y=3, width=end, height=tall, rx=2)]
        if lost:
            shapes.append(element("rect", class_="bar lost", x=end, y=3, width=across(lost / n), height=tall, rx=2))
        title = f"{waterfall.row}, {arm}: {right} of {n} right, {lost} lost here"
        falls.append(Fall(arm, meaning, right, lost, n, picture("fall", title, shapes, height=STEP)))
    return tuple(falls)


def key_mark(number: int) -> Markup:
    """A row's line style, for the legend."""
    series = number % SERIES
    line = element("line", class_=f"line series-{series}", x1=0, y1=7, x2=28, y2=7)
    return element("svg", line, mark(series, "50%", 7), class_="chart key", width=28, height=14, aria_hidden="true")


def mark(series: int, x: str, y: float, title: str = "") -> Markup:
    """A shape for each series: circle, square, diamond, triangle, then the same hollow."""
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


def _whiskers(low: str, high: str) -> Iterator[Markup]:
    middle = BAR / 2
    for kind in ("halo", "whisker"):
        yield element("line", class_=kind, x1=low, x2=high, y1=middle, y2=middle)
        for end in (low, high):
            yield element("line", class_=kind, x1=end, x2=end, y1=middle - 4, y2=middle + 4)


class Point(NamedTuple):
    """A row in the plane of score and cost."""

    row: str
    cost: float
    score: Estimate
    rival: bool = True
    """It could be used: the oracle, which is shown the evidence, could not."""

    @property
    def ratio(self) -> float:
        return self.score.estimate or 0.0


def frontier(points: Sequence[Point]) -> frozenset[str]:
    """Rows on the Pareto front: none has as good a score for less, or a better one for as little."""
    rivals = [(point.row, point.ratio, point.cost) for point in points if point.rival]
    return frozenset(
        row
        for row, ratio, cost in rivals
        if not any(
            other >= ratio and other_cost <= cost and (other > ratio or other_cost < cost)
            for _, other, other_cost in rivals
        )
    )


def cost_plane(task: str, points: Sequence[Point], unit: str) -> Markup:
    """Score over cost, on a logarithmic axis; a line joins the rows on the Pareto front."""
    costs = [log10(point.cost) for point in points if point.cost > 0] or [0.0]
    free = any(point.cost <= 0 for point in points)  # the left end of the axis is then 0, not a power of ten
    low = floor(min(costs)) - free
    high = max(ceil(max(costs)), floor(min(costs)) + 1)

    def x_of(cost: float) -> str:
        return across(0.09 + 0.86 * ((low if cost <= 0 else log10(cost)) - low) / (high - low))

    best = frontier(points)
    edge = sorted((point for point in points if point.row in best), key=lambda point: (point.cost, point.ratio))
    shapes = [*percent_axis()]
    for power in range(low, high + 1):
        x, cost = x_of(10.0**power), 0.0 if free and power == low else 10.0**power
        shapes.append(element("line", class_="grid", x1=x, x2=x, y1=10, y2=CURVES - 30))
        shapes.append(element("text", written(cost, unit), class_="tick", x=x, y=CURVES - 6, text_anchor="middle"))
    for one, other in pairwise(edge):
        x1, x2 = x_of(one.cost), x_of(other.cost)
        shapes.append(element("line", class_="frontier", x1=x1, x2=x2, y1=height(one.ratio), y2=height(other.ratio)))
    for number, point in reversed(list(enumerate(points))):
        tip = f"{point.row}: {spoken(point.score)} for {written(point.cost, unit)}"
        if point.row in best:
            shapes.append(element("circle", class_="ring", cx=x_of(point.cost), cy=height(point.ratio), r=8))
        shapes.append(mark(number % SERIES, x_of(point.cost), height(point.ratio), tip))
    names = ", ".join(point.row for point in edge)
    title = f"score of {task} over {unit} a question; best for what they cost: {names}"
    return picture("plane", title, shapes, height=CURVES)


TALL, GAP = 13, 3
STAGE_REACH = 0.76
"""Share of the width that 100 % takes; the number follows it."""
STAGES = ("preserved", "retrieved")


def stage_bars(label: str, preservation: Estimate, retrieval: Estimate) -> Markup:
    """The upper bar and the lower one, each with its interval; what is undefined has no bar but a dash."""
    stages = list(zip(STAGES, (preservation, retrieval), strict=True))
    title = f"{label}: " + "; ".join(f"{name} {spoken(share)}" for name, share in stages)
    shapes = []
    for number, (name, share) in enumerate(stages):
        top = GAP + number * (TALL + GAP)
        middle = top + TALL / 2
        for x in ("0", across(STAGE_REACH)):
            shapes.append(element("line", class_="grid", x1=x, x2=x, y1=top, y2=top + TALL))
        if share.estimate is not None:
            tip, width = element("title", f"{name} {spoken(share)}, of {share.n}"), across(STAGE_REACH * share.estimate)
            shapes.append(element("rect", tip, class_=f"bar {name}", x="0", y=top, width=width, height=TALL, rx=2))
        if share.low is not None and share.high is not None:
            low, high = across(STAGE_REACH * share.low), across(STAGE_REACH * share.high)
            for kind in ("halo", "whisker"):
                shapes.append(element("line", class_=kind, x1=low, x2=high, y1=middle, y2=middle))
        text = percent(share.estimate)
        shapes.append(element("text", text, class_="end", x="100%", y=middle + 4, text_anchor="end"))
    return picture("stages", title, shapes, height=2 * (TALL + GAP) + GAP)

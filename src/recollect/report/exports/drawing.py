"""A chart of the page as an SVG file that stands alone: caption, chart and legend on light ground, nothing to load."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

from recollect.report.charts.bars import SERIES
from recollect.report.charts.svg import element

WIDE, EDGE, CAPTION, LINE, GAP = 760, 16, 30, 20, 14
LABEL, LEGEND, CAPTIONED = 52, 50, 100
"""Characters that have room as a label, as one of two columns of a legend, and as a caption."""
LETTER = 6.5
"""What a letter of a label is given."""
_TALL = re.compile(r' height="([\d.]+)"')


class Strip(NamedTuple):
    """A chart of its own line."""

    chart: Markup
    label: str | None = None
    """Stands at its left; `None` for a chart as wide as the drawing."""


class Figure(NamedTuple):
    """All that one file shows."""

    section: str
    """Of the report."""
    task: str
    what: str
    """The row or the measure; empty where all of the section is in one figure."""
    caption: str
    strips: Sequence[Strip]
    legend: Sequence[tuple[str, Markup]]
    rows: int

    @property
    def name(self) -> str:
        """Of its file, without the ending."""
        return "-".join(filter(None, (self.section, self.task, self.what)))


def drawn(figure: Figure) -> bytes:
    """The file; the same figure is always the same bytes."""
    shapes = [_text(figure.caption, "caption", EDGE, EDGE + LINE / 2, CAPTIONED)]
    below: float = EDGE + CAPTION
    indent = GAP + LETTER * max((min(len(strip.label or ""), LABEL) for strip in figure.strips), default=0)
    for strip in figure.strips:
        shapes.extend(_strip(strip, below, round(indent)))
        below += _height(strip.chart)
    if figure.legend:
        columns = 1 if any(len(name) > LEGEND for name, _ in figure.legend) else 2
        shapes.extend(_legend(figure.legend, below + GAP, columns))
        below += GAP + LINE * -(-len(figure.legend) // columns)
    return _file(figure.caption, shapes, round(below + EDGE))


def _file(caption: str, shapes: Sequence[Markup], tall: int) -> bytes:
    content = Markup("").join([element("rect", class_="paper", width="100%", height="100%"), *shapes])
    root = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDE} {tall}", "class_": "chart", "role": "img"}
    patterns = Markup(patterns_of(style_of(f' class="chart" {content}')))  # noqa: S704 - of our own template
    whole = element(
        "svg",
        element("title", caption),
        element("style", style_of(f' class="chart" {patterns} {content}')),
        element("defs", patterns),
        content,
        width=WIDE,
        height=tall,
        **root,
    )
    return f"{whole}\n".encode()


def _strip(strip: Strip, top: float, indent: int) -> Iterator[Markup]:
    left = EDGE
    if strip.label is not None:
        left += indent
        yield _text(strip.label, "label", EDGE, top + _height(strip.chart) / 2 + 4, LABEL)
    wide, tall = WIDE - EDGE - left, _height(strip.chart)
    yield element("svg", strip.chart, x=left, y=top, width=wide, height=tall, class_="chart")


def _legend(legend: Sequence[tuple[str, Markup]], top: float, columns: int) -> Iterator[Markup]:
    wide = (WIDE - 2 * EDGE) / columns
    for number, (name, mark) in enumerate(legend):
        x, y = EDGE + wide * (number % columns), top + LINE * (number // columns)
        yield element("svg", mark, x=x, y=y, width=28, height=14, class_="chart")
        yield _text(name, "label", x + 36, y + 11, CAPTIONED)


def _text(said: str, kind: str, x: float, y: float, most: int) -> Markup:
    """What is too long has its end left out, and says itself whole to those who point at it."""
    short = said if len(said) <= most else f"{said[: most - 1]}…"
    return element("text", *([element("title", said)] if short != said else []), short, class_=kind, x=x, y=y)


def _height(chart: Markup) -> float:
    found = _TALL.search(chart)
    return float(found[1]) if found else LINE


_NESTED = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_DRAWS = re.compile(r"\.(chart|line|hatch|dots|lost)\b")
_PATTERN = re.compile(r'<pattern id="([\w-]+)".*?</pattern>')
_CLASSES = re.compile(r' class="([^"]*)"')
_OWN = """.chart .paper{fill:var(--ground)}
.chart .caption{fill:var(--ink);font-size:14px;font-weight:650}
.chart .label{fill:var(--ink)}
"""


def style_of(drawing: str) -> str:
    """The rules that any class of *drawing* asks for; a viewer need know neither variables nor media queries."""
    sheet = _NESTED.sub("", _template("page.css")) + _OWN
    rules = [(selectors.strip(), body) for selectors, body in _RULE.findall(sheet)]
    colours = dict(re.findall(r"--([\w-]+):([^;]+)", next(body for name, body in rules if name == ":root")))
    used = {name for said in _CLASSES.findall(drawing) for name in said.split()}
    wanted = (
        (selector, body)
        for selectors, body in rules
        for selector in selectors.split(",")
        if _DRAWS.match(selector) and used.issuperset(re.findall(r"\.([\w-]+)", selector))
    )
    return "\n".join(line for selector, body in wanted for line in _coloured(selector, body, colours, used))


def patterns_of(style: str) -> str:
    """The patterns by which *style* fills, as the page defines them."""
    wanted = set(re.findall(r"url\(#([\w-]+)\)", style))
    found = _PATTERN.finditer(_template("page.html.j2"))
    return "".join(pattern.group() for pattern in found if pattern.group(1) in wanted)


def _coloured(selector: str, body: str, colours: Mapping[str, str], used: set[str]) -> Iterator[str]:
    """A rule with its colours; one for each row's look where the colour is that of a row."""
    if "var(--s)" not in body:
        yield f"{selector}{{{_filled(body, colours)}}}"
        return
    for number in range(SERIES):
        if (name := f"series-{number}") in used:
            yield f"{selector}.{name}{{{_filled(body, {**colours, 's': colours[f's{number}']})}}}"


def _filled(body: str, colours: Mapping[str, str]) -> str:
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], body)


def _template(name: str) -> str:
    return files("recollect.report").joinpath("templates", name).read_text(encoding="utf-8")

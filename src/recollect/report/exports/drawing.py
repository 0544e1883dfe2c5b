"""A chart of the page as an SVG file that stands alone: caption, chart and legend on light ground, nothing to load."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from recollect.report.charts.bars import SERIES
from recollect.report.charts.svg import element
from recollect.report.text import template

WIDE, EDGE, CAPTION, LINE, GAP = 760, 16, 30, 20, 14
LABEL, LEGEND, CAPTIONED = 52, 50, 100
"""Characters that fit in a label, in one of two columns of a legend, and in a caption."""
LETTER = 6.5
"""Width of a letter of a label."""
_TALL = re.compile(r' height="([\d.]+)"')


class Strip(NamedTuple):
    chart: Markup
    label: str | None = None
    """At its left; `None` for a chart as wide as the drawing."""


class Figure(NamedTuple):
    section: str
    task: str
    what: str
    """The row or the measure; empty where the section has one figure."""
    caption: str
    strips: Sequence[Strip]
    legend: Sequence[tuple[str, Markup]]
    rows: int

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.section, self.task, self.what)))


def drawn(figure: Figure) -> bytes:
    """The SVG file; the same figure always gives the same bytes."""
    shapes = [_text(figure.caption, "caption", EDGE, EDGE + LINE / 2, CAPTIONED)]
    top: float = EDGE + CAPTION
    indent = round(GAP + LETTER * max((min(len(strip.label or ""), LABEL) for strip in figure.strips), default=0))
    for strip in figure.strips:
        found = _TALL.search(strip.chart)
        left, tall = EDGE, float(found[1]) if found else LINE
        if strip.label is not None:
            left += indent
            shapes.append(_text(strip.label, "label", EDGE, top + tall / 2 + 4, LABEL))
        width = WIDE - EDGE - left
        shapes.append(element("svg", strip.chart, x=left, y=top, width=width, height=tall, class_="chart"))
        top += tall
    if figure.legend:
        columns = 1 if any(len(name) > LEGEND for name, _ in figure.legend) else 2
        for number, (name, mark) in enumerate(figure.legend):
            x = EDGE + (WIDE - 2 * EDGE) / columns * (number % columns)
            y = top + GAP + LINE * (number // columns)
            shapes.append(element("svg", mark, x=x, y=y, width=28, height=14, class_="chart"))
            shapes.append(_text(name, "label", x + 36, y + 11, CAPTIONED))
        top += GAP + LINE * -(-len(figure.legend) // columns)
    tall = round(top + EDGE)
    content = Markup("").join([element("rect", class_="paper", width="100%", height="100%"), *shapes])
    patterns = Markup(patterns_of(style_of(f' class="chart" {content}')))  # noqa: S704 - of our own template
    root = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDE} {tall}", "class_": "chart", "role": "img"}
    style = element("style", style_of(f' class="chart" {patterns} {content}'))
    inside = [element("title", figure.caption), style, element("defs", patterns), content]
    return f"{element('svg', *inside, width=WIDE, height=tall, **root)}\n".encode()


def _text(text: str, kind: str, x: float, y: float, most: int) -> Markup:
    """Shortened if it is too long; pointing at it then shows all of it."""
    if len(text) <= most:
        return element("text", text, class_=kind, x=x, y=y)
    return element("text", element("title", text), f"{text[: most - 1]}…", class_=kind, x=x, y=y)


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
    """The rules that apply to any class of *drawing*, without variables and media queries."""
    sheet = _NESTED.sub("", template("page.css")) + _OWN
    rules = [(selectors.strip(), body) for selectors, body in _RULE.findall(sheet)]
    colours = dict(re.findall(r"--([\w-]+):([^;]+)", next(body for name, body in rules if name == ":root")))
    used = {name for names in _CLASSES.findall(drawing) for name in names.split()}
    lines = []
    for selectors, body in rules:
        # where the colour is that of a row, one rule for each style of a row
        series = [f"s{n}" for n in range(SERIES) if f"series-{n}" in used] if "var(--s)" in body else [""]
        for selector in selectors.split(","):
            if _DRAWS.match(selector) and used.issuperset(re.findall(r"\.([\w-]+)", selector)):
                for one in series:
                    name = f"{selector}.series-{one[1:]}" if one else selector
                    lines.append(f"{name}{{{_filled(body.replace('var(--s)', f'var(--{one})'), colours)}}}")
    return "\n".join(lines)


def _filled(body: str, colours: Mapping[str, str]) -> str:
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], body)


def patterns_of(style: str) -> str:
    """The patterns by which *style* fills, as the page defines them."""
    wanted = set(re.findall(r"url\(#([\w-]+)\)", style))
    found = _PATTERN.finditer(template("page.html.j2"))
    return "".join(pattern.group() for pattern in found if pattern.group(1) in wanted)

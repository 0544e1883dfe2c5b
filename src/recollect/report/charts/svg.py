"""SVG elements. Every attribute and every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from recollect.report.text import plain

Content = str | Markup


def element(name: str, *children: Content, **attributes: str | float | None) -> Markup:
    """`<name attribute="...">children</name>`; an underscore in an attribute's name is a hyphen; `None` is left out."""
    inner = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), plain(str(value)))
        for key, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(child if isinstance(child, Markup) else escape(plain(child)) for child in children)
    return Markup("<{}{}>{}</{}>").format(name, inner, inside, name)


def picture(kind: str, title: str, shapes: Iterable[Markup], *, height: int) -> Markup:
    """A drawing as wide as its container, with x coordinates in percent; *title* describes it to screen readers."""
    return element(
        "svg",
        element("title", title),
        *shapes,
        class_=f"chart {kind}",
        role="img",
        width="100%",
        height=height,
        aria_label=title,
    )


def across(ratio: float) -> str:
    """A ratio as an x coordinate."""
    return f"{100 * min(max(ratio, 0.0), 1.0):.2f}%"

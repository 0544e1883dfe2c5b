"""A figure is one file that any viewer of SVG shows: whole, on light ground; nothing is loaded and nothing runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

from recollect.report.charts.svg import element, picture
from recollect.report.exports.drawing import Figure, Strip, drawn

SVG = "{http://www.w3.org/2000/svg}"
ODD = '<script>alert("x")</script>&\x00'


def chart(tall: int = 26) -> Strip:
    """A bar as wide as its place."""
    return Strip(picture("score", "a bar", [element("rect", class_="bar system", width="50%", height=9)], height=tall))


def figure(*strips: Strip, legend: tuple[str, ...] = (), caption: str = "a caption") -> Figure:
    """A figure with a legend of the same mark for each name."""
    marks = [(name, element("rect", class_="bar system", width=20, height=11)) for name in legend]
    return Figure("scores", "facts", "", caption, strips or [chart()], marks, 1)


@dataclass(frozen=True, slots=True)
class Box:
    """Where a part of a figure stands."""

    x: float
    top: float
    end: float


def parsed(one: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(drawn(one))


def boxes(one: Figure) -> list[Box]:
    """The charts and the marks of the legend, in their order."""
    found = parsed(one).findall(f"{SVG}svg")
    return [
        Box(float(part.attrib["x"]), float(part.attrib["y"]), float(part.attrib["y"]) + float(part.attrib["height"]))
        for part in found
    ]


def test_a_file_stands_alone() -> None:
    """It has its size, its title, its style and its ground."""
    root = parsed(figure())
    assert root.tag == f"{SVG}svg"
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    assert root.findtext(f"{SVG}title") == "a caption"
    assert ".chart .paper{fill:#fff}" in (root.findtext(f"{SVG}style") or "")
    ground = root.find(f"{SVG}rect")
    assert ground is not None
    assert (ground.attrib["class"], ground.attrib["width"], ground.attrib["height"]) == ("paper", "100%", "100%")


def test_the_same_figure_is_the_same_bytes() -> None:
    one = figure(chart(), legend=("a", "b"))
    assert drawn(one) == drawn(one)


@pytest.mark.parametrize("made", [figure(caption=ODD), figure(legend=(ODD,)), figure(chart()._replace(label=ODD))])
def test_odd_words_are_shown_and_never_run(made: Figure) -> None:
    """The control sign, which XML cannot say, is spelled out."""
    text = drawn(made).decode()
    assert "<script" not in text
    assert "⟨U+0000⟩" in text
    assert "<script>" in "".join(parsed(made).itertext())


def test_nothing_is_loaded() -> None:
    """The one address is the name of the format; every `url` is a place of the file itself."""
    hatched = Strip(picture("heat", "a square", [element("rect", class_="heat unknown")], height=20))
    text = drawn(figure(hatched)).decode()
    assert re.findall(r"https?://[^\"<]*", text) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"url\(([^)]*)\)", text)) == {"#hatch"}
    assert 'id="hatch"' in text
    assert "href" not in text
    assert "@import" not in text


def test_charts_stand_one_below_the_other_and_the_legend_below_them() -> None:
    made = figure(chart(26), chart(40), legend=("a", "b", "c"))
    places = boxes(made)
    charts, marks = places[:2], places[2:]
    assert charts[0].end <= charts[1].top
    assert charts[1].end < min(mark.top for mark in marks)
    assert [mark.top for mark in marks[:2]] == [marks[0].top, marks[0].top]
    assert marks[2].top > marks[0].top
    assert max(box.end for box in places) < float(parsed(made).attrib["height"])


def test_long_names_have_a_column_for_themselves() -> None:
    marks = boxes(figure(legend=("a" * 60, "b")))[1:]
    assert marks[0].x == marks[1].x
    assert marks[0].top < marks[1].top


def test_labels_have_room_at_the_left_of_their_charts() -> None:
    """All charts of a figure begin where the longest label ends; without labels they take the whole width."""
    short, long = chart()._replace(label="bm25"), chart()._replace(label="a row with a long name")
    labelled, alone = boxes(figure(short, long)), boxes(figure(chart()))
    assert labelled[0].x == labelled[1].x > alone[0].x


def test_a_label_without_room_is_cut_and_told_to_those_who_point_at_it() -> None:
    (label,) = parsed(figure(chart()._replace(label="x" * 80))).findall(f"{SVG}text[@class='label']")
    assert label.findtext(f"{SVG}title") == "x" * 80
    assert "".join(label.itertext()).removeprefix("x" * 80) == f"{'x' * 51}…"

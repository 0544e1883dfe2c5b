from __future__ import annotations

from recollect.report.charts.svg import across, element, picture


def test_attributes_and_texts_are_escaped() -> None:
    made = element("text", "</text><script>", class_='"><img onerror=1>')
    assert str(made) == '<text class="&#34;&gt;&lt;img onerror=1&gt;">&lt;/text&gt;&lt;script&gt;</text>'


def test_elements_stay_elements_inside_of_others() -> None:
    assert str(element("g", element("a"), "b")) == "<g><a></a>b</g>"


def test_a_picture_says_what_it_shows() -> None:
    assert "<title>row: 50 %</title>" in picture("score", "row: 50 %", [], height=9)


def test_places_stay_on_the_picture() -> None:
    assert [across(x) for x in (-0.2, 0.125, 1.5)] == ["0.00%", "12.50%", "100.00%"]

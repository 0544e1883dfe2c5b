from __future__ import annotations

from recollect.report.page.payload import CAPS, Texts


def test_equal_texts_are_said_once() -> None:
    texts = Texts()
    assert [texts.number(text) for text in ("a", "b", "a")] == [0, 1, 0]
    assert texts.shown() == ["a", "b"]


def test_a_text_of_100000_characters_is_cut_and_says_its_length() -> None:
    texts = Texts()
    texts.number("x" * 100_000)
    assert texts.shown() == [["x" * CAPS[0], 100_000]]


def test_all_texts_together_stay_within_the_bound() -> None:
    texts = Texts()
    for number in range(100):
        texts.number(f"{number} " + "x" * 5_000)
    shown = texts.shown(most=110_000)
    assert sum(len(str(text[0])) for text in shown) <= 110_000
    assert all(text[1] > 5_000 for text in shown if isinstance(text, list) and isinstance(text[1], int))

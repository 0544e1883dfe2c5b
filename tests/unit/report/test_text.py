from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.report.text import plain, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x00b", "a⟨U+0000⟩b", id="null"),
        pytest.param("\u202eevil", "⟨U+202E⟩evil", id="bidi-override"),
        pytest.param("a\u2028b", "a⟨U+2028⟩b", id="line-separator"),
        pytest.param("\ud800", "⟨U+D800⟩", id="lone-surrogate"),
        pytest.param("a\r\nb\tc", "a\nb\tc", id="line-feeds-and-tabs-stay"),
        pytest.param("שלום, 你好 🎉", "שלום, 你好 🎉", id="scripts-stay"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text(alphabet=st.characters()))
def test_any_text_can_then_be_written(text: str) -> None:
    plain(text).encode("utf-8")
    assert "\x00" not in plain(text)


def test_a_long_text_says_how_long_it_is() -> None:
    assert shortened("a" * 100_000, 10) == "a" * 10 + "… (100,000 characters)"
    assert shortened("abc", 3) == "abc"

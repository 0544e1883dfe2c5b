from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from recollect.report.page.html import _choice, _coded, as_data, policy


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_data_come_back_and_hold_nothing_that_ends_their_element(value: object) -> None:
    written = as_data(value)
    assert json.loads(written) == value
    assert not re.search("[<>&\u2028\u2029]", written)


def test_only_this_style_and_this_script_may_run() -> None:
    said = policy("a", "b")
    assert "default-src 'none'" in said
    assert f"'sha256-{base64.b64encode(sha256(b'b').digest()).decode()}'" in said
    assert "unsafe" not in said


def test_what_stands_in_backticks_is_code_and_still_text() -> None:
    assert _coded("row `<b>` is new") == "row <code>&lt;b&gt;</code> is new"
    assert _coded("a lone ` stays <i>") == "a lone ` stays &lt;i&gt;"


def test_a_choice_of_a_model_is_said_by_its_name_and_model() -> None:
    chosen = {"name": "openai", "settings": {"model": "m-1", "base_url": "http://x"}}
    assert [_choice(one) for one in (chosen, {"name": "x"}, "rules", 3)] == ["openai, m-1", "x", "rules", "3"]


def test_the_dark_scheme_is_for_screens_alone() -> None:
    """Paper is light, whatever the reader's system prefers."""
    style = files("recollect.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    assert "@media screen and (prefers-color-scheme:dark)" in style
    assert "@media (prefers-color-scheme:dark)" not in style

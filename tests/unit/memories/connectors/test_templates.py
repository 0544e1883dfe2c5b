"""Arguments are filled and results are read by what a YAML file says."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.memories.connectors.mcp_memory import at, filled, number_at, placeholders, text_at, texts_at

RESULT = {"a": [{"b": "x", "n": 2}, {"b": ["y", "z"]}], "id": 7}


@pytest.mark.parametrize(
    ("template", "made"),
    [
        ("{limit}", 5),
        ("top {limit}", "top 5"),
        ({"q": "{cue}", "deep": ["{who}: {cue}", 3, None]}, {"q": "cat", "deep": [": cat", 3, None]}),
        ("{unknown}", None),
        ("{not a name} {{cue}}", "{not a name} {cat}"),
    ],
)
def test_names_are_filled_in(template: Any, made: Any) -> None:
    assert filled(template, {"limit": 5, "cue": "cat", "who": None}) == made


def test_what_is_filled_in_is_not_filled_again() -> None:
    """A message may say `{namespace}`; it stays text."""
    assert filled("{text}!", {"text": "{namespace}", "namespace": "secret"}) == "{namespace}!"


@pytest.mark.parametrize(
    ("path", "found"), [("a.0.b", "x"), ("a.9.b", None), ("a.b", None), ("", RESULT), ("id.x", None), ("nothing", None)]
)
def test_a_path_leads_to_a_value_or_nowhere(path: str, found: Any) -> None:
    assert at(RESULT, path) == found


def test_texts_and_numbers_are_read() -> None:
    assert text_at(RESULT, "a.1.b") == "y\nz"
    assert texts_at(RESULT, "id") == ["7"]
    assert text_at(RESULT, "nowhere") is None
    assert number_at(RESULT, "a.0.n") == 2.0
    assert number_at(RESULT, "a.0.b") is None
    assert placeholders({"q": ["{cue}", "{settings.top}"]}) == {"cue", "settings.top"}

"""Texts that a spreadsheet would take for a formula."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """*text*, with an apostrophe in front where a spreadsheet would compute it."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text

"""Links from the tables to the questions behind a number."""

from __future__ import annotations

from urllib.parse import quote

from recollect.report.plain import plain


def link_to(**filters: str) -> str:
    """A link to the questions that pass *filters*."""
    return "#" + "&".join(f"{name}={quote(plain(value), safe='')}" for name, value in filters.items() if value)

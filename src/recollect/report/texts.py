"""Long texts of the page, each said once; together they stay within a bound."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.report.plain import plain

MOST_CHARACTERS = 12_000_000
"""Of all texts together. Under it every text is whole, up to the first cap."""
CAPS = (20_000, 8_000, 3_000, 1_000, 400, 150)
"""Characters kept of a text: the largest that stays within the bound, else the last."""

Shown = str | Sequence[str | int]
"""A text, or its beginning and how long it is."""


class Texts:
    """Numbers texts in the order in which they come up."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Where *text* will stand."""
        return self._numbers.setdefault(text, len(self._numbers))

    def shown(self, most: int = MOST_CHARACTERS) -> list[Shown]:
        """All texts; long ones cut, with their length beside."""
        lengths = [len(text) for text in self._numbers]
        fitting = (cap for cap in CAPS if sum(min(cap, length) for length in lengths) <= most)
        cap = next(fitting, CAPS[-1])
        return [_cut(text, cap) for text in self._numbers]


def _cut(text: str, cap: int) -> Shown:
    return plain(text) if len(text) <= cap else [plain(text[:cap]), len(text)]

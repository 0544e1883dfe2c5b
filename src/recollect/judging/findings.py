"""What one rule finds out."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """A rule's decision. A rule that has none gives `None` instead."""

    right: bool
    code: str
    """Reason code; the first word of the verdict's why."""
    detail: str = ""

    @property
    def why(self) -> str:
        """Code and detail as one line."""
        return f"{self.code}: {self.detail}" if self.detail else self.code


def yes(code: str, detail: str = "") -> Finding:
    """The rule accepts."""
    return Finding(True, code, detail)


def no(code: str, detail: str = "") -> Finding:
    """The rule refuses."""
    return Finding(False, code, detail)

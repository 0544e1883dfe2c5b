"""Versioned prompt files; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from pathlib import Path

from recollect.contracts.reading import Prompt

FOLDER = Path(__file__).parent


def prompt(role: str, version: str = "v1") -> Prompt:
    """The prompt of a role."""
    text = (FOLDER / f"{role}.{version}.txt").read_text(encoding="utf-8").removesuffix("\n")
    return Prompt(name=f"amemgym/{role}.{version}", text=text)

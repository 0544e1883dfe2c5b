"""Prompts of the model judge; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError

FOLDER = Path(__file__).parent
ROLES = ("again", "declining", "fields", "single")
"""All that a judge with one model may send."""


@cache
def prompt(role: str, version: str = "v1") -> Prompt:
    """The prompt of a role.

    Raises:
        ConfigError: There is no such file.
    """
    path = FOLDER / f"{role}.{version}.txt"
    try:
        text = path.read_text(encoding="utf-8").removesuffix("\n")
    except OSError:
        known = sorted(file.name.removesuffix(".txt") for file in FOLDER.glob("*.txt"))
        raise ConfigError("prompts of the judge", [f"`{path.stem}` is not there, only {', '.join(known)}"]) from None
    return Prompt(name=f"judge/{role}.{version}", text=text)

"""Prompts of the model judge; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError

FOLDER = Path(__file__).parent
ROLES = (
    *("again", "declining", "fields", "single"),
    *("again_numbers", "guidance", "summary_fluency", "summary_precision", "summary_recall"),
)
"""All that a judge with one model may send."""
FIRST = {
    "again_numbers": "fcaa5e3b6b666d7c",
    "guidance": "ac02317b042a2003",
    "summary_fluency": "91d5c08efdaf13f5",
    "summary_precision": "979bbf47f9ed214c",
    "summary_recall": "28e40efff6d67c91",
}
"""Prompts that came later, with the digests they came with. They serve keys of kinds that were not judged before, so
at these digests they stay out of a judge's fingerprint, and nothing that was judged or measured before changes."""


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

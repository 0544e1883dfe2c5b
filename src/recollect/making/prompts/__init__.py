"""Versioned prompt files; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from pathlib import Path

from recollect.contracts.reading import Prompt

FOLDER = Path(__file__).parent


def prompt_in(folder: Path, owner: str, role: str, version: str = "v1") -> Prompt:
    """The prompt of *role* in a folder of prompts.

    Raises:
        ConfigError: There is no such file.
    """
    path = folder / f"{role}.{version}.txt"
    try:
        text = path.read_text(encoding="utf-8").removesuffix("\n")
    except OSError:
        from recollect.domain.errors import ConfigError

        known = sorted(file.name.removesuffix(".txt") for file in folder.glob("*.txt"))
        problem = f"`{path.stem}` is not there, only {', '.join(known)}"
        raise ConfigError(f"prompts of {owner}", [problem]) from None
    return Prompt(name=f"{owner}/{role}.{version}", text=text)


def again() -> Prompt:
    """The prompt after an unusable reply."""
    return prompt_in(FOLDER, "making", "again")

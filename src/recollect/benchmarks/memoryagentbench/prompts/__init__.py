"""Versioned prompt files; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from pathlib import Path

from recollect.contracts.reading import Prompt

FOLDER = Path(__file__).parent


def prompt(role: str, version: str = "v1") -> Prompt:
    """The prompt of a role.

    Raises:
        ConfigError: There is no such file.
    """
    path = FOLDER / f"{role}.{version}.txt"
    try:
        text = path.read_text(encoding="utf-8").removesuffix("\n")
    except OSError:
        from recollect.domain.errors import ConfigError

        known = sorted(file.name.removesuffix(".txt") for file in FOLDER.glob("*.txt"))
        problem = f"`{path.stem}` is not there, only {', '.join(known)}"
        raise ConfigError("prompts of memoryagentbench", [problem]) from None
    return Prompt(name=f"memoryagentbench/{role}.{version}", text=text)

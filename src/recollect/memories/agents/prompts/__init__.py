"""Prompts of the agents; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from recollect.contracts.reading import Prompt
from recollect.domain.errors import ConfigError

FOLDER = Path(__file__).parent
ROLES: Mapping[str, tuple[str, ...]] = {
    "native": ("question", "answer"),
    "rag": ("question", "answer", "reply"),
    "awe": ("question", "answer", "reply", "facts", "remember", "again", "policy_section", "policy_prompt"),
    "awi": ("question", "answer", "reply", "labels", "remember", "again", "policy_section", "policy_prompt"),
}
"""All that an agent may send; each digest is part of its keys."""


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
        raise ConfigError("prompts of agents", [f"`{path.stem}` is not there, only {', '.join(known)}"]) from None
    return Prompt(name=f"agents/{role}.{version}", text=text)


def filled(role: str, values: Mapping[str, str]) -> str:
    """The prompt of a role with its placeholders filled in; what is filled in stays as it is."""
    return Template(prompt(role).text).substitute(values)


def inputs_of(name: str) -> Mapping[str, str]:
    """Digests of all prompts that the agent *name* may send, by role."""
    return {f"prompt {role}": prompt(role).digest for role in ROLES[name]}

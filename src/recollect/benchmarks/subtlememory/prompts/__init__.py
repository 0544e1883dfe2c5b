"""Versioned prompt files; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from recollect.contracts.reading import Prompt
from recollect.making.prompts import prompt_in

FOLDER = Path(__file__).parent
prompt = partial(prompt_in, FOLDER, "subtlememory")
"""(role, version) -> the prompt; a `ConfigError` names those there are."""


def two_steps() -> Prompt:
    """The prompt for an answer from facts that a first call has extracted from the context."""
    return replace(prompt("answer_facts"), first=prompt("extract"))

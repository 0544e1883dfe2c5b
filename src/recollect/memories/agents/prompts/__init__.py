"""Prompts of the agents; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recollect.memories.prompt_files import PromptFiles

FOLDER = Path(__file__).parent
ROLES: Mapping[str, tuple[str, ...]] = {
    "native": ("question", "answer"),
    "rag": ("question", "answer", "reply"),
    "awe": ("question", "answer", "reply", "facts", "remember", "again", "policy_section", "policy_prompt"),
    "awi": ("question", "answer", "reply", "labels", "remember", "again", "policy_section", "policy_prompt"),
}
_FILES = PromptFiles(folder=FOLDER, of="agents", roles=ROLES)
prompt, filled, inputs_of, inputs_where = _FILES.prompt, _FILES.filled, _FILES.inputs_of, _FILES.inputs_where

"""Prompts of the `-like` systems; a released one is never edited, its successor has the next number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recollect.memories.prompt_files import PromptFiles

FOLDER = Path(__file__).parent
ROLES: Mapping[str, tuple[str, ...]] = {
    "raptor-like": ("summary",),
    "graph-like": ("concepts", "complete", "again"),
    "ppr-like": ("facts", "entities", "again"),
    "self-rag-like": ("decide", "relevant", "answer", "weigh", "reply", "again"),
}
_FILES = PromptFiles(folder=FOLDER, of="likes", roles=ROLES)
prompt, filled, inputs_where = _FILES.prompt, _FILES.filled, _FILES.inputs_where

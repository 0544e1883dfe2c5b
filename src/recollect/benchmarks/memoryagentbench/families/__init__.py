"""All sources that rows may name, in families: how a context is cut, how its questions are asked, found and scored.

A new family is a module of this package and a word in `MODULES`. Start at `family`, which defines what each of them
has; `short_answers` and `blocks` are shared by several.
"""

from __future__ import annotations

from types import ModuleType

from recollect.benchmarks.memoryagentbench.families import (
    detective,
    dialogues,
    documents,
    events,
    examples,
    facts,
    recommendations,
    summary,
)
from recollect.benchmarks.memoryagentbench.families.family import Family, Source

MODULES: tuple[ModuleType, ...] = (facts, examples, events, dialogues, documents, recommendations, summary, detective)
"""Each has `FAMILY` and `SOURCES`; what the card says of them stands in `texts.toml`."""
EXAMPLES, DIALOGUES = examples.FAMILY, dialogues.FAMILY
FAMILIES: dict[str, Family] = {module.FAMILY.name: module.FAMILY for module in MODULES}
SOURCES: dict[str, Source] = {source.name: source for module in MODULES for source in module.SOURCES}


def family_named(prompt: str) -> Family:
    """The family that a question's prompt belongs to.

    Raises:
        ValueError: No family has a prompt of that name.
    """
    if prompt not in FAMILIES:
        raise ValueError(f"no family of MemoryAgentBench has the prompt {prompt!r}")
    return FAMILIES[prompt]

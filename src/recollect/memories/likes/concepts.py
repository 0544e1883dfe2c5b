"""The concepts of passages: what two of them may have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from recollect.memories.likes.asking import Asker, object_schema, texts
from recollect.memories.likes.phrases import keys_of, unique_keys

MOST = 20
"""Concepts that a model may name of one passage."""
_SCHEMA = object_schema(concepts={"type": "array", "items": {"type": "string"}})


class Finder(Protocol):
    """Names the concepts of passages."""

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """Their keys, for each passage."""
        ...


class RuleFinder:
    """Names and phrases, as rules see them."""

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """All phrases of each."""
        return [tuple(keys_of(passage)) for passage in passages]


@dataclass(frozen=True, slots=True)
class ModelFinder:
    """One call a passage; a blank one needs none, equal ones one together."""

    asker: Asker

    def concepts(self, passages: Sequence[str]) -> list[tuple[str, ...]]:
        """What the model lists of each."""
        said = list(dict.fromkeys(passage for passage in passages if passage.strip()))
        found = dict(zip(said, self.asker.together([partial(self._of, one) for one in said]), strict=True))
        return [found.get(passage, ()) for passage in passages]

    def _of(self, passage: str) -> tuple[str, ...]:
        values = {"passage": passage, "most": str(MOST)}
        return unique_keys(self.asker.value("concepts", values, _SCHEMA, texts("concepts", MOST)))

"""Asking the reader in one line, and an embedder that knows a few synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recollect.contracts.reading import Prompt
from recollect.domain.exchange import Context, ContextItem, Reply
from recollect.domain.ids import QuestionId
from recollect.domain.questions import Option, Question
from recollect.offline.reading import RuleReader

Said = str | tuple[str | None, str, str]
"""A text, or when it was said, by whom, and the text."""


def context_of(said: Sequence[Said]) -> Context:
    """A context of such items."""
    items = tuple(
        ContextItem(text=one) if isinstance(one, str) else ContextItem(said_at=one[0], speaker=one[1], text=one[2])
        for one in said
    )
    return Context(items=items, text="\n".join(f"{i.said_at} {i.speaker} {i.text}" for i in items), tokens=1)


def ask(said: Sequence[Said], text: str, /, reader: RuleReader | None = None, **fields: Any) -> Reply:
    """Put a question to a reader that reads such items; options may be a list of texts."""
    if isinstance(fields.get("options"), list):
        fields["options"] = tuple(Option(letter="ABCDEFGH"[i], text=one) for i, one in enumerate(fields["options"]))
    question = Question(question_id=QuestionId("q1"), text=text, **fields)
    return (reader or RuleReader()).read(context_of(said), question, Prompt(name="any", text="anything"))


@dataclass
class WordEmbedder:
    """Bags of hashed words, where words of one group count as the same; counts the texts it was given."""

    groups: tuple[tuple[str, ...], ...] = ()
    fingerprint: str = "words-1"
    dimensions: int = 256
    given: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, dimensions)."""
        self.given.extend(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.casefold().replace("?", " ").replace(".", " ").split():
                group = next((names[0] for names in self.groups if word in names), word)
                row[crc32(group.encode("utf-8", "replace")) % self.dimensions] += 1
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


SYNONYMS = WordEmbedder(groups=(("guardian", "keeper"), ("physician", "doctor")))
"""Knows that a keeper is a guardian."""

"""Numbered documents, some of which answer the questions: one is enough for `ruler_qa1`, `ruler_qa2` takes two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.benchmarks.memoryagentbench.families import blocks
from recollect.benchmarks.memoryagentbench.family import (
    SHORT_ANSWER,
    Family,
    Source,
    found_by,
    joined,
    plain,
    scored_by,
)

if TYPE_CHECKING:
    from recollect.contracts.benchmark import TaskCard

WORD = "Document"


def texts_of(context: str) -> list[str]:
    """The documents, each with its header line.

    Raises:
        ValueError: There is none.
    """
    return blocks.texts_of(context, WORD)


def title_of(text: str) -> str:
    """The first line of a document that has more of them; nothing where it has one, which is no title."""
    first, _, rest = blocks.body_of(text, WORD).partition("\n")
    return first.strip() if rest.strip() else ""


SINGLE, CHAINED = "ruler_qa1_197K", "ruler_qa2_421K"
MADE = {"single": "ruler_qa1_generated", "chained": "ruler_qa2_generated"}
MADE_CHUNK_TOKENS = 160
"""Generated documents have about 100 tokens, and are kept whole."""

LABELS = {
    "kind": "documents: `single`; of two documents `bridge`, where one leads to the other, or `comparison`",
    "answer_in": "documents: how many of them hold the printed answer",
    "depth": "documents: where the last one that is needed stands, in tenths of the context, 0 to 9",
}
LICENCES = {
    "SQuAD 1.1 as XQuAD (ruler_qa1)": "CC BY-SA 4.0: name Rajpurkar et al. 2016 and Artetxe et al. 2020",
    "HotpotQA (ruler_qa2)": "CC BY-SA 4.0: name Yang et al. 2018",
}
DEVIATIONS = {
    SINGLE: "Built from the 180 paragraphs and 924 questions of XQuAD, about 31K tokens where the published row has "
    "197K.",
    CHAINED: "Built from 75 questions with their 750 paragraphs, about 99K tokens where the published row has 421K "
    "and 100 questions. A yes or no is right wherever the reply holds it, also inside a word, as in the paper.",
}


def _task(source: Source) -> TaskCard:
    from recollect.contracts.benchmark import TaskCard

    needed = "one document" if "_qa1_" in source.name else "two documents"
    size = f"about {source.context_tokens:,} tokens of " if source.context_tokens else ""
    differs = f" {DEVIATIONS[source.name]}" if source.name in DEVIATIONS else ""
    return TaskCard(
        name=source.name,
        meaning=f"Answer from {needed} among {size}numbered documents.{differs}",
        measure="substring_exact_match",
        chance=None,
        parts=SHORT_ANSWER,
    )


FAMILY = Family(
    name="ruler_qa",
    split="Accurate_Retrieval",
    output_tokens=50,
    chunk_tokens=512,
    made_chunk_tokens=MADE_CHUNK_TOKENS,
    joint="\n\n",
    passages=plain(texts_of),
    context=joined(blocks.context_of),
    task=_task,
    score=scored_by("documents", "score_document"),
    finder=found_by("recover_documents", "document_finder"),
)

SOURCES = (
    Source(name=SINGLE, family=FAMILY, questions=100, context_tokens=197_000),
    Source(name=CHAINED, family=FAMILY, questions=100, context_tokens=421_000),
    *(Source(name=name, family=FAMILY, questions=None) for name in MADE.values()),
)

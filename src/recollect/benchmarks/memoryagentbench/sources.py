"""The sources that rows may name, and their families. A new source is a line here, a new family a module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.benchmarks.memoryagentbench import examples, facts

Split = Literal["Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What all sources with one kind of context share."""

    name: str
    """Also the name of the prompt."""
    split: Split
    output_tokens: int
    chunk_tokens: int
    joint: str
    """Between two messages of the context."""
    texts_of: Callable[[str], list[str]]
    """Context -> texts of the messages; a `ValueError` says what is wrong."""
    context_of: Callable[[Sequence[str]], str]
    evidence_by_rule: bool = False
    """The context alone tells the evidence of every question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One value of `metadata.source`; it is also the name of the task."""

    name: str
    family: Family
    questions: int | None
    """How many a published row has; `None` where nothing is published."""
    context_tokens: int | None = None
    """Size of the published context, where the name says it."""
    labels: int | None = None
    """How many labels the context has, as it can be built here; the published one of `nlu` has 68."""
    examples: int | None = None
    """How many examples the published context has."""

    @property
    def chunk_tokens(self) -> int:
        """The paper's for published contexts; generated ones are shorter, and ten such chunks would hold them whole."""
        return self.family.chunk_tokens if self.questions is not None else MADE_CHUNK_TOKENS


FACTS = Family(
    name="factconsolidation",
    split="Conflict_Resolution",
    output_tokens=10,
    chunk_tokens=512,
    joint="\n",
    texts_of=facts.texts_of,
    context_of=facts.context_of,
)
EXAMPLES = Family(
    name="in_context_learning",
    split="Test_Time_Learning",
    output_tokens=20,
    chunk_tokens=4096,
    joint="\n\n",
    texts_of=examples.texts_of,
    context_of=examples.context_of,
    evidence_by_rule=True,
)

FACT_SIZES = {"6k": 6_000, "32k": 32_768, "64k": 65_536, "262k": 262_144}
"""Name -> tokens, as the published configurations limit the contexts."""
HOPS = {"sh": "one fact", "mh": "two to four linked facts"}
FACTS_MADE = {hops: f"factconsolidation_{hops}_generated" for hops in HOPS}
EXAMPLES_MADE = "icl_intents_generated"
MADE_LABELS = 20
MADE_CHUNK_TOKENS = 64


def _fact_sources() -> list[Source]:
    return [
        Source(name=f"factconsolidation_{hops}_{size}", family=FACTS, questions=100, context_tokens=tokens)
        for size, tokens in FACT_SIZES.items()
        for hops in HOPS
    ]


def _example_source(name: str, labels: int) -> Source:
    shots = int(name.split("_")[-2].removesuffix("shot"))
    return Source(name=name, family=EXAMPLES, questions=100, labels=labels, examples=shots)


SOURCES: dict[str, Source] = {
    source.name: source
    for source in [
        *_fact_sources(),
        _example_source("icl_banking77_5900shot_balance", 77),
        _example_source("icl_clinic150_7050shot_balance", 151),
        _example_source("icl_nlu_8296shot_balance", 64),
        _example_source("icl_trec_coarse_6600shot_balance", 6),
        _example_source("icl_trec_fine_6400shot_balance", 50),
        *(Source(name=name, family=FACTS, questions=None) for name in FACTS_MADE.values()),
        Source(name=EXAMPLES_MADE, family=EXAMPLES, questions=None, labels=MADE_LABELS),
    ]
}


def fact_source(hops: str, size: str) -> Source:
    """The published source of that kind and size."""
    return SOURCES[f"factconsolidation_{hops}_{size}"]


def family_named(prompt: str) -> Family:
    """The family that a question's prompt belongs to.

    Raises:
        ValueError: No family has a prompt of that name.
    """
    for family in (FACTS, EXAMPLES):
        if family.name == prompt:
            return family
    raise ValueError(f"no family of MemoryAgentBench has the prompt {prompt!r}")

"""FactConsolidation: facts with rising serial numbers, where a larger number is newer, and questions about them."""

from __future__ import annotations

from recollect.benchmarks.memoryagentbench.families.fact_evidence import fact_finder
from recollect.benchmarks.memoryagentbench.families.fact_lists import context_of, texts_of
from recollect.benchmarks.memoryagentbench.families.family import Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import fact_parts
from recollect.domain.outcomes import Outcome


def score_fact(given: Scored) -> Outcome:
    """Whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`."""
    return given.outcome(fact_parts(given.said, given.accepted, given.key.rejected))


SIZES = {"6k": 6_000, "32k": 32_768, "64k": 65_536, "262k": 262_144}
"""Name -> tokens, as the published configurations limit the contexts."""
HOPS = {"sh": "one fact", "mh": "two to four linked facts"}
MADE = {hops: f"factconsolidation_{hops}_generated" for hops in HOPS}


FAMILY = Family(
    name="factconsolidation",
    split="Conflict_Resolution",
    output_tokens=10,
    chunk_tokens=512,
    joint="\n",
    passages=plain(texts_of),
    context=joined(context_of),
    measure="substring_exact_match",
    words=lambda source: {"hops": "one fact" if "_sh_" in source.name else "a chain of two to four facts"},
    score=score_fact,
    finder=fact_finder,
)

SOURCES = (
    *(
        Source(name=f"factconsolidation_{hops}_{size}", family=FAMILY, questions=100, context_tokens=tokens)
        for size, tokens in SIZES.items()
        for hops in HOPS
    ),
    *(Source(name=name, family=FAMILY, questions=None) for name in MADE.values()),
)


def source_of(hops: str, size: str) -> Source:
    """The published source of that kind and size."""
    return next(source for source in SOURCES if source.name == f"factconsolidation_{hops}_{size}")

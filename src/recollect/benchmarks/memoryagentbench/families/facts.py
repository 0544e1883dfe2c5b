"""FactConsolidation: facts with rising serial numbers, where a larger number is newer, and questions about them."""

from __future__ import annotations

from recollect.benchmarks.memoryagentbench.families.fact_evidence import fact_finder
from recollect.benchmarks.memoryagentbench.families.fact_lists import context_of, texts_of
from recollect.benchmarks.memoryagentbench.families.family import SHORT_ANSWER, Family, Scored, Source, joined, plain
from recollect.benchmarks.memoryagentbench.families.short_answers import fact_parts
from recollect.contracts.benchmark import TaskCard
from recollect.domain.outcomes import Outcome


def score_fact(given: Scored) -> Outcome:
    """Whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`."""
    return given.outcome(fact_parts(given.said, given.accepted, given.key.rejected))


SIZES = {"6k": 6_000, "32k": 32_768, "64k": 65_536, "262k": 262_144}
"""Name -> tokens, as the published configurations limit the contexts."""
HOPS = {"sh": "one fact", "mh": "two to four linked facts"}
MADE = {hops: f"factconsolidation_{hops}_generated" for hops in HOPS}

LABELS = {
    "stratum": "facts: `conflicted` where any hop's fact has an older rival in the context, else `unique`",
    "hops": "facts: how many facts the answer takes, one leading to the next",
    "edited_hops": "facts: how many of them have an older rival",
    "stale_facts": "facts: how many statements in the context contradict one of them",
    "distance": "facts: serial numbers between the newest and the last stale statement, at the hop where it is most",
    "gold_serial": "facts: serial number of the statement that has the answer",
    "stale_answer": "facts: what one answers who takes a stale fact, or knows the world before the edits",
    "evidence": "`by_rule` where evidence was worked out from a published row, which may fail where it takes several "
    "messages",
    "pattern": "generated facts: `unique`, `revised`, `chain` (several revisions), `reverted` or `repeated`, of the "
    "last hop",
}
DEVIATION = (
    "Built from 2,572 MQuAKE cases, which fill the sizes 6k, 32k and 64k; 262k is filled up with invented subjects in "
    "the same relations (69 % of its statements at seed 0; the data set says it of any seed), and no question asks "
    "about them. Tokens are those of the bundled tokenizer, the paper's those of GPT-4o-mini. 26 of 100 single-hop "
    "questions ask about a fact that never changed, as in the published 6K row; chains are 34, 33 and 33 of two, three "
    "and four hops. Aliases in a wrong answer (`US` in `Russia`) are left out."
)
LICENCES = {"MQuAKE (factconsolidation)": "MIT"}
_PARTS = {**SHORT_ANSWER, "stale": "the reply holds a stale answer and no accepted one"}


def _task(source: Source) -> TaskCard:
    hops = "one fact" if "_sh_" in source.name else "a chain of two to four facts"
    size = f" of about {source.context_tokens:,} tokens" if source.context_tokens else ""
    differs = "" if source.made else f" {DEVIATION}"
    return TaskCard(
        name=source.name,
        meaning=f"Answer from {hops} of a list of facts{size}, where newer ones replace older ones.{differs}",
        measure="substring_exact_match",
        chance=None,
        parts=_PARTS,
    )


FAMILY = Family(
    name="factconsolidation",
    split="Conflict_Resolution",
    output_tokens=10,
    chunk_tokens=512,
    joint="\n",
    passages=plain(texts_of),
    context=joined(context_of),
    task=_task,
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

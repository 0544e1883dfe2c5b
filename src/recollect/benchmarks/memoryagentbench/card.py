"""What a reader of a table must know of this benchmark."""

from __future__ import annotations

from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.benchmarks.memoryagentbench.prompts import prompt
from recollect.benchmarks.memoryagentbench.sources import EXAMPLES, FACTS, SOURCES, Source
from recollect.contracts.benchmark import Card, Dataset, Preset, StepSettings, TaskCard

FAMILIES = (FACTS, EXAMPLES)

EXPECTED_QUESTIONS = {name: source.questions for name, source in SOURCES.items() if source.questions is not None}
"""Questions of each published task: one row each."""

LABELS = {
    "task": "value of `metadata.source`",
    "stratum": "facts: `conflicted` where any hop's fact has an older rival in the context, else `unique`",
    "hops": "facts: how many facts the answer takes, one leading to the next",
    "edited_hops": "facts: how many of them have an older rival",
    "stale_facts": "facts: how many statements in the context contradict one of them",
    "distance": "facts: serial numbers between the newest and the last stale statement, at the hop where it is most",
    "gold_serial": "facts: serial number of the statement that has the answer",
    "stale_answer": "facts: what one answers who takes a stale fact, or knows the world before the edits",
    "evidence": "facts: `by_rule` where evidence was worked out from a published row, which may fail on chains",
    "pattern": "generated facts: `unique`, `revised`, `chain` (several revisions), `reverted` or `repeated`, of the "
    "last hop",
    "shots": "examples: how many examples have the label",
    "in_examples": "examples: `yes` where the very text is among the examples",
    "wording": "generated examples: `shown` where the pattern of the text is among the examples, else `new`",
}
"""Label of a key -> meaning."""

DEVIATIONS = {
    FACTS.name: "Built from 2,572 MQuAKE cases, which reach the sizes 6k, 32k and 64k; tokens are those of the bundled "
    "tokenizer, the paper's those of GPT-4o-mini. 26 of 100 single-hop questions ask about a fact that never changed, "
    "as in the published 6K row; chains are 34, 33 and 33 of two, three and four hops. Aliases in a wrong answer "
    "(`US` in `Russia`) are left out.",
    "icl_banking77_5900shot_balance": "Built from 7,504 train and 2,310 test utterances, a part of the corpus.",
    "icl_clinic150_7050shot_balance": "Built from 11,325 train and 2,325 validation utterances, a part of the corpus; "
    "75 each are out of scope.",
    "icl_nlu_8296shot_balance": "Built from 8,298 utterances of 64 labels, where the published row has 68 (chance "
    "1/68); a tenth of them is held out by the seed.",
    "icl_trec_coarse_6600shot_balance": "Built from 4,091 train and 376 test questions, a part of the corpus; examples "
    "come again once all of a label were shown.",
    "icl_trec_fine_6400shot_balance": "Built from 4,091 train and 376 test questions, a part of the corpus; examples "
    "come again once all of a label were shown, and 42 of the 50 labels are asked for.",
}
"""Task or family -> how a rebuilt row differs from the published one."""

CITATION = """\
@inproceedings{hu2026memoryagentbench,
  title     = {Evaluating Memory in {LLM} Agents via Incremental Multi-Turn Interactions},
  author    = {Hu, Yuanzhe and Wang, Yu and McAuley, Julian},
  booktitle = {International Conference on Learning Representations},
  year      = {2026},
  note      = {arXiv:2507.05257}
}"""

LICENCES = {
    "published rows": "MIT",
    "MQuAKE (factconsolidation)": "MIT",
    "BANKING77": "CC BY 4.0: name Casanueva et al. 2020",
    "CLINC150": "CC BY 3.0: name Larson et al. 2019",
    "NLU evaluation data": "CC BY 4.0: name Liu et al. 2019",
    "TREC question classification": "the source states none (Li and Roth 2002; published for research)",
    "generated rows": "Apache-2.0",
}

_FACT_PARTS = {
    "substring_exact_match": "an accepted answer occurs in the reply or in its parsed answer; the primary measure",
    "exact_match": "the reply, or its parsed answer, is an accepted answer",
    "f1": "words shared with the nearest accepted answer",
    "lenient_exact_match": "as exact_match, read from JSON, boxes, labels, bold or quotes too",
    "lenient_word_match": "an accepted answer occurs at word borders in the lenient reading",
    "stale": "the reply holds a stale answer and no accepted one",
}
_LABEL_PARTS = {
    "exact_match": "the parsed answer is the label; the primary measure",
    "lenient_exact_match": "the same where it is read from JSON, boxes, bold or behind `label:` too",
}


def _task(source: Source) -> TaskCard:
    if source.family is EXAMPLES:
        return TaskCard(
            name=source.name,
            meaning=f"Give the label, a number, that {_examples(source)} define. Evidence is any example of the label, "
            f"so all of them are named.{_deviation(source)}",
            measure="exact_match",
            chance=1 / (source.labels or 1),
            parts=_LABEL_PARTS,
        )
    return TaskCard(
        name=source.name,
        meaning=f"Answer from {_hops(source)} of a list of facts{_size(source)}, where newer ones replace older ones."
        f"{_deviation(source)}",
        measure="substring_exact_match",
        chance=None,
        parts=_FACT_PARTS,
    )


def _examples(source: Source) -> str:
    shown = f"{source.examples:,} examples" if source.examples else "generated examples"
    return f"{shown} of {source.labels} labels"


def _hops(source: Source) -> str:
    return "one fact" if "_sh_" in source.name else "a chain of two to four facts"


def _size(source: Source) -> str:
    return f" of about {source.context_tokens:,} tokens" if source.context_tokens else ""


def _deviation(source: Source) -> str:
    said = DEVIATIONS.get(source.name, DEVIATIONS.get(source.family.name)) if source.questions else None
    return f" {said}" if said else ""


def _preset(name: str, chunker: str, *, suffix: str, budget_tokens: int, wrapper: str | None = None) -> Preset:
    extra = {"wrapper": wrapper} if wrapper else {}
    return Preset(
        name=name,
        steps={
            task: StepSettings(chunker=chunker, chunk_tokens=source.chunk_tokens, extra=extra)
            for task, source in SOURCES.items()
        },
        budget_tokens=budget_tokens,
        search_limit=10,
        prompts={family.name: prompt(f"{family.name}{suffix}") for family in FAMILIES},
        output_tokens={task: source.family.output_tokens for task, source in SOURCES.items()},
    )


CARD = Card(
    name=NAME,
    title="MemoryAgentBench: FactConsolidation and multi-class classification",
    version=1,
    summary="Inject once, ask often: facts that newer facts replace, and labels that only examples define.",
    citation=CITATION,
    licences=LICENCES,
    tasks={name: _task(source) for name, source in SOURCES.items()},
    references=("none", "window", "full", "bm25", "files", "oracle"),
    standard=_preset("standard", "boundary", suffix="", budget_tokens=8_192),
    paper=_preset("paper", "paper", suffix="_paper", budget_tokens=131_072, wrapper="v1"),
)


def count_problems(dataset: Dataset) -> tuple[str, ...]:
    """Where a data set has not as many questions of a task as the published row; what it leaves out is no problem."""
    problems = []
    for task, expected in EXPECTED_QUESTIONS.items():
        asked = sum(len(one.history.questions) for one in dataset.histories if one.task == task)
        if asked not in (0, expected):
            problems.append(f"{task}: {asked} questions, the published row has {expected}")
    return tuple(problems)

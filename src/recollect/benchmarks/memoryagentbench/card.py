"""The card: what a reader of a table must know about this benchmark."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from recollect.benchmarks.memoryagentbench.families import DIALOGUES, FAMILIES, SOURCES
from recollect.benchmarks.memoryagentbench.families.family import Source
from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.benchmarks.memoryagentbench.prompts import prompt
from recollect.benchmarks.memoryagentbench.tables import PAPER as TABLE_2
from recollect.benchmarks.memoryagentbench.tables import TWINS
from recollect.contracts.benchmark import Card, Preset, Published, StepSettings, variant_name

WRAPPER = "wrapper"
"""Version of the memorise prompt around each chunk; absent for none."""
CLOCK = "clock"
"""Time in a memorise prompt that has one; the machine's clock is never read."""
OUTPUT = "output_tokens"
"""Output limit, where it is not the paper's."""

EXPECTED_QUESTIONS = {name: source.questions for name, source in SOURCES.items() if source.questions is not None}
"""Questions of each published task, over all its rows."""

LABELS = {
    "task": "value of `metadata.source`",
    **dict(chain.from_iterable(family.texts["labels"].items() for family in FAMILIES.values())),
}

SPLITS = ("Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution")
CODE_CHUNK_TOKENS = 4_096
"""Chunk size of every configuration that the authors ship."""
TIME = "2025-01-01 00:00:00"
"""Used wherever the authors' code reads the machine's clock."""

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
    **dict(chain.from_iterable(family.texts["licences"].items() for family in FAMILIES.values())),
    "generated rows": "Apache-2.0",
}


def _wrapped(source: Source) -> dict[str, str]:
    """The dialogue around each chunk; chats have times of their own, and get no other, as in the authors' code."""
    return {WRAPPER: "v1"} if source.family is DIALOGUES else {WRAPPER: "v2", CLOCK: TIME}


STANDARD = Preset(
    name="standard",
    steps={
        task: StepSettings(chunker="boundary" if source.family.chunked else "none", chunk_tokens=source.chunk_tokens)
        for task, source in SOURCES.items()
    },
    budget_tokens=8_192,
    search_limit=10,
    prompts={family: prompt(family) for family in FAMILIES},
    output_tokens={task: source.family.output_tokens for task, source in SOURCES.items()},
)
PAPER = replace(
    STANDARD,
    name="paper",
    steps={
        task: StepSettings(chunker="paper", chunk_tokens=source.chunk_tokens, extra=_wrapped(source))
        for task, source in SOURCES.items()
    },
    budget_tokens=131_072,
    prompts={
        **{family: prompt(f"{family}_paper") for family in FAMILIES},
        **{variant_name(family, "rag"): prompt(f"{family}_rag") for family in FAMILIES},
        **{variant_name(family, "agentic"): prompt(f"{family}_agentic") for family in FAMILIES},
    },
)
CODE = replace(
    PAPER,
    name="code",
    steps={
        task: StepSettings(
            chunker="paper",
            chunk_tokens=source.chunk_tokens if source.made else CODE_CHUNK_TOKENS,
            extra={**_wrapped(source), OUTPUT: str(source.family.limit_of_code)},
        )
        for task, source in SOURCES.items()
    },
    output_tokens={task: source.family.limit_of_code for task, source in SOURCES.items()},
)
"""The authors' configurations where they differ from their paper: one chunk size, other output limits."""

CARD = Card(
    name=NAME,
    title="MemoryAgentBench: FactConsolidation and multi-class classification",
    version=1,
    summary="Inject once, ask often: facts that newer facts replace, and labels that only examples define.",
    citation=CITATION,
    licences=LICENCES,
    tasks={name: source.family.task(source) for name, source in SOURCES.items()},
    references=("none", "window", "full", "bm25", "files", "oracle"),
    standard=STANDARD,
    paper=PAPER,
    published=Published(
        repo="ai-hyz/MemoryAgentBench",
        revision="7ea0669",
        files=tuple(f"data/{split}-00000-of-00001.parquet" for split in SPLITS),
    ),
    other_presets=(CODE,),
    shortens=True,
    tables=(TABLE_2, TWINS),
)

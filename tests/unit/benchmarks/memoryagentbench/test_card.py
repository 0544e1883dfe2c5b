"""What the card promises."""

from __future__ import annotations

import subprocess
import sys

import pytest

from recollect.benchmarks.memoryagentbench import BENCHMARK
from recollect.benchmarks.memoryagentbench.card import EXPECTED_QUESTIONS, LABELS, LICENCES
from recollect.benchmarks.memoryagentbench.families import SOURCES
from recollect.contracts.benchmark import Dataset

CARD = BENCHMARK.card


def test_importing_the_benchmark_loads_nothing_heavy() -> None:
    code = (
        "import sys, recollect.benchmarks.memoryagentbench; "
        "print([m for m in ('numpy', 'pydantic', 'yaml', 'tantivy', 'rapidfuzz', "
        "'recollect.text.chunking', 'json.tool') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("task", "chance"),
    [
        ("icl_banking77_5900shot_balance", 1 / 77),
        ("icl_clinic150_7050shot_balance", 1 / 151),
        ("icl_nlu_8296shot_balance", 1 / 64),  # 68 in the published row
        ("icl_trec_coarse_6600shot_balance", 1 / 6),
        ("icl_trec_fine_6400shot_balance", 1 / 50),
        ("icl_intents_generated", 1 / 20),
        ("factconsolidation_sh_6k", None),
        ("factconsolidation_mh_262k", None),
    ],
)
def test_chance_is_one_in_the_labels_and_undefined_for_facts(task: str, chance: float | None) -> None:
    assert CARD.tasks[task].chance == chance


MEASURES = {
    "factconsolidation": "substring_exact_match",
    "in_context_learning": "exact_match",
    "ruler_qa": "substring_exact_match",
    "recsys_redial": "recall@5",
}
"""Of the families whose measure is the paper's by name; MemoryAgentBench, section 4.1 and appendix."""

PUBLISHED = {
    "ruler_qa1_197K": (1, 100),
    "ruler_qa2_421K": (1, 100),
    "longmemeval_s*": (5, 300),
    "eventqa_full": (5, 500),
    "eventqa_65536": (5, 500),
    "eventqa_131072": (5, 500),
    "icl_banking77_5900shot_balance": (1, 100),
    "icl_clinic150_7050shot_balance": (1, 100),
    "icl_nlu_8296shot_balance": (1, 100),
    "icl_trec_coarse_6600shot_balance": (1, 100),
    "icl_trec_fine_6400shot_balance": (1, 100),
    "recsys_redial_full": (1, 200),
    "infbench_sum_eng_shots2": (100, 100),
    "detective_qa": (10, 71),
    **{f"factconsolidation_{hops}_{size}": (1, 100) for hops in ("sh", "mh") for size in ("6k", "32k", "64k", "262k")},
}
"""Source -> rows and questions, as a scan of the published files (revision 7ea0669) found them."""

LIMITS = {
    "ruler_qa": (512, 50, 50),
    "longmemeval": (512, 100, 50),
    "eventqa": (4_096, 40, 40),
    "in_context_learning": (4_096, 20, 20),
    "recsys_redial": (4_096, 300, 300),
    "infbench_sum": (4_096, 1_200, 1_200),
    "detective_qa": (4_096, 500, 2_000),
    "factconsolidation": (512, 10, 10),
}
"""Family -> tokens of a chunk, longest answer in the paper (tables 13 and 14) and in the authors' configurations."""


def test_every_source_is_a_task_whose_measure_is_explained() -> None:
    assert set(CARD.tasks) == set(SOURCES)
    for name, task in CARD.tasks.items():
        family = SOURCES[name].family.name
        assert task.measure == MEASURES.get(family, task.measure)
        assert task.measure in task.parts
        assert (task.floor, task.ceiling) == ("none", "oracle")


def test_published_tasks_have_the_published_rows_and_questions() -> None:
    published = {name: (source.rows, source.questions) for name, source in SOURCES.items() if not source.made}
    assert published == {name: PUBLISHED[name] for name in published}
    assert {name: asked for name, (_, asked) in published.items()} == EXPECTED_QUESTIONS


def test_presets_hold_the_papers_chunk_sizes_and_limits() -> None:
    """And section 4.3.2: k = 10."""
    for preset, chunker in ((CARD.standard, "boundary"), (CARD.paper, "paper"), (CARD.presets["code"], "paper")):
        assert preset.search_limit == 10
        for task, source in SOURCES.items():
            chunk, paper, code = LIMITS[source.family.name]
            steps = preset.steps_for(task)
            assert steps.chunker == (chunker if chunker == "paper" or source.family.chunked else "none")
            made = source.family.made_chunk_tokens
            assert steps.chunk_tokens == (made if source.made else 4_096 if preset.name == "code" else chunk)
            assert preset.output_tokens[task] == (code if preset.name == "code" else paper)
            assert steps.extra.get("output_tokens") == (str(code) if preset.name == "code" else None)


def test_a_preset_can_be_changed_in_chunks_and_items_for_an_ablation() -> None:
    changed = CARD.paper.changed(chunk_tokens=1_024, search_limit=2)
    assert {changed.steps_for(task).chunk_tokens for task in CARD.tasks} == {1_024}
    assert changed.search_limit == 2
    assert CARD.paper.changed() == CARD.paper


def test_ten_chunks_do_not_hold_the_smallest_generated_context(small: Dataset) -> None:
    """Else every memory that searches would show all, and none could be told from another."""
    for one in small.histories:
        steps = BENCHMARK.steps(one.history, CARD.standard.steps_for(one.task))
        assert sum(1 for _ in steps) - 1 > 1.4 * CARD.standard.search_limit


def test_references_licences_and_citation_are_there() -> None:
    assert CARD.references == ("none", "window", "full", "bm25", "files", "oracle")
    assert LICENCES["CLINC150"].startswith("CC BY 3.0")
    assert "2507.05257" in CARD.citation


def test_every_label_of_a_key_has_a_meaning(small: Dataset) -> None:
    used = {name for one in small.histories for key in one.keys.values() for name in key.labels}
    assert used <= set(LABELS)

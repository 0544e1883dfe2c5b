"""What the card promises."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from recollect.benchmarks.memoryagentbench import BENCHMARK
from recollect.benchmarks.memoryagentbench.card import EXPECTED_QUESTIONS, LABELS, LICENCES, count_problems
from recollect.benchmarks.memoryagentbench.sources import SOURCES
from recollect.contracts.benchmark import Dataset

CARD = BENCHMARK.card


def test_importing_the_benchmark_loads_nothing_heavy() -> None:
    code = (
        "import sys, recollect.benchmarks.memoryagentbench; "
        "print([m for m in ('numpy', 'pydantic', 'yaml', 'tantivy', 'rapidfuzz', 'recollect.metrics.text_match', "
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


def test_every_source_is_a_task_with_the_papers_measure() -> None:
    assert set(CARD.tasks) == set(SOURCES)
    for name, task in CARD.tasks.items():
        assert task.measure == ("exact_match" if name.startswith("icl") else "substring_exact_match")
        assert task.measure in task.parts
        assert (task.floor, task.ceiling, task.judged, task.binary) == ("none", "oracle", False, True)


def test_the_papers_tasks_have_a_hundred_questions_each() -> None:
    """MemoryAgentBench, table 5: 1 : 100 for all of them."""
    assert dict.fromkeys((name for name in SOURCES if not name.endswith("_generated")), 100) == EXPECTED_QUESTIONS


def test_presets_hold_the_papers_chunk_sizes_and_limits() -> None:
    """MemoryAgentBench, table 13 (10 and 20 tokens), table 14 (512 and 4096) and section 4.3.2 (k = 10)."""
    for preset, chunker in ((CARD.standard, "boundary"), (CARD.paper, "paper")):
        assert preset.search_limit == 10
        for task in CARD.tasks:
            steps, facts = preset.steps_for(task), task.startswith("fact")
            size = 64 if task.endswith("_generated") else 512 if facts else 4096
            assert (steps.chunker, steps.chunk_tokens) == (chunker, size)
            assert preset.output_tokens[task] == (10 if facts else 20)


def test_ten_chunks_do_not_hold_the_smallest_generated_context(small: Dataset) -> None:
    """Else every memory that searches would show all, and none could be told from another."""
    for one in small.histories:
        steps = BENCHMARK.steps(one.history, CARD.standard.steps_for(one.task))
        assert sum(1 for _ in steps) - 1 > 1.4 * CARD.standard.search_limit


def test_references_licences_and_citation_are_there() -> None:
    assert CARD.references == ("none", "window", "full", "bm25", "files", "oracle")
    assert LICENCES["CLINC150"].startswith("CC BY 3.0")
    assert "2507.05257" in CARD.citation


def test_a_wrong_count_of_questions_is_named(small: Dataset) -> None:
    assert count_problems(small) == ()
    cut = replace(small, histories=(replace(small.histories[0], task="factconsolidation_sh_6k"),))
    assert "the published row has 100" in count_problems(cut)[0]


def test_every_label_of_a_key_has_a_meaning(small: Dataset) -> None:
    used = {name for one in small.histories for key in one.keys.values() for name in key.labels}
    assert used <= set(LABELS)

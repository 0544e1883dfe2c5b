"""The card, and what the benchmark offers without importing anything early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recollect.benchmarks.subtlememory import BENCHMARK
from recollect.benchmarks.subtlememory.card import CARD, DEVIATIONS, EXPECTED
from recollect.benchmarks.subtlememory.generate.settings import SIZES
from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import RELATIONS, SUBTYPES
from recollect.benchmarks.subtlememory.protocol import CHOICES, OUTPUT
from recollect.benchmarks.subtlememory.tables import EXPECTED_QUESTIONS
from recollect.domain.exchange import Reply
from recollect.domain.steps import Ask

from tests.unit.benchmarks.subtlememory.people import GENERATED, PUBLISHED


def test_the_task_has_its_bars_among_the_references() -> None:
    (task,) = CARD.tasks.values()
    assert {task.floor, task.ceiling} <= set(CARD.references)
    assert task.chance is None


def test_every_part_of_a_score_is_explained_and_every_explained_part_occurs() -> None:
    named = set()
    for keyed in dataset_of([PUBLISHED, GENERATED], "x").histories:
        settings = CARD.standard.changed(steps={"classify": "yes"}).steps_for("overall")
        (ask,) = [step for step in BENCHMARK.steps(keyed.history, settings) if isinstance(step, Ask)]
        for question in ask.questions:
            outcome = BENCHMARK.score(question, keyed.keys[question.question_id], Reply(text=""), None, {})
            named |= {part.name for part in outcome.parts}
    assert named == set(CARD.tasks["overall"].parts)


def test_each_preset_asks_with_its_own_prompt_and_all_can_classify() -> None:
    asked = {name: preset.prompts["answer"].name.partition("/")[2] for name, preset in CARD.presets.items()}
    assert asked == {
        "standard": "strong.v1", "paper": "strong.v1", "code": "soft.v1", "soft": "soft.v1",
        "calibrated": "calibrated.v1", "two_step": "answer_facts.v1",
    }  # fmt: skip
    assert all(set(preset.prompts) == {"answer", "classify"} for preset in CARD.presets.values())


@pytest.mark.parametrize("name", sorted(CARD.presets))
def test_only_the_soft_prompt_leaves_it_open_what_becomes_of_conflicts(name: str) -> None:
    preset = CARD.presets[name]
    told = preset.steps_for("overall").extra["conflicts"]
    assert (told == "free") == preset.prompts["answer"].name.endswith("soft.v1")


def test_the_paper_has_twenty_things_found_and_long_answers() -> None:
    """Tables 9 and 10 of the paper."""
    for preset in (CARD.paper, CARD.presets["code"]):
        assert preset.search_limit == 20
        assert preset.steps_for("overall").extra["output_tokens"] == "16384"


def test_counts_of_questions_add_up() -> None:
    assert sum(EXPECTED_QUESTIONS.values()) == EXPECTED["questions"]
    assert set(EXPECTED_QUESTIONS) == set(SUBTYPES)


def test_the_columns_of_the_first_table_are_those_of_the_paper() -> None:
    (table,) = CARD.tables
    assert [column.name for column in table.columns] == [
        "Multi-evidence", "Any-one", "Complementary", "Temporal", "Contextual", "Nuanced", "Contradictory", "All",
    ]  # fmt: skip
    values = {(column.label, column.value) for column in table.columns}
    assert values == {
        *(("relation", relation) for relation in RELATIONS),
        *(("subtype", subtype) for subtype in SUBTYPES if subtype != "contradictory"),
        ("", ""),
    }


def test_the_card_explains_every_setting_of_the_steps() -> None:
    assert set(CARD.step_settings) == {OUTPUT, *CHOICES}
    for name, values in CHOICES.items():
        assert all(f"`{value}`" in CARD.step_settings[name] for value in values)


def test_each_deviation_says_what_both_do() -> None:
    assert all(text.endswith(".") and len(text) > 40 for text in DEVIATIONS.values())


def test_the_sizes_are_those_that_the_generator_knows() -> None:
    assert BENCHMARK.sizes == tuple(SIZES.named)


def test_writing_and_loading_goes_through_the_benchmark(tmp_path: Path) -> None:
    dataset = dataset_of([PUBLISHED, GENERATED], "made by hand")
    BENCHMARK.write(dataset, tmp_path / "mine")
    again = BENCHMARK.load(tmp_path / "mine")
    assert [one.history for one in again.histories] == [one.history for one in dataset.histories]
    assert [one.keys for one in again.histories] == [one.keys for one in dataset.histories]


def test_the_benchmark_is_imported_without_its_working_parts() -> None:
    """What loads, writes, scores and generates comes when it is called."""
    names = ("load", "write", "score", "statistics", "generate.assembly")
    code = (
        "import sys, recollect.benchmarks.subtlememory\n"
        f"early = [n for n in {names!r} if f'recollect.benchmarks.subtlememory.{{n}}' in sys.modules]\n"
        "sys.exit(', '.join(early) or None)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

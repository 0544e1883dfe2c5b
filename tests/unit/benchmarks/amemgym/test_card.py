"""The card, and what the benchmark offers without importing anything early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from recollect.benchmarks.amemgym import BENCHMARK
from recollect.benchmarks.amemgym.card import CARD, DEVIATIONS
from recollect.benchmarks.amemgym.protocol import CHOICES, NUMBERS
from recollect.domain.exchange import Reply

from tests.unit.benchmarks.amemgym.lives import MINI


def test_every_task_has_its_bars_among_the_references() -> None:
    for task in CARD.tasks.values():
        assert {task.floor, task.ceiling} <= set(CARD.references)


def test_the_parts_of_a_score_are_those_that_the_card_explains() -> None:
    whole = BENCHMARK.load(MINI).histories[0]
    named = set()
    for question in whole.history.questions:
        if question.purpose == "score":
            outcome = BENCHMARK.score(question, whole.keys[question.question_id], Reply(text=""), None, {})
            named |= {part.name for part in outcome.parts}
    assert named == set(CARD.tasks["overall"].parts)


def test_both_prompts_are_in_every_preset() -> None:
    assert all({"choose", "probe"} <= set(preset.prompts) for preset in CARD.presets.values())


def test_where_one_form_alone_is_read_agents_are_asked_in_it() -> None:
    for preset in (CARD.paper, *CARD.other_presets):
        assert {"choose@agentic", "probe@agentic"} <= set(preset.prompts)


def test_each_deviation_says_what_both_do() -> None:
    assert all(text.endswith(".") and len(text) > 40 for text in DEVIATIONS.values())


def test_the_card_explains_every_setting_of_the_steps() -> None:
    assert set(CARD.step_settings) == {*NUMBERS, *CHOICES}
    for name, values in CHOICES.items():
        assert all(f"`{value}`" in CARD.step_settings[name] for value in values)


def test_writing_and_loading_goes_through_the_benchmark(tmp_path: Path) -> None:
    dataset = BENCHMARK.load(MINI)
    BENCHMARK.write(dataset, tmp_path / "mine.json")
    assert BENCHMARK.load(tmp_path / "mine.json") == dataset


def test_the_benchmark_is_imported_without_its_working_parts() -> None:
    """What loads, writes, scores and generates comes when it is called."""
    names = ("load", "write", "score", "invariants", "generate")
    code = (
        "import sys, recollect.benchmarks.amemgym\n"
        f"early = [n for n in {names!r} if f'recollect.benchmarks.amemgym.{{n}}' in sys.modules]\n"
        "sys.exit(', '.join(early) or None)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

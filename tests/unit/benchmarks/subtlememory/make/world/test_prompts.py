"""Prompts about the world are asked by one step each, and betray what they are for in nothing that is copied."""

from __future__ import annotations

import pytest

from recollect.benchmarks.subtlememory.make.pipeline import WORLD
from recollect.benchmarks.subtlememory.make.prompts import FOLDER
from recollect.benchmarks.subtlememory.make.relations import guidance
from recollect.benchmarks.subtlememory.make.sources.seeds import ANY_ONE, CONTEXT, CONTRADICTORY, K_FACTS, TEMPORAL
from recollect.making.steps import Step

STEPS = [stage for stage in WORLD.pipeline.stages if isinstance(stage, Step)]


def test_every_prompt_about_the_world_is_asked_by_one_step() -> None:
    files = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("world_*.txt"))
    assert sorted(step.prompt.name for step in STEPS) == [f"subtlememory/make/{name}" for name in files]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_prompt_asks_for_json_alone(step: Step) -> None:
    assert "Reply with JSON alone" in step.prompt.text


def test_every_sub_type_says_what_each_step_should_do() -> None:
    assert set(guidance()) == {K_FACTS, ANY_ONE, TEMPORAL, CONTEXT, CONTRADICTORY}

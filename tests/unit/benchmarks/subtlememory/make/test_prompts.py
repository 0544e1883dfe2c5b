"""Prompts are pinned, say where they are from, and are those that the steps ask with."""

from __future__ import annotations

import pytest
import yaml

from recollect.benchmarks.subtlememory.make.pipeline import USERS
from recollect.benchmarks.subtlememory.make.prompts import FOLDER, prompt
from recollect.making.steps import Step

FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))
STEPS = [stage for stage in USERS.pipeline.stages if isinstance(stage, Step)]
ASKED = sorted({step.prompt.name.rpartition("/")[2] for step in STEPS})


def test_the_lock_names_every_prompt_with_its_digest() -> None:
    found = {f"{name}.txt": prompt(*name.rsplit(".", 1)).digest for name in FILES}
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


def test_every_prompt_says_where_its_rules_are_from() -> None:
    origin = yaml.safe_load((FOLDER / "origin.yaml").read_text())
    assert sorted(origin) == FILES
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


def test_steps_ask_with_prompts_that_are_there() -> None:
    assert set(ASKED) <= set(FILES)


@pytest.mark.parametrize("name", ASKED)
def test_a_prompt_asks_for_json_alone(name: str) -> None:
    assert "Reply with JSON alone, in this form:\n{" in prompt(*name.rsplit(".", 1)).text

"""Prompts are pinned, say where they are from, and show all that they promise."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.benchmarks.amemgym.make.pipeline import PIPELINE
from recollect.benchmarks.amemgym.make.prompts import FOLDER, prompt
from recollect.making.steps import Loop, Step

FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))
STEPS = [
    step
    for stage in PIPELINE.stages
    for step in ((stage.check, stage.mend) if isinstance(stage, Loop) else (stage,))
    if isinstance(step, Step)
]
WRITE_NOTHING = {"variables", "state", "match", "infer"}
"""Steps that write nothing of their own, and need no language."""


def test_the_lock_names_every_prompt_with_its_digest() -> None:
    found = {f"{name}.txt": prompt(*name.rsplit(".", 1)).digest for name in FILES}
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


def test_every_prompt_says_where_its_rules_are_from() -> None:
    origin = yaml.safe_load((FOLDER / "origin.yaml").read_text())
    assert sorted(origin) == FILES
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


def test_every_prompt_is_asked_by_one_step() -> None:
    assert sorted(step.prompt.name for step in STEPS) == [f"amemgym/make/{name}" for name in FILES]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_prompt_that_has_something_written_names_the_language(step: Step) -> None:
    named = "$language" in step.prompt.text
    assert named is (step.name not in WRITE_NOTHING)
    assert re.search(r"Reply with JSON alone", step.prompt.text)

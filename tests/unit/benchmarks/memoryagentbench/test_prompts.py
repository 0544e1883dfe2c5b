"""Prompts are pinned: a released one is never edited."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.families import EXAMPLES, FAMILIES
from recollect.benchmarks.memoryagentbench.prompts import FOLDER, prompt
from recollect.domain.errors import ConfigError

OWN = {
    "eventqa": ("previous_events", "options"),
    "longmemeval": ("asked_at",),
    **dict.fromkeys(("longmemeval_paper", "longmemeval_rag", "longmemeval_agentic"), ("asked_at",)),
    "recsys_redial": ("items",),
    **dict.fromkeys(("infbench_sum_paper", "infbench_sum_rag", "infbench_sum_agentic"), ("demo",)),
    "detective_qa": ("asked", "options"),
}
"""Prompts with placeholders beside context and question, which the questions of their families fill."""
FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))


def test_the_lock_names_every_prompt_with_its_digest() -> None:
    found = {f"{name}.txt": prompt(*name.rsplit(".", 1)).digest for name in FILES}
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


def test_every_prompt_says_where_its_rules_are_from() -> None:
    origin = yaml.safe_load((FOLDER / "origin.yaml").read_text())
    assert sorted(origin) == FILES
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


@pytest.mark.parametrize("name", FILES)
def test_a_prompt_has_the_placeholders_of_its_role(name: str) -> None:
    places = set(re.findall(r"\$(\w+)", prompt(*name.rsplit(".", 1)).text))
    role, _, version = name.partition(".")
    if role.startswith("memorise"):
        assert places == ({"chunk"} if version == "v1" else {"chunk", "time"})
    else:
        shown = set() if role.endswith("_agentic") else {"context"}
        assert shown < places <= {*shown, "question", *OWN.get(role, ())}


def test_both_presets_have_a_prompt_for_each_family() -> None:
    for preset in (CARD.standard, CARD.paper):
        assert set(preset.prompts) >= set(FAMILIES)
    assert CARD.paper.prompts[EXAMPLES.name].text.endswith("label:")


def test_a_missing_prompt_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"`factconsolidation.v9` is not there"):
        prompt("factconsolidation", "v9")

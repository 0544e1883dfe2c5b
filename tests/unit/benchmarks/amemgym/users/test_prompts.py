"""Prompts are pinned: a released one is never edited."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.benchmarks.amemgym.users.prompts import FOLDER, prompt

FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))
PLACES = {
    "again.v1": {"problem"},
    "profile.v1": {"profile", "date", "opening", "talk", "schema", "mark"},
    "state.v1": {"profile", "date", "state"},
    "talk.v1": {"opening", "talk", "mark"},
}


def test_the_lock_names_every_prompt_with_its_digest() -> None:
    """A changed prompt is a new version."""
    found = {f"{name}.txt": prompt(*name.rsplit(".", 1)).digest for name in FILES}
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


def test_every_prompt_says_where_its_rules_are_from() -> None:
    """And what differs."""
    origin = yaml.safe_load((FOLDER / "origin.yaml").read_text())
    assert sorted(origin) == FILES
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


@pytest.mark.parametrize("name", FILES)
def test_a_prompt_shows_what_this_way_may_know(name: str) -> None:
    """The state only where the paper has it, the schema only where the code has it."""
    assert set(re.findall(r"\$(\w+)", prompt(*name.rsplit(".", 1)).text)) == PLACES[name]

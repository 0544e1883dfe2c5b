"""Prompts are pinned: a released one is never edited."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.benchmarks.amemgym.prompts import FOLDER, prompt

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


@pytest.mark.parametrize(
    ("role", "wanted"),
    [
        ("choose", {"context", "question", "options"}),
        ("choose_paper", {"context", "question", "options"}),
        ("probe", {"context", "question", "template"}),
        ("probe_paper", {"context", "template"}),
    ],
)
def test_a_prompt_shows_what_it_asks_about(role: str, wanted: set[str]) -> None:
    assert set(re.findall(r"\$(\w+)", prompt(role).text)) == wanted

"""The judge's prompts are pinned: a released one is never edited."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.domain.errors import ConfigError
from recollect.judging.prompts import FIRST, FOLDER, ROLES, prompt

FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))
PLACES = {
    "again": {"problem", "example", "words"},
    "declining": {"mark", "question", "reply"},
    "fields": {"mark", "question", "shape", "wanted", "rejected", "reply", "example"},
    "single": {"mark", "question", "accepted", "rejected", "reply"},
    "again_numbers": {"problem", "example", "most"},
    "guidance": {"guidance"},
    "summary_fluency": {"mark", "summary"},
    "summary_precision": {"mark", "reference", "sentences", "example"},
    "summary_recall": {"mark", "points", "summary", "example"},
}


def test_the_lock_names_every_prompt_with_its_digest() -> None:
    found = {f"{name}.txt": prompt(*name.rsplit(".", 1)).digest for name in FILES}
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


def test_every_prompt_says_where_its_rules_are_from() -> None:
    origin = yaml.safe_load((FOLDER / "origin.yaml").read_text())
    assert sorted(origin) == FILES
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


@pytest.mark.parametrize("role", ROLES)
def test_a_prompt_has_the_placeholders_of_its_role(role: str) -> None:
    assert set(re.findall(r"\$(\w+)", prompt(role).text)) == PLACES[role]


def test_the_fingerprint_covers_every_prompt_there_is() -> None:
    assert sorted({name.rsplit(".", 1)[0] for name in FILES}) == sorted(ROLES)


@pytest.mark.parametrize("role", sorted(FIRST))
def test_a_later_prompt_came_as_it_is_locked(role: str) -> None:
    """Once its next version is used, the digest here stays, and the judge has another fingerprint."""
    lines = (line.split("  ") for line in (FOLDER / "prompts.lock").read_text().splitlines())
    assert {name: digest for digest, name in lines}[f"{role}.v1.txt"] == FIRST[role]


def test_a_missing_prompt_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"`single.v9` is not there"):
        prompt("single", "v9")

"""Prompts of the `-like` systems are pinned: a released one is never edited."""

from __future__ import annotations

import re

import pytest
import yaml

from recollect.domain.errors import ConfigError
from recollect.memories.published.prompts import FOLDER, ROLES, filled, prompt

FILES = sorted(path.name.removesuffix(".txt") for path in FOLDER.glob("*.txt"))
PLACES = {
    "again": {"problem"},
    "answer": {"grounds", "shape", "passage", "question"},
    "complete": {"question", "passages"},
    "concepts": {"passage", "most"},
    "decide": {"question"},
    "entities": {"question"},
    "facts": {"passage", "speaker", "most"},
    "relevant": {"question", "passage"},
    "reply": {"passages", "message"},
    "summary": {"notes", "words"},
    "weigh": {"question", "passage", "answer"},
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


@pytest.mark.parametrize("role", PLACES)
def test_a_prompt_has_the_placeholders_of_its_role(role: str) -> None:
    assert set(re.findall(r"\$(\w+)", prompt(role).text)) == PLACES[role]


def test_every_prompt_is_part_of_what_some_system_is() -> None:
    assert sorted({name.rsplit(".", 1)[0] for name in FILES}) == sorted(
        {role for roles in ROLES.values() for role in roles}
    )


def test_what_is_filled_in_stays_as_it_is() -> None:
    assert "$most </passage>" in filled("concepts", {"passage": "$most </passage>", "most": "3"})


def test_a_missing_prompt_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"`facts.v9` is not there"):
        prompt("facts", "v9")

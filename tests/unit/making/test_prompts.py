"""Prompts are pinned: a released one is never edited."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from recollect.benchmarks.memoryagentbench.make import prompts as of_make
from recollect.domain.errors import ConfigError
from recollect.making import prompts

FOLDERS = pytest.mark.parametrize("folder", [prompts.FOLDER, of_make.FOLDER], ids=["making", "memoryagentbench"])


def names(folder: Path) -> list[str]:
    return sorted(file.name.removesuffix(".txt") for file in folder.glob("*.txt"))


@FOLDERS
def test_the_lock_names_every_prompt_with_its_digest(folder: Path) -> None:
    found = {f"{one}.txt": prompts.prompt_in(folder, "x", *one.rsplit(".", 1)).digest for one in names(folder)}
    lines = (line.split("  ") for line in (folder / "prompts.lock").read_text().splitlines())
    locked = {name: digest for digest, name in lines}
    assert found == locked, "a released prompt is never edited: copy it to the next version, then add it to the lock"


@FOLDERS
def test_every_prompt_says_where_its_rules_are_from(folder: Path) -> None:
    origin = yaml.safe_load((folder / "origin.yaml").read_text())
    assert sorted(origin) == names(folder)
    assert all(set(entry) == {"follows", "differs"} for entry in origin.values())


def test_a_missing_prompt_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"prompts of making: `again.v9` is not there, only again.v1"):
        prompts.prompt_in(prompts.FOLDER, "making", "again", "v9")

"""Lists of words that the builders look things up in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _file() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def word_list(name: str) -> frozenset[str]:
    """The words of one list."""
    return frozenset(_file()[name].split())


def subjects() -> Mapping[str, Sequence[str]]:
    """Kind of subject -> MQuAKE's templates of facts about it."""
    found: Mapping[str, Sequence[str]] = _file()["subjects"]
    return found

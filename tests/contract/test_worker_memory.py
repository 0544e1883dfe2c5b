"""A memory in a process of its own keeps every promise that the built-in ones keep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tests.fakes.workers import OVERLAP_TRAITS, overlap
from tests.unit.memories.memory_checks import CHECKS
from tests.unit.memories.small_history import BuiltIn, Maker

MAKER = Maker(name="overlap", open=lambda folder: cast("BuiltIn", overlap(folder)), traits=OVERLAP_TRAITS, lexical=True)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_it_keeps_its_promises(check: Callable[[Maker, Path], None], tmp_path: Path) -> None:
    """Over pipes, with a vendor that prints what looks like answers."""
    check(MAKER, tmp_path)

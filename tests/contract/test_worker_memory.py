"""A memory in a process of its own keeps every promise that the built-in ones keep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from recollect.domain.errors import UsageError
from recollect.memories.worker.adapter import AdapterSystem

from tests.fakes.workers import OVERLAP, OVERLAP_TRAITS, overlap, room
from tests.unit.memories.memory_checks import CHECKS
from tests.unit.memories.small_history import BuiltIn, Maker

MAKER = Maker(name="overlap", open=lambda folder: cast("BuiltIn", overlap(folder)), traits=OVERLAP_TRAITS, lexical=True)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_it_keeps_its_promises(check: Callable[[Maker, Path], None], tmp_path: Path) -> None:
    """Over pipes, with a vendor that prints what looks like answers."""
    check(MAKER, tmp_path)


def test_a_stand_in_that_a_row_does_not_know_of_is_not_opened(tmp_path: Path) -> None:
    """Whose row was planned as that of the system itself would show a score."""
    (tmp_path / "adapter.py").write_text(OVERLAP.read_text() + '\nSTANDS_IN = "a list"\n')
    adapted = AdapterSystem(who="far", adapter=tmp_path / "adapter.py")
    with pytest.raises(UsageError, match="stands in for a system"):
        adapted.open(OVERLAP_TRAITS, {}, room(tmp_path / "room"))

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.records.tables.cells import CellOutcome, CellStatus
from recollect.report.status import MEANINGS, OUTCOMES, outcome_counts, outcome_of

from tests.fakes.report_builder import run


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> tuple[CellOutcome, ...]:
    return run(tmp_path_factory.mktemp("outcomes") / "run", histories=1, questions=2).cells


@pytest.mark.parametrize(
    ("status", "value", "named"),
    [
        ("scored", 1.0, "right"),
        ("scored", 0.5, "partly"),
        ("scored", 0.0, "wrong"),
        ("abstained", 1.0, "abstained"),
        ("not_available", None, "not available"),
        ("fault", None, "fault"),
    ],
)
def test_outcomes_are_kept_apart(
    cells: tuple[CellOutcome, ...], status: CellStatus, value: float | None, named: str
) -> None:
    assert outcome_of(replace(cells[0], status=status, value=value)) == named


def test_every_cell_is_counted_once(cells: tuple[CellOutcome, ...]) -> None:
    assert sum(counts.total() for counts in outcome_counts(cells).values()) == len(cells)


def test_every_outcome_is_explained() -> None:
    assert tuple(MEANINGS) == OUTCOMES

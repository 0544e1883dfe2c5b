"""Wrong answers have a place where they were lost, or the table says in words why not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from recollect.domain.steps import Arm
from recollect.records.tables.summary import Failures
from recollect.report.page.tasks import NOT_NAMED, NOTHING_KEPT, LossLine, loss_line
from recollect.report.writer import write

from tests.fakes.report_builder import run

ALL = frozenset({Arm.SYSTEM, Arm.ORACLE, Arm.READBACK})


def line(row: str = "m", arms: frozenset[Arm] = ALL, **counts: int) -> LossLine:
    told: Mapping[str, int] = {"reading": 0, "write": 0, "retrieval": 0, "use": 0, "unknown": 0, **counts}
    wrong = sum(told.values())
    failures = Failures(task="facts", row=row, right_from=1.0, answered=wrong + 2, wrong=wrong, counts=told)
    return loss_line(failures, floor="none", arms=arms)


def test_a_row_that_keeps_nothing_lost_nothing_on_the_way() -> None:
    """Not even at reading, where the oracle was wrong too; its number leads to all its answers."""
    made = line("none", reading=1, unknown=4)
    assert (made.why, made.hidden, made.is_known) == (NOTHING_KEPT, 5, False)
    assert "none: 5 wrong" in made.chart
    assert made.behind == "#task=facts&row=none&arm=system"


@pytest.mark.parametrize(
    ("arms", "why"),
    [
        ({Arm.SYSTEM}, "not known: needs the arms oracle and readback"),
        ({Arm.SYSTEM, Arm.ORACLE}, "not known: needs the arm readback"),
        ({Arm.SYSTEM, Arm.READBACK}, "not known: needs the arm oracle"),
        (ALL, NOT_NAMED),
    ],
)
def test_the_arms_that_would_tell_are_named(arms: set[Arm], why: str) -> None:
    made = line(arms=frozenset(arms), unknown=3)
    assert (made.why, made.is_known) == (why, False)
    assert made.behind == "#task=facts&row=m&failure=unknown"


def test_what_is_known_in_part_keeps_its_numbers_and_says_how_many_are_not() -> None:
    made = line(arms=frozenset({Arm.SYSTEM, Arm.ORACLE}), use=2, unknown=3)
    assert (made.hidden, made.is_known, made.why) == (3, True, "not known: needs the arm readback")
    assert made.links["use"] == "#task=facts&row=m&failure=use"
    assert "2 lost at use, 3 lost nobody knows where" in made.chart


@pytest.mark.parametrize("counts", [{"use": 2}, {}])
def test_nothing_is_said_where_all_is_known_or_nothing_is_wrong(counts: Mapping[str, int]) -> None:
    made = line("m", frozenset({Arm.SYSTEM}), **counts)
    assert (made.hidden, made.is_known, made.why) == (0, True, "")


def test_the_page_says_it_in_words_and_has_no_column_of_zeros(tmp_path: Path) -> None:
    made = run(tmp_path / "run", histories=2, questions=4, tasks=("facts",))
    page = write(made.folder, made.summary, made.cells, card=made.card, identity=made.identity).read_text("utf-8")
    table = page.split('class="failures"')[1].split("</table>")[0]
    assert NOTHING_KEPT in table
    assert "needs the arm readback" in table
    assert "unknown</th>" not in table

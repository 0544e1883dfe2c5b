"""What stood behind each row, and what follows: only a system that itself ran is measured.

A run says of each row how it stood when it was made. A system that then said it cannot work on this machine (its
server is not there, its package is another version) was not run here either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from recollect.records.provenance import ABSENT, RAN, STAND_IN, Ran
from recollect.records.tables.cells import CellOutcome, CellStatus
from recollect.records.tables.summary import Number

MEASURED: frozenset[CellStatus] = frozenset({"scored", "abstained", "undecided"})


def unmeasured(cells: Iterable[CellOutcome], standings: Mapping[str, Ran]) -> Iterator[CellOutcome]:
    """The cells, those of a stand-in without answer, value and recall."""
    for cell in cells:
        ran = standings.get(cell.row, Ran())
        if ran.word == RAN or cell.status not in MEASURED:
            yield cell
            continue
        yield replace(
            cell,
            status="not_available",
            value=None,
            parts=(),
            why=f"{ran.word}: that is no measure of `{cell.row}`",
            answer=None,
            recall=None,
            verdict=None,
            context_tokens=None,
            truncated=False,
        )


def only_measured(numbers: Iterable[Number], standings: Mapping[str, Ran]) -> tuple[Number, ...]:
    """The numbers; a row that did not run has no strict mean either."""
    fine = {row for row, ran in standings.items() if ran.word == RAN}
    return tuple(one if one.row in fine else replace(one, strict=None) for one in numbers)


def provenance_of_rows(
    cells: Iterable[CellOutcome], standings: Mapping[str, Ran], began: Mapping[str, bool]
) -> dict[str, Ran]:
    """How each row stands after the run.

    Args:
        cells: Every planned cell.
        standings: What the run said of its rows when it was made.
        began: Row -> whether its system took in anything.
    """
    mine: dict[str, list[CellOutcome]] = {}
    for cell in cells:
        mine.setdefault(cell.row, []).append(cell)
    found = {**standings, **{row: standings.get(row, Ran()) for row in mine}}
    for row, its_cells in mine.items():
        failed = {(cell.status, cell.stage, cell.cause) for cell in its_cells} == {("fault", "state", "not_available")}
        if failed and found[row].word != STAND_IN and not began.get(row):
            found[row] = Ran(word=ABSENT, why=f"it could not start: {its_cells[0].why}")
    return found

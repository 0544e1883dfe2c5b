"""Memory factual recall by a model that is handed in: the same sheets as by rule, each claim checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.estimates import Asked, Estimator, nothing
from recollect.diagnose.grid import grid_of
from recollect.diagnose.records.join import read_run
from recollect.diagnose.states.cells import state_cells
from recollect.diagnose.states.factual_recall import Sheet, sheets
from recollect.diagnose.states.policies import Lived, first_policy
from recollect.domain.ids import CheckpointId, QuestionId
from recollect.records.tables.policies import ModelRecall
from recollect.store.run_folder import RunFolder

Check = Callable[[Sequence[str], Sequence[str]], Sequence[bool | None]]
"""Of a document and claims: whether it bears each of them out, where that could be told."""


class Page(NamedTuple):
    """One sheet of one row."""

    task: str
    row: str
    sheet: Sheet


class Judged(NamedTuple):
    """One claim with its verdict."""

    page: Page
    state: str
    verdict: bool | None


def pages_of(folder: RunFolder, benchmark: Benchmark) -> tuple[tuple[Page, ...], int]:
    """The sheets of all rows that follow a policy, and the seed of the run.

    Raises:
        DataError: A record does not fit the steps, the data or its schema.
        UsageError: There is no run here.
    """
    run = read_run(folder, benchmark)
    grid, lived = grid_of(run.cells), Lived(run.episodes, run.rows, run.adopted)
    rows = [(task, row) for task in grid.tasks for row in grid.kinds if first_policy(run.rows.get(row, {})) is not None]
    found = [(task, row, state_cells(grid, task, row)) for task, row in rows]
    pages = [Page(task, row, one) for task, row, cells in found if cells for one in sheets(cells, lived.keys)]
    return tuple(page for page in pages if page.sheet.facts), run.seed


def judged(pages: Sequence[Page], check: Check) -> Iterator[Judged]:
    """Each claim of each page; those without a value or a memory that tells are undecided, and no call is made."""
    for page in pages:
        facts = [fact for fact in page.sheet.facts if fact.value is not None and page.sheet.document is not None]
        document = [
            f"[{item.said_at}] {item.text}" if item.said_at else item.text for item in page.sheet.document or ()
        ]
        verdicts = check(document, [fact.claim for fact in facts]) if facts else ()
        said = dict(zip((fact.name for fact in facts), verdicts, strict=True))
        for fact in page.sheet.facts:
            yield Judged(page, fact.name, said.get(fact.name))


def _document(sheet: Sheet) -> list[str]:
    """One entry a thing recalled, with its time."""
    return [f"[{item.said_at}] {item.text}" if item.said_at else item.text for item in sheet.document or ()]


def recalls(found: Sequence[Judged], estimator: Estimator) -> tuple[ModelRecall, ...]:
    """By task and row: each period, then all."""
    rows = dict.fromkeys((one.page.task, one.page.row) for one in found)
    made = []
    for task, row in rows:
        mine = [one for one in found if (one.page.task, one.page.row) == (task, row)]
        periods = sorted({one.page.sheet.session.period for one in mine})
        made += [_recall(mine, task, row, period, estimator) for period in (*periods, None)]
    return tuple(made)


def _recall(mine: Sequence[Judged], task: str, row: str, period: int | None, estimator: Estimator) -> ModelRecall:
    here = [one for one in mine if period in (None, one.page.sheet.session.period)]
    values: dict[Asked, list[float]] = {}
    for one in here:
        if one.verdict is not None:
            session = one.page.sheet.session
            asked = Asked(session.history, CheckpointId(str(session.period)), QuestionId(one.state))
            values.setdefault(asked, []).append(float(one.verdict))
    means = {asked: sum(found) / len(found) for asked, found in values.items()}
    recall = estimator.one(means).estimate if means else nothing("no verdict", estimator.level)
    undecided = sum(one.verdict is None for one in here)
    return ModelRecall(task=task, row=row, period=period, recall=recall, undecided=undecided)

"""Policies over periods: what changed in them, which states they cover, which of the newest states were recalled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from recollect.contracts.benchmark import Benchmark
from recollect.diagnose.estimates import Asked, Estimator, mean, mean_of_each, question_means
from recollect.diagnose.grid import Grid, grid_of
from recollect.diagnose.records.join import JoinedRun, read_run
from recollect.diagnose.records.policy_versions import Followed, versions
from recollect.diagnose.states.cells import StateCells, state_cells
from recollect.diagnose.states.factual_recall import Session, Sheet, sheets
from recollect.domain.ids import CheckpointId, QuestionId
from recollect.records.tables.cells import Estimate
from recollect.records.tables.policies import (
    COVERS,
    FIRST_POLICY,
    Cover,
    ModelRecall,
    PolicyNumbers,
    PolicyRow,
    PolicyVersion,
)
from recollect.store.run_folder import RunFolder

SILENT = "the agent does not tell what it recalled"
NOT_ASKED = "no state was asked for"
NO_NEW = "no state was told"


def policies(grid: Grid, run: JoinedRun, estimator: Estimator) -> tuple[PolicyRow, ...]:
    """One for each task and each row that follows a policy and is asked about states."""
    found = []
    keys = {history: episode.keyed.keys for history, episode in run.episodes.items()}
    for task in grid.tasks:
        for row in grid.kinds:
            first = first_policy(run.rows.get(row, {}))
            cells = state_cells(grid, task, row)
            if first is None or cells is None:
                continue
            shown = sheets(cells, keys)
            changes = tuple(_versions(shown, first, (task, row), cells, run))
            numbers = partial(_numbers, cells=cells, sheets=shown, versions=changes, estimator=estimator)
            policy = PolicyRow(
                task=task,
                row=row,
                evolved=any(version.added or version.removed for version in changes),
                whole=numbers(None),
                periods=tuple(numbers(period) for period in cells.periods),
                versions=changes,
            )
            found.append(policy)
    return tuple(found)


def _versions(
    found: Iterable[Sheet], first: str, name: tuple[str, str], cells: StateCells, run: JoinedRun
) -> Iterator[PolicyVersion]:
    for whose in sorted({Followed(sheet.session.history, sheet.session.replicate) for sheet in found}):
        history = whose.history
        steps: dict[int, int] = {}  # period -> step of the first questions at its end
        schema: dict[str, list[str]] = {}  # every state of the user with all of its values
        for state, answers in cells.scored.items():
            if state.history == history:
                asked_at = run.episodes[history].asked_at
                step = min(asked_at[cell.checkpoint, cell.question] for cell in answers)
                steps[state.period] = min(step, steps.get(state.period, step))
        for state, names in cells.written.items():
            if state.history == history:
                schema |= {variable: [] for variable in names}
        for key in run.episodes[history].keyed.keys.values():
            for variable, values in key.field_gold.items():
                schema.setdefault(variable, []).extend(values)
        mine = [one for one in run.adopted if (one.task, one.row, one.history, one.replicate) == (*name, *whose)]
        yield from versions(whose, first, mine, steps, dict(sorted(schema.items())))


def _numbers(
    period: int | None,
    *,
    cells: StateCells,
    sheets: Sequence[Sheet],
    versions: Sequence[PolicyVersion],
    estimator: Estimator,
) -> PolicyNumbers:
    """Those of one period, or of all."""
    here = [sheet for sheet in sheets if period in (None, sheet.session.period)]
    followed = [version for version in versions if period in (None, version.period)]
    answers = [cell for state, mine in cells.scored.items() if period in (None, state.period) for cell in mine]
    silent = SILENT if any(sheet.facts for sheet in here) else NO_NEW

    def recall(of: Callable[[Sheet], Mapping[str, float]], why: str) -> Estimate:
        values = [(sheet.session, name, value) for sheet in here for name, value in of(sheet).items()]
        return _mean(values, why, estimator)

    def covered(cover: Cover) -> Estimate:
        values = [
            (Session(version.history, version.replicate, version.period), name, float(one == cover))
            for version in followed
            for name, one in version.covers.items()
        ]
        return _mean(values, "no states", estimator)

    return PolicyNumbers(
        period=period,
        score=estimator.one(question_means(answers)).estimate,
        by_source=recall(Sheet.by_source, silent),
        by_words=recall(Sheet.by_words, silent),
        by_probe=recall(Sheet.by_probe, NOT_ASKED),
        covers={cover: covered(cover) for cover in COVERS},
        lines=mean([len(version.lines) for version in followed] or [0]),
        added=mean([len(version.added) for version in followed] or [0]),
        removed=mean([len(version.removed) for version in followed] or [0]),
    )


def _mean(values: Iterable[tuple[Session, str, float]], why: str, estimator: Estimator) -> Estimate:
    """Over the states of all sessions; replicates are averaged first."""
    means = mean_of_each(
        (Asked(session.history, CheckpointId(str(session.period)), QuestionId(name)), value)
        for session, name, value in values
    )
    return estimator.one(means, why).estimate


def first_policy(facts: Mapping[str, Any]) -> str | None:
    """The policy that a row begins with; `None` for a row without one."""
    policy = facts.get("system", {}).get("inputs", {}).get(FIRST_POLICY)
    return policy if isinstance(policy, str) else None


Check = Callable[[Sequence[str], Sequence[str]], Sequence[bool | None]]
"""(document, claims) -> whether the document supports each claim; `None` where that is undecided."""


class Page(NamedTuple):
    task: str
    row: str
    sheet: Sheet


class Judged(NamedTuple):
    page: Page
    state: str
    verdict: bool | None


def pages_of(folder: RunFolder, benchmark: Benchmark) -> tuple[tuple[Page, ...], int]:
    """The sheets of all rows that follow a policy, and the seed of the run."""
    run = read_run(folder, benchmark)
    grid, keys = grid_of(run.cells), {history: episode.keyed.keys for history, episode in run.episodes.items()}
    pages: list[Page] = []
    for task in grid.tasks:
        for row in grid.kinds:
            cells = state_cells(grid, task, row) if first_policy(run.rows.get(row, {})) is not None else None
            pages += [Page(task, row, sheet) for sheet in (sheets(cells, keys) if cells else ()) if sheet.facts]
    return tuple(pages), run.seed


def judged(pages: Sequence[Page], check: Check) -> Iterator[Judged]:
    """Each claim of each page; undecided without a call where the value or the memory is unknown."""
    for page in pages:
        items = page.sheet.document
        facts = [fact for fact in page.sheet.facts if fact.value is not None and items is not None]
        document = [f"[{item.said_at}] {item.text}" if item.said_at else item.text for item in items or ()]
        verdicts = check(document, [fact.claim for fact in facts]) if facts else ()
        by_name = dict(zip((fact.name for fact in facts), verdicts, strict=True))
        for fact in page.sheet.facts:
            yield Judged(page, fact.name, by_name.get(fact.name))


def recalls(found: Sequence[Judged], estimator: Estimator) -> tuple[ModelRecall, ...]:
    """By task and row: each period, then all."""
    made = []
    for task, row in dict.fromkeys((one.page.task, one.page.row) for one in found):
        mine = [one for one in found if (one.page.task, one.page.row) == (task, row)]
        for period in (*sorted({one.page.sheet.session.period for one in mine}), None):
            here = [one for one in mine if period in (None, one.page.sheet.session.period)]
            values = []
            for one in here:
                history, _, at = one.page.sheet.session
                if one.verdict is not None:
                    values.append((Asked(history, CheckpointId(str(at)), QuestionId(one.state)), float(one.verdict)))
            recall = estimator.one(mean_of_each(values), "no verdict").estimate
            undecided = len(here) - len(values)
            made.append(ModelRecall(task=task, row=row, period=period, recall=recall, undecided=undecided))
    return tuple(made)

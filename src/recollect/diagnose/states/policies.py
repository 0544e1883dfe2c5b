"""Policies over periods: what changed in them, which states they cover, what of the newest states was then held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.diagnose.estimates import Asked, Estimator, Values, by_question, counted_value, nothing, per_question
from recollect.diagnose.grid import Grid
from recollect.diagnose.records.plan import Episode
from recollect.diagnose.records.policy_versions import Adopted, Followed, versions
from recollect.diagnose.states.cells import StateCells, state_cells
from recollect.diagnose.states.factual_recall import Keys, Session, Sheet, sheets
from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.records.tables.cells import Estimate
from recollect.records.tables.policies import COVERS, FIRST_POLICY, Cover, PolicyNumbers, PolicyRow, PolicyVersion

SILENT = "the agent does not tell what it recalled"
NOT_ASKED = "no state was asked for"
NO_NEW = "no state was told"


class Lived(NamedTuple):
    """What a run holds beside its cells that policies are told by."""

    episodes: Mapping[HistoryId, Episode]
    rows: Mapping[str, Mapping[str, Any]]
    """Row -> what its trials say of it."""
    adopted: Sequence[Adopted]

    @property
    def keys(self) -> Keys:
        """Those of all questions."""
        return {history: episode.keyed.keys for history, episode in self.episodes.items()}


def policies(grid: Grid, lived: Lived, estimator: Estimator) -> tuple[PolicyRow, ...]:
    """One for each task and each row that follows a policy and is asked about states."""
    return tuple(
        _row(_Examined(task, row, first, cells, lived), estimator)
        for task in grid.tasks
        for row in grid.kinds
        if (first := first_policy(lived.rows.get(row, {}))) is not None
        and (cells := state_cells(grid, task, row)) is not None
    )


def first_policy(facts: Mapping[str, Any]) -> str | None:
    """The policy that a row begins with; `None` for a row without one."""
    said = facts.get("system", {}).get("inputs", {}).get(FIRST_POLICY)
    return said if isinstance(said, str) else None


@dataclass(frozen=True, slots=True)
class _Examined:
    """One row on one task."""

    task: str
    row: str
    first: str
    cells: StateCells
    lived: Lived

    def versions(self, found: Iterable[Sheet]) -> Iterator[PolicyVersion]:
        """By user, replicate and period."""
        for whose in sorted({Followed(sheet.session.history, sheet.session.replicate) for sheet in found}):
            mine = (self.task, self.row, *whose)
            adopted = [one for one in self.lived.adopted if one[: len(mine)] == mine]
            yield from versions(whose, self.first, adopted, self._places(whose.history), self._schema(whose.history))

    def _places(self, history: HistoryId) -> dict[int, int]:
        """Period -> place of the first questions at its end."""
        places: dict[int, int] = {}
        for place, cells in self.cells.scored.items():
            if place.history == history:
                at = self.lived.episodes[history].asked_at
                asked = min(at[cell.checkpoint, cell.question] for cell in cells)
                places[place.period] = min(asked, places.get(place.period, asked))
        return places

    def _schema(self, history: HistoryId) -> dict[str, list[str]]:
        """Every state of a user with the values that it ever has."""
        found: dict[str, list[str]] = {}
        for place, names in self.cells.written.items():
            if place.history == history:
                found |= {name: [] for name in names if name not in found}
        for key in self.lived.keys.get(history, {}).values():
            for name, values in key.field_gold.items():
                found.setdefault(name, []).extend(values)
        return {name: found[name] for name in sorted(found)}


def _row(one: _Examined, estimator: Estimator) -> PolicyRow:
    found = sheets(one.cells, one.lived.keys)
    made = tuple(one.versions(found))
    counted = _Counted(one.cells, found, made, estimator)
    return PolicyRow(
        task=one.task,
        row=one.row,
        evolved=any(version.added or version.removed for version in made),
        whole=counted.numbers(None),
        periods=tuple(counted.numbers(period) for period in one.cells.periods),
        versions=made,
    )


@dataclass(frozen=True, slots=True)
class _Counted:
    """Makes the numbers of a row."""

    cells: StateCells
    sheets: Sequence[Sheet]
    versions: Sequence[PolicyVersion]
    estimator: Estimator

    def numbers(self, period: int | None) -> PolicyNumbers:
        """Those of one period, or of all."""
        found = [sheet for sheet in self.sheets if period in (None, sheet.session.period)]
        followed = [version for version in self.versions if period in (None, version.period)]
        silent = SILENT if any(sheet.facts for sheet in found) else NO_NEW
        return PolicyNumbers(
            period=period,
            score=self._score(period),
            by_source=self._recall(found, Sheet.by_source, silent),
            by_words=self._recall(found, Sheet.by_words, silent),
            by_probe=self._recall(found, Sheet.by_probe, NOT_ASKED),
            covers={word: self._cover(followed, word) for word in COVERS},
            lines=_mean([len(version.lines) for version in followed]),
            added=_mean([len(version.added) for version in followed]),
            removed=_mean([len(version.removed) for version in followed]),
        )

    def _score(self, period: int | None) -> Estimate:
        cells = [cell for place, mine in self.cells.scored.items() if period in (None, place.period) for cell in mine]
        return self._one(per_question(by_question(cells), counted_value), "no answers that count")

    def _recall(self, found: Sequence[Sheet], held: Callable[[Sheet], Mapping[str, float]], why: str) -> Estimate:
        told = [(sheet.session, held(sheet)) for sheet in found]
        return self._one(_values((session, name, value) for session, one in told for name, value in one.items()), why)

    def _cover(self, followed: Sequence[PolicyVersion], word: Cover) -> Estimate:
        told = [(Session(one.history, one.replicate, one.period), one.covers) for one in followed]
        values = ((session, name, float(how == word)) for session, covers in told for name, how in covers.items())
        return self._one(_values(values), "no states")

    def _one(self, values: Values, why: str) -> Estimate:
        return self.estimator.one(values, why).estimate if values else nothing(why, self.estimator.level)


def _values(told: Iterable[tuple[Session, str, float]]) -> dict[Asked, float]:
    """Each state of each session once; the mean of its replicates."""
    found: dict[Asked, list[float]] = defaultdict(list)
    for session, name, value in told:
        found[Asked(session.history, CheckpointId(str(session.period)), QuestionId(name))].append(value)
    return {asked: _mean(values) for asked, values in found.items()}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0

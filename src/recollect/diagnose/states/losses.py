"""Where states and answers were lost: never written, not read, or not used; by probes of the states themselves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from recollect.diagnose.estimates import Asked, Estimator, Values, asked_of, counted_value, mean_of_each, tally
from recollect.diagnose.states.cells import STATE, StateCells, StateId
from recollect.domain.ids import HistoryId, QuestionId
from recollect.metrics.states import ENDINGS, FATES, Ending, Fate, StateDiagnosis, diagnose_states
from recollect.records.tables.cells import CellOutcome
from recollect.records.tables.states import StateLosses

UNDECIDED = "undecided"
NOT_ASKED = "not asked"


class Attempt(NamedTuple):
    history: HistoryId
    replicate: int
    answer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One question of one attempt, with what became of its states."""

    asked: Asked
    period: int
    fates: Mapping[str, Fate]
    missing: Mapping[str, str]
    """Variable -> why its fate is undecided."""
    ending: Ending | None
    """`None` for questions that are only probed."""
    why: str
    """Why its ending is undecided."""
    remembered: bool


def losses_found(cells: StateCells) -> list[Found]:
    """Every question of every attempt. What is missing or broke is undecided, and never a failure of the row."""
    scored, probes = _by_attempt(cells.scored), _by_attempt(cells.probes)
    found: list[Found] = []
    for attempt in sorted({*scored, *probes}):
        found += _Diagnosed(attempt, scored.get(attempt, {}), probes.get(attempt, {}), cells.written).found()
    return found


def _by_attempt(states: Mapping[StateId, Sequence[CellOutcome]]) -> dict[Attempt, dict[StateId, CellOutcome]]:
    """Where an answer is judged several times, its first verdict counts."""
    found: dict[Attempt, dict[StateId, CellOutcome]] = defaultdict(dict)
    for state, cells in states.items():
        for cell in cells:
            if not cell.take.judge:
                found[Attempt(cell.history, cell.replicate, cell.take.answer)][state] = cell
    return found


@dataclass(frozen=True, slots=True)
class _Diagnosed:
    attempt: Attempt
    scored: Mapping[StateId, CellOutcome]
    probes: Mapping[StateId, CellOutcome]
    written: Mapping[StateId, Mapping[str, int]]

    def found(self) -> Iterator[Found]:
        asked = sorted({*self.scored, *self.probes})
        told = {period for state in asked for period in self.written[state].values()}  # also where nothing is asked
        periods = sorted(told.union(state.period for state in asked))
        threads = sorted({state.thread for state in asked})
        diagnosis = self._diagnosis(set(asked), periods, threads)
        for state in asked:
            row, column = periods.index(state.period), threads.index(state.thread)
            fates, ending = diagnosis.fates[row][column], diagnosis.endings[row][column]
            missing = {name: self._lacks(state, name) for name, fate in fates.items() if fate == UNDECIDED}
            answer, why = self.scored.get(state), ""
            if ending == UNDECIDED:
                unanswered = _is_right(answer) is None
                why = f"no answer: {_status(answer)}" if unanswered else next(iter(missing.values()), "")
            yield Found(
                asked=asked_of(answer or self.probes[state]),
                period=state.period,
                fates=fates,
                missing=missing,
                ending=ending if state in self.scored else None,
                why=why,
                remembered=diagnosis.remembered[row][column] is True,
            )

    def _diagnosis(self, asked: Set[StateId], periods: Sequence[int], threads: Sequence[str]) -> StateDiagnosis:
        index = {period: number for number, period in enumerate(periods)}
        know: list[list[dict[str, bool | None]]] = []
        written: list[list[dict[str, int]]] = []
        right: list[list[bool | None]] = []
        for period in periods:
            states = [StateId(self.attempt.history, period, thread) for thread in threads]
            told = [self.written[state] if state in asked else {} for state in states]
            pairs = list(zip(states, told, strict=True))
            know.append([{name: self._knows(state, name) for name in names} for state, names in pairs])
            written.append([{name: index[at] for name, at in names.items()} for names in told])
            right.append([_is_right(self.scored.get(state)) for state in states])
        return diagnose_states(know, written, right)

    def _knows(self, state: StateId, variable: str) -> bool | None:
        """Whether the probe of a question named a state; `None` where no probe tells."""
        cell = self.probes.get(state)
        if cell is None or counted_value(cell) is None:
            return None
        value = next((part.value for part in cell.parts if part.name == STATE + variable), None)
        return None if value is None else value >= 1.0

    def _lacks(self, state: StateId, variable: str) -> str:
        if self._knows(state, variable) is None:
            return f"no probe: {_status(self.probes.get(state))}"
        last = state._replace(period=self.written[state][variable])
        return f"no probe where it was last told: {_status(self.probes.get(last))}"


def _is_right(cell: CellOutcome | None) -> bool | None:
    value = None if cell is None else counted_value(cell)
    return None if value is None else value >= 1.0


def _status(cell: CellOutcome | None) -> str:
    if cell is None:
        return NOT_ASKED
    return "does not tell" if counted_value(cell) is not None else cell.status.replace("_", " ")


def state_losses(found: Iterable[Found], estimator: Estimator) -> StateLosses:
    """Counts and shares; each share is a mean over attempts first, clustered by user."""
    mine = list(found)
    asked = [one for one in mine if one.ending is not None]
    decided = [one for one in asked if one.ending != UNDECIDED]
    states = [
        (one.asked._replace(question=QuestionId(f"{one.asked.question}/{name}")), fate)  # each is a unit of its own
        for one in mine
        for name, fate in one.fates.items()
        if fate != UNDECIDED
    ]
    wanted: dict[str, Values] = {
        fate: mean_of_each((unit, one == fate) for unit, one in states) for fate in ("write", "read")
    }
    for ending in ENDINGS:
        wanted[f"ending {ending}"] = mean_of_each((one.asked, one.ending == ending) for one in decided)
    wanted["known"] = mean_of_each((one.asked, one.ending == "utilisation") for one in decided if one.remembered)
    why = "no probe tells" if mine else "nothing is asked"
    estimates = {name: one.estimate for name, one in estimator.named(wanted, why).items()}
    fates = Counter(fate for one in mine for fate in one.fates.values())
    endings = Counter(one.ending for one in asked)
    return StateLosses(
        write=estimates["write"],
        read=estimates["read"],
        fates={fate: fates[fate] for fate in FATES},
        endings={ending: endings[ending] for ending in ENDINGS},
        shares={ending: estimates[f"ending {ending}"] for ending in ENDINGS if ending != UNDECIDED},
        utilisation_when_known=estimates["known"],
        without=tally(one.why for one in asked if one.ending == UNDECIDED),
        states_without=tally(why for one in mine for why in one.missing.values()),
    )

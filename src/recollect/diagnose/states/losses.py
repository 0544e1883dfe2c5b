"""Where states and answers were lost: never written, not read, or not used; by probes of the states themselves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.diagnose.estimates import Asked, Estimator, Values, asked_of, counted_value
from recollect.diagnose.states.cells import STATE, StateCells, StateId
from recollect.domain.ids import HistoryId, QuestionId
from recollect.metrics.states import ENDINGS, FATES, Ending, Fate, StateDiagnosis, diagnose_states
from recollect.records.tables.states import StateLosses
from recollect.records.tables.summary import CellOutcome

UNDECIDED = "undecided"
NOT_ASKED = "not asked"


class Attempt(NamedTuple):
    """One user, and one try at everything that is asked of it."""

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
    """Variable -> why its fate is not decided."""
    ending: Ending | None
    """`None` where only its probe is asked."""
    why: str
    """Why its ending is not decided."""
    remembered: bool


def losses_found(cells: StateCells) -> list[Found]:
    """Every question of every attempt. What is missing or broke is undecided, and never a failure of the row."""
    scored, probes = _by_attempt(cells.scored), _by_attempt(cells.probes)
    attempts = sorted({*scored, *probes})
    return [
        found
        for attempt in attempts
        for found in _Desk(attempt, scored.get(attempt, {}), probes.get(attempt, {}), cells.written).found()
    ]


def _by_attempt(places: Mapping[StateId, Sequence[CellOutcome]]) -> dict[Attempt, dict[StateId, CellOutcome]]:
    """Where an answer is weighed several times, its first verdict counts."""
    found: dict[Attempt, dict[StateId, CellOutcome]] = defaultdict(dict)
    for place, cells in places.items():
        for cell in cells:
            if not cell.take.judge:
                found[Attempt(cell.history, cell.replicate, cell.take.answer)][place] = cell
    return found


@dataclass
class _Desk:
    """Looks at one attempt."""

    attempt: Attempt
    scored: Mapping[StateId, CellOutcome]
    probes: Mapping[StateId, CellOutcome]
    written: Mapping[StateId, Mapping[str, int]]
    places: list[StateId] = field(init=False)

    def __post_init__(self) -> None:
        self.places = sorted({*self.scored, *self.probes})

    def found(self) -> Iterator[Found]:
        """Each of its questions."""
        periods, threads = self._axes()
        diagnosis = self._diagnosis(periods, threads)
        for place in self.places:
            row, column = periods[place.period], threads[place.thread]
            fates, ending = diagnosis.fates[row][column], diagnosis.endings[row][column]
            missing = {name: self._lacks(place, name) for name, fate in fates.items() if fate == UNDECIDED}
            yield Found(
                asked=asked_of(self.scored.get(place) or self.probes[place]),
                period=place.period,
                fates=fates,
                missing=missing,
                ending=ending if place in self.scored else None,
                why=self._why(place, missing) if ending == UNDECIDED else "",
                remembered=diagnosis.remembered[row][column] is True,
            )

    def _axes(self) -> tuple[dict[int, int], dict[str, int]]:
        """The place of each period and each thread in the grids; also of periods in which nothing is asked here."""
        told = {period for place in self.places for period in self.written[place].values()}
        periods = sorted({place.period for place in self.places} | told)
        threads = sorted({place.thread for place in self.places})
        return {one: at for at, one in enumerate(periods)}, {one: at for at, one in enumerate(threads)}

    def _diagnosis(self, periods: Mapping[int, int], threads: Mapping[str, int]) -> StateDiagnosis:
        grid = [[StateId(self.attempt.history, period, thread) for thread in threads] for period in periods]
        asked = set(self.places)
        tolds = [[self.written[place] if place in asked else {} for place in row] for row in grid]
        know = [
            [{name: self._knows(place, name) for name in told} for place, told in zip(row, written, strict=True)]
            for row, written in zip(grid, tolds, strict=True)
        ]
        written = [[{name: periods[period] for name, period in told.items()} for told in row] for row in tolds]
        return diagnose_states(know, written, [[_is_right(self.scored.get(place)) for place in row] for row in grid])

    def _knows(self, place: StateId, variable: str) -> bool | None:
        """Whether the probe of a place named a state; `None` where there is no probe that tells."""
        cell = self.probes.get(place)
        if cell is None or counted_value(cell) is None:
            return None
        value = next((part.value for part in cell.parts if part.name == STATE + variable), None)
        return None if value is None else value >= 1.0

    def _lacks(self, place: StateId, variable: str) -> str:
        if self._knows(place, variable) is None:
            return f"no probe: {_state(self.probes.get(place))}"
        last = place._replace(period=self.written[place][variable])
        return f"no probe where it was last told: {_state(self.probes.get(last))}"

    def _why(self, place: StateId, missing: Mapping[str, str]) -> str:
        cell = self.scored.get(place)
        if _is_right(cell) is None:
            return f"no answer: {_state(cell)}"
        return next(iter(missing.values()), "")


def _is_right(cell: CellOutcome | None) -> bool | None:
    value = None if cell is None else counted_value(cell)
    return None if value is None else value >= 1.0


def _state(cell: CellOutcome | None) -> str:
    if cell is None:
        return NOT_ASKED
    return "does not tell" if counted_value(cell) is not None else cell.status.replace("_", " ")


def state_losses(found: Iterable[Found], estimator: Estimator) -> StateLosses:
    """Counts and shares; each share is a mean over attempts first, clustered on users."""
    mine = list(found)
    asked = [one for one in mine if one.ending is not None]
    fates = Counter(fate for one in mine for fate in one.fates.values())
    endings = Counter(one.ending for one in asked)
    wanted = {**_of_states(mine), **_of_questions(asked)}
    why = "no probe tells" if mine else "nothing is asked"
    named = {name: one.estimate for name, one in estimator.named(wanted, why).items()}
    return StateLosses(
        write=named["state", "write"],
        read=named["state", "read"],
        fates={fate: fates[fate] for fate in FATES},
        endings={ending: endings[ending] for ending in ENDINGS},
        shares={ending: named["question", ending] for ending in ENDINGS if ending != UNDECIDED},
        utilisation_when_known=named["remembered", "utilisation"],
        without=_tally(one.why for one in asked if one.ending == UNDECIDED),
        states_without=_tally(why for one in mine for why in one.missing.values()),
    )


Named = tuple[str, str]
"""What is counted, and which share of it."""


def _of_states(found: Sequence[Found]) -> dict[Named, Values]:
    decided = [(_of(one, name), fate) for one in found for name, fate in one.fates.items() if fate != UNDECIDED]
    return {("state", fate): _means((asked, one == fate) for asked, one in decided) for fate in FATES[1:3]}


def _of(one: Found, variable: str) -> Asked:
    """A state as a unit of its own, for a mean over states."""
    return one.asked._replace(question=QuestionId(f"{one.asked.question}/{variable}"))


def _of_questions(found: Sequence[Found]) -> dict[Named, Values]:
    decided = [one for one in found if one.ending != UNDECIDED]
    shares: dict[Named, Values] = {
        ("question", ending): _means((one.asked, one.ending == ending) for one in decided) for ending in ENDINGS
    }
    known = _means((one.asked, one.ending == "utilisation") for one in decided if one.remembered)
    return {**shares, ("remembered", "utilisation"): known}


def _means(told: Iterable[tuple[Asked, bool]]) -> dict[Asked, float]:
    found: dict[Asked, list[bool]] = defaultdict(list)
    for asked, is_so in told:
        found[asked].append(is_so)
    return {asked: sum(one) / len(one) for asked, one in found.items()}


def _tally(reasons: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(reasons).items()))

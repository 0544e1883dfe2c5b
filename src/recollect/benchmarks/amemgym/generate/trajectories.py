"""How a life goes on: the state at the end of each period, and which changes come together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import AdviceQuestion
from recollect.benchmarks.amemgym.generate.plans import LifePlan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.worlds.dealing import first_fitting
from recollect.worlds.driver import Draws

TRIES = 400
State = Mapping[str, str]
Occasion = tuple[str, ...]
"""Variables that change by one event, all of one domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """All states of one user."""

    states: tuple[State, ...]
    """At the end of each period, period 0 first."""
    occasions: tuple[tuple[Occasion, ...], ...]
    """What changed together, period by period; the first is empty."""

    def combinations(self, question: AdviceQuestion) -> tuple[tuple[str, ...], ...]:
        """What a question's variables were, in the order in which it came to be; no combination twice."""
        return tuple(dict.fromkeys(combination(state, question) for state in self.states))

    def changes(self) -> dict[str, int]:
        """How often each variable changed."""
        changed = Counter(name for period in self.occasions for occasion in period for name in occasion)
        return {name: changed[name] for name in self.states[0]}


def combination(state: State, question: AdviceQuestion) -> tuple[str, ...]:
    """The values that a question's answer depends on."""
    return tuple(state[name] for name in question.needs)


def draw_trajectory(plan: LifePlan, settings: GenerationSettings, draws: Draws) -> Trajectory:
    """A life within the limits of the settings in which every question's right answer changes at least once.

    Raises:
        ValueError: No such life was found; the limits leave too few changes.
    """

    def walk(attempt: int) -> Trajectory | None:
        found = _Walk(plan, settings, draws.of("trajectory", attempt)).whole()
        return found if found is not None and (not settings.num_periods or _all_change(plan, found)) else None

    limits = (
        f"no life keeps all limits: {settings.num_periods} periods of {settings.num_changes_per_period} changes, "
        f"at most {settings.max_changes_per_state} of each of {len(plan.variables)} variables; allow more or ask less"
    )
    return first_fitting(walk, TRIES, limits)


def _all_change(plan: LifePlan, found: Trajectory) -> bool:
    return all(len(found.combinations(question)) > 1 for question in plan.questions)


class _Walk:
    """One attempt; it gives up where a period finds too few changes."""

    def __init__(self, plan: LifePlan, settings: GenerationSettings, rng: Random) -> None:
        self._plan, self._settings, self._rng = plan, settings, rng
        self._state = {name: self._first(name) for name in plan.variables}
        self._changes: Counter[str] = Counter()
        self._seen = [{combination(self._state, question)} for question in plan.questions]

    def whole(self) -> Trajectory | None:
        states: list[State] = [dict(self._state)]
        occasions: list[tuple[Occasion, ...]] = [()]
        for count in _counts(self._settings, self._rng):
            changed = self._period(count)
            if sum(map(len, changed)) < count:
                return None
            states.append(dict(self._state))
            occasions.append(changed)
        return Trajectory(states=tuple(states), occasions=tuple(occasions))

    def _first(self, name: str) -> str:
        variable = self._plan.variables[name]
        if variable.kind == "nominal":
            return self._rng.choice(variable.values).value
        middle = len(variable.values) - 1
        return variable.values[(middle + self._rng.randrange(2)) // 2].value

    def _period(self, count: int) -> tuple[Occasion, ...]:
        """The changes of one period; fewer than asked for where nothing more may change."""
        before, left = dict(self._state), count
        occasions: list[Occasion] = []
        for name in self._order():
            if not left:
                break
            if any(name in occasion for occasion in occasions):
                continue
            occasion = self._occasion(name, left, occasions)
            if occasion:
                occasions.append(occasion)
                left -= len(occasion)
        for names, question in zip(self._seen, self._plan.questions, strict=True):
            names.add(combination(self._state, question))
        self._changes.update(name for name in before if before[name] != self._state[name])
        return tuple(occasions)

    def _order(self) -> list[str]:
        """Variables that may still change; those that changed least are the likeliest to come first."""
        free = [name for name in self._state if self._changes[name] < self._settings.max_changes_per_state]
        return sorted(free, key=lambda name: self._changes[name] + 1.5 * self._rng.random())

    def _occasion(self, name: str, left: int, occasions: list[Occasion]) -> Occasion:
        if not self._move(name):
            return ()
        if left < 2 or self._rng.random() >= self._settings.paired_changes:
            return (name,)
        taken = {other for occasion in occasions for other in occasion} | {name}
        for other in self._order():
            if other not in taken and self._plan.domain_of[other] is self._plan.domain_of[name] and self._move(other):
                return (name, other)
        return (name,)

    def _move(self, name: str) -> bool:
        """Change one variable where no question gets more combinations by it than it may have choices."""
        old = self._state[name]
        for new in self._next_values(name):
            self._state[name] = new
            if all(
                len(seen | {combination(self._state, question)}) <= self._settings.max_state_variants
                for seen, question in zip(self._seen, self._plan.questions, strict=True)
                if name in question.needs
            ):
                return True
        self._state[name] = old
        return False

    def _next_values(self, name: str) -> list[str]:
        variable = self._plan.variables[name]
        values = [one.value for one in variable.values]
        place = values.index(self._state[name])
        if variable.kind == "ordinal":
            values = values[max(place - 1, 0) : place + 2]
        others = [one for one in values if one != self._state[name]]
        return self._rng.sample(others, len(others))


def _counts(settings: GenerationSettings, rng: Random) -> Iterator[int]:
    """How many variables change in each period; together they are what the settings say on average."""
    half, odd = divmod(settings.num_periods, 2)
    steps = [step for _ in range(half) for step in rng.choice(((0, 0), (-1, 1)))] + [0] * odd
    rng.shuffle(steps)
    return (settings.num_changes_per_period + step for step in steps)

"""The course of a life: the state at the end of each period, and which changes come together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
        """The combinations of a question's variables that came to be, in order, each once."""
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
        if found is None or not settings.num_periods:
            return found
        return found if all(len(found.combinations(question)) > 1 for question in plan.questions) else None

    limits = (
        f"no life keeps all limits: {settings.num_periods} periods of {settings.num_changes_per_period} changes, "
        f"at most {settings.max_changes_per_state} of each of {len(plan.variables)} variables; allow more or ask less"
    )
    return first_fitting(walk, TRIES, limits)


class _Walk:
    def __init__(self, plan: LifePlan, settings: GenerationSettings, rng: Random) -> None:
        self._plan, self._settings, self._rng = plan, settings, rng
        self._state: dict[str, str] = {}
        for name, variable in plan.variables.items():
            if variable.kind == "nominal":
                self._state[name] = rng.choice(variable.values).value
            else:
                self._state[name] = variable.values[(len(variable.values) - 1 + rng.randrange(2)) // 2].value
        self._changes: Counter[str] = Counter()
        self._seen = [{combination(self._state, question)} for question in plan.questions]

    def whole(self) -> Trajectory | None:
        states: list[State] = [dict(self._state)]
        occasions: list[tuple[Occasion, ...]] = [()]
        half, odd = divmod(self._settings.num_periods, 2)
        steps = [step for _ in range(half) for step in self._rng.choice(((0, 0), (-1, 1)))] + [0] * odd
        self._rng.shuffle(steps)
        for step in steps:
            count = self._settings.num_changes_per_period + step
            changed = self._period(count)
            if sum(map(len, changed)) < count:
                return None
            states.append(dict(self._state))
            occasions.append(changed)
        return Trajectory(states=tuple(states), occasions=tuple(occasions))

    def _period(self, count: int) -> tuple[Occasion, ...]:
        """The changes of one period; fewer than *count* where nothing more may change."""
        occasions: list[Occasion] = []
        changed: set[str] = set()
        for name in self._order():
            if len(changed) == count:
                break
            if name not in changed and self._move(name):
                occasions.append(self._occasion(name, count - len(changed), changed))
                changed.update(occasions[-1])
        for seen, question in zip(self._seen, self._plan.questions, strict=True):
            seen.add(combination(self._state, question))
        self._changes.update(changed)
        return tuple(occasions)

    def _order(self) -> list[str]:
        """Variables that may still change; those that changed least are the likeliest to come first."""
        free = [name for name in self._state if self._changes[name] < self._settings.max_changes_per_state]
        return sorted(free, key=lambda name: self._changes[name] + 1.5 * self._rng.random())

    def _occasion(self, name: str, left: int, changed: set[str]) -> Occasion:
        if left < 2 or self._rng.random() >= self._settings.paired_changes:
            return (name,)
        domain_of = self._plan.domain_of
        for other in self._order():
            if other not in changed | {name} and domain_of[other] is domain_of[name] and self._move(other):
                return (name, other)
        return (name,)

    def _move(self, name: str) -> bool:
        """Change one variable where no question gets more combinations by it than it may have choices."""
        old, variable = self._state[name], self._plan.variables[name]
        values = [one.value for one in variable.values]
        if variable.kind == "ordinal":
            values = values[max(values.index(old) - 1, 0) : values.index(old) + 2]
        others = [value for value in values if value != old]
        for new in self._rng.sample(others, len(others)):
            self._state[name] = new
            if all(
                len(seen | {combination(self._state, question)}) <= self._settings.max_state_variants
                for seen, question in zip(self._seen, self._plan.questions, strict=True)
                if name in question.needs
            ):
                return True
        self._state[name] = old
        return False

"""The choices of a question: one answer for every combination of values that comes to be, and some that never do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import AdviceQuestion
from recollect.benchmarks.amemgym.generate.plans import LifePlan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import Trajectory, combination
from recollect.benchmarks.amemgym.items import Choice, Qa
from recollect.worlds.solvers import Solver, first, last, least_alike, longest, middle, most_alike, shortest

DRAWS = 32
"""Ways to word and order the choices of a question, of which the least telling is kept."""
SOLVERS: Mapping[str, Solver] = {
    one.__name__: one for one in (longest, shortest, most_alike, least_alike, first, last, middle)
}
"""None of them gains anything, nor does any place."""
Combination = tuple[str, ...]


@dataclass(frozen=True)
class _Asked:
    """One question with all that its choices are drawn from."""

    question: AdviceQuestion
    lived: tuple[Combination, ...]
    now: tuple[Combination, ...]
    """Period by period."""
    unseen: tuple[Combination, ...]
    advice: Mapping[tuple[str, str], tuple[str, ...]]
    """Variable and value -> clauses."""

    def draw(self, least: int, rng: Random) -> tuple[Choice, ...]:
        """All choices in one wording and order."""
        missing = max(least - len(self.lived), 0)
        if missing > len(self.unseen):
            raise ValueError(f"{self.question.query!r} has {len(self.lived) + len(self.unseen)} answers, not {least}")
        choices = [Choice(state=one, answer=self._answer(one, rng), type="experience") for one in self.lived]
        for one in rng.sample(self.unseen, missing):
            choices.append(Choice(state=one, answer=self._answer(one, rng), type="random"))
        rng.shuffle(choices)
        return tuple(choices)

    def _answer(self, state: Combination, rng: Random) -> str:
        return " ".join(rng.choice(self.advice[shown]) for shown in zip(self.question.needs, state, strict=True))


def draw_qas(plan: LifePlan, trajectory: Trajectory, settings: GenerationSettings, rng: Random) -> tuple[Qa, ...]:
    """All questions of a user with their choices; neither place nor wording tells which answer is right.

    Of several draws the one is kept after which solvers that see the options alone are nearest to chance, over all
    questions and periods of the user so far.
    """
    gained: defaultdict[str, float] = defaultdict(float)
    made = []
    for question in plan.questions:
        asked = _asked(question, plan, trajectory)
        draws = [asked.draw(settings.min_state_variants, rng) for _ in range(DRAWS)]
        gains = [_gains(draw, asked.now) for draw in draws]
        best = min(range(DRAWS), key=lambda place: sum((gained[name] + one) ** 2 for name, one in gains[place].items()))
        for name, gain in gains[best].items():
            gained[name] += gain
        made.append(Qa(query=question.query, required_info=question.needs, answer_choices=draws[best]))
    return tuple(made)


def _asked(question: AdviceQuestion, plan: LifePlan, trajectory: Trajectory) -> _Asked:
    lived = trajectory.combinations(question)
    values = {name: plan.variables[name].values for name in question.needs}
    every = product(*([one.value for one in values[name]] for name in question.needs))
    return _Asked(
        question=question,
        lived=lived,
        now=tuple(combination(state, question) for state in trajectory.states),
        unseen=tuple(one for one in every if one not in lived),
        advice={(name, one.value): one.advice for name, words in values.items() for one in words},
    )


def _gains(choices: Sequence[Choice], now: Sequence[Combination]) -> Mapping[str, float]:
    """Solver or place -> how much oftener than by chance it is right, in periods."""
    options = [choice.answer for choice in choices]
    place_of = {choice.state: place for place, choice in enumerate(choices)}
    right = Counter(place_of[one] for one in now)
    chance = len(now) / len(choices)
    gains = {name: right[solve(options)] - chance for name, solve in SOLVERS.items()}
    return {**gains, **{f"place {place}": right[place] - chance for place in range(len(choices))}}

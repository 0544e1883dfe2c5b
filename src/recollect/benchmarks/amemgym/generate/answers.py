"""The choices of a question: one answer for every combination of values that comes to be, and some that never do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import AdviceQuestion
from recollect.benchmarks.amemgym.generate.plans import LifePlan
from recollect.benchmarks.amemgym.generate.settings import GenerationSettings
from recollect.benchmarks.amemgym.generate.trajectories import Trajectory, combination
from recollect.benchmarks.amemgym.items import Choice, Qa
from recollect.worlds.solvers import Solver, first, last, least_alike, longest, middle, most_alike, shortest

DRAWS = 32
"""Wordings and orders of a question's choices, of which the least telling is kept."""
SOLVERS: Mapping[str, Solver] = {
    one.__name__: one for one in (longest, shortest, most_alike, least_alike, first, last, middle)
}
"""None of them gains anything, nor does any position."""
Combination = tuple[str, ...]


def draw_qas(plan: LifePlan, trajectory: Trajectory, settings: GenerationSettings, rng: Random) -> tuple[Qa, ...]:
    """All questions of a user with their choices; neither position nor wording tells which answer is right.

    Of several draws the one is kept after which solvers that see the options alone are nearest to chance, over all
    questions and periods of the user so far.

    Raises:
        ValueError: A question has too few combinations of values.
    """
    gained: defaultdict[str, float] = defaultdict(float)
    made = []
    for question in plan.questions:
        lived = trajectory.combinations(question)
        values = {name: plan.variables[name].values for name in question.needs}
        every = product(*([one.value for one in values[name]] for name in question.needs))
        unseen = [one for one in every if one not in lived]
        if settings.min_state_variants > len(lived) + len(unseen):
            found = len(lived) + len(unseen)
            raise ValueError(f"{question.query!r} has {found} answers, not {settings.min_state_variants}")
        advice = {(name, one.value): one.advice for name, words in values.items() for one in words}
        missing = max(settings.min_state_variants - len(lived), 0)
        draws = [_draw(question, lived, unseen, missing=missing, advice=advice, rng=rng) for _ in range(DRAWS)]
        now = [combination(state, question) for state in trajectory.states]
        best = least_telling([_gains(draw, now) for draw in draws], gained)
        made.append(Qa(query=question.query, required_info=question.needs, answer_choices=draws[best]))
    return tuple(made)


def _draw(
    question: AdviceQuestion,
    lived: Sequence[Combination],
    unseen: Sequence[Combination],
    *,
    missing: int,
    advice: Mapping[tuple[str, str], Sequence[str]],
    rng: Random,
) -> tuple[Choice, ...]:

    def answer(state: Combination) -> str:
        return " ".join(rng.choice(advice[shown]) for shown in zip(question.needs, state, strict=True))

    choices = [Choice(state=state, answer=answer(state), type="experience") for state in lived]
    for state in rng.sample(unseen, missing):
        choices.append(Choice(state=state, answer=answer(state), type="random"))
    rng.shuffle(choices)
    return tuple(choices)


def _gains(choices: Sequence[Choice], now: Sequence[Combination]) -> Mapping[str, float]:
    """Solver or position -> how much oftener than by chance it is right, in periods."""
    options = [choice.answer for choice in choices]
    index_of = {choice.state: index for index, choice in enumerate(choices)}
    right: Counter[int | None] = Counter(index_of[state] for state in now)
    chance = len(now) / len(choices)
    gains = {name: right[solve(options)] - chance for name, solve in SOLVERS.items()}
    return {**gains, **position_gains(right, len(choices))}


def position_gains(right: Counter[int | None], choices: int) -> dict[str, float]:
    """Position -> how much oftener than by chance its choice is right; *right* counts over all periods."""
    chance = right.total() / choices
    return {f"place {index}": right[index] - chance for index in range(choices)}


def least_telling(gains: Sequence[Mapping[str, float]], gained: defaultdict[str, float]) -> int:
    """Index of the draw whose gains keep the sum of squares lowest; they are added to those *gained* before."""
    best = min(range(len(gains)), key=lambda draw: sum((gained[name] + one) ** 2 for name, one in gains[draw].items()))
    for name, gain in gains[best].items():
        gained[name] += gain
    return best

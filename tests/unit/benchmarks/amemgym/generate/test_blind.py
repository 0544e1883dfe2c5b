"""Options alone tell nothing: whoever picks by length, place or likeness is right by chance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

from recollect.benchmarks.amemgym.generate import generate, items
from recollect.benchmarks.amemgym.generate.answers import SOLVERS
from recollect.benchmarks.amemgym.generate.settings import SIZES
from recollect.benchmarks.amemgym.score import score
from recollect.domain.questions import Question
from recollect.stats.proportions import wilson_interval
from recollect.worlds.solvers import Solver, blind_table, examined


def _most_words(options: Sequence[str]) -> int:
    return max(range(len(options)), key=lambda place: len(options[place].split()))


def _most_shared_letters(options: Sequence[str]) -> int:
    runs = [{option[start : start + 4] for start in range(len(option) - 3)} for option in options]
    return max(range(len(options)), key=lambda place: sum(len(runs[place] & other) for other in runs))


def _most_shared_sentences(options: Sequence[str]) -> int:
    said = Counter(sentence for option in options for sentence in option.split(". "))
    return max(range(len(options)), key=lambda place: sum(said[one] for one in options[place].split(". ")))


STRANGERS: Mapping[str, Solver] = {
    "most words": _most_words,
    "most shared runs of four letters": _most_shared_letters,
    "most shared sentences": _most_shared_sentences,
}
"""Solvers that the generator does not know of."""


@pytest.fixture(scope="module")
def gold() -> list[tuple[tuple[str, ...], list[int]]]:
    """Options and, period by period, the right place, of 48 users."""
    found = []
    for seed in range(12):
        for item in items(SIZES.settings("small"), seed):
            for qa in item.qas:
                places = [item.right_choice(qa, number) for number in range(len(item.periods))]
                options = tuple(choice.answer for choice in qa.answer_choices)
                found.append((options, [place for place in places if place is not None]))
    return found


def _chance(gold: list[tuple[tuple[str, ...], list[int]]]) -> tuple[float, int]:
    asked = sum(len(places) for _, places in gold)
    return sum(len(places) / len(options) for options, places in gold) / asked, asked


@pytest.mark.parametrize("name", [*SOLVERS, *STRANGERS])
def test_a_blind_solver_is_at_chance(name: str, gold: list[tuple[tuple[str, ...], list[int]]]) -> None:
    """The upper end of its 95 % interval is at most five points above the mean of one over the options."""
    solve = {**SOLVERS, **STRANGERS}[name]
    chance, asked = _chance(gold)
    right = sum(place == solve(options) for options, places in gold for place in places)
    high = wilson_interval(right, asked).high
    assert high is not None
    assert high <= chance + 0.05


def test_no_place_is_right_oftener_than_by_chance(gold: list[tuple[tuple[str, ...], list[int]]]) -> None:
    """Not even the one that turns out to be the most frequent."""
    chance, asked = _chance(gold)
    _, most = Counter(place for _, places in gold for place in places).most_common(1)[0]
    high = wilson_interval(most, asked).high
    assert high is not None
    assert high <= chance + 0.05


def test_no_solver_gains_anything_by_the_scorer() -> None:
    """Replies in the form that is asked for, weighed as in a run, against the questions' own chance."""

    def said(solver: Solver) -> Callable[[Question], str]:
        return lambda question: json.dumps({"answer": 1 + solver([option.text for option in question.options])})

    guessed = [
        one
        for seed in range(12)
        for keyed in generate("small", seed).histories
        for one in examined(
            keyed,
            {name: said(solver) for name, solver in SOLVERS.items()},
            score=score,
            judge=None,
            shared={},
            group=lambda key: "all",
            chance=lambda question, key: 1 / len(question.options),
        )
    ]
    rows = blind_table(guessed, list(SOLVERS))
    assert sum(row.right for row in rows) > 0
    assert [row for row in rows if row.upper > row.chance + 0.05] == []

"""Combinations of states: how near an answer comes, what of a score is memory's share, and where a state was lost.

A grid is told by its indices: `[user][period][question]` for scores, `[period][question]` for one user. What is not
known is `None` and left out of every mean; how much was left out is counted beside.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, TypeVar

Values = Sequence[object]
T = TypeVar("T")
Grid = Sequence[Sequence[Sequence[T]]]
"""By user, period and question."""
Fate = Literal["known", "write", "read", "undecided"]
"""What became of a state: known; never known since it was last told; known then and lost since; not known to us."""
Ending = Literal["right", "lucky", "write", "read", "utilisation", "undecided"]
"""What became of a question: right, right though a state was not known, or the stage that lost it."""
FATES: tuple[Fate, ...] = ("known", "write", "read", "undecided")
ENDINGS: tuple[Ending, ...] = ("right", "lucky", "write", "read", "utilisation", "undecided")


def accuracy(said: Values, wanted: Values) -> float:
    """1 where all values are equal, place by place; else 0.

    Raises:
        ValueError: If one has more values than the other.

    Source:
        AMemGym, section 3.3; this and all other measures of this module are checked against the authors' code in
        `tests/unit/benchmarks/amemgym/test_parity.py`.
    """
    return float(_equal(said, wanted) == len(wanted))


def hamming(said: Values, wanted: Values) -> float | None:
    """Share of places with equal values; `None` where there is no place.

    Raises:
        ValueError: If one has more values than the other.

    Source:
        As `accuracy`.
    """
    equal = _equal(said, wanted)
    return equal / len(wanted) if wanted else None


def jaccard(said: Values, wanted: Values) -> float | None:
    """Equal places over all (place, value) pairs of both; `None` where there is no place.

    Raises:
        ValueError: If one has more values than the other.

    Source:
        As `accuracy`.
    """
    equal = _equal(said, wanted)
    return equal / (2 * len(wanted) - equal) if wanted else None


Similarity = Callable[[Values, Values], float | None]
SIMILARITIES: Mapping[str, Similarity] = {"accuracy": accuracy, "hamming": hamming, "jaccard": jaccard}


def _equal(said: Values, wanted: Values) -> int:
    if len(said) != len(wanted):
        raise ValueError(f"two combinations of {len(said)} and {len(wanted)} values cannot be compared")
    return sum(one == other for one, other in zip(said, wanted, strict=True))


def chance(choices: Sequence[Values], wanted: Values, similarity: Similarity = accuracy) -> float | None:
    """What guessing gets on average: the mean similarity of all choices to what holds; `None` without a choice.

    Source:
        As `accuracy`.
    """
    return _mean([similarity(choice, wanted) for choice in choices])


def upper_bound(by_choice: Sequence[tuple[Values, float | None]], wanted: Values) -> float | None:
    """What was scored when the choice that suits *wanted* was told outright; `None` where no choice suits it.

    Args:
        by_choice: The combination of each choice of one question, and the score when it was told.
        wanted: The combination that holds.

    Source:
        AMemGym, section 3.3. The authors look scores up by the values alone, so that two questions with the same
        values share one; here each question has its own.
    """
    return next((score for state, score in by_choice if accuracy(state, wanted)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryScores:
    """Scores between guessing and the upper bound; below 0 and above 1 where a system is below or above these."""

    cells: tuple[tuple[float | None, ...], ...]
    """By user and period; `None` where the bound is no better than guessing, or nothing is known."""
    per_period: tuple[float | None, ...]
    """Mean over the users."""
    mean: float | None
    """The authors' headline: mean over all cells that have a value."""
    ratio_of_means: float | None
    """The same of the means over all cells, which needs no cell left out; another number, and labelled so."""
    dropped: int
    """Cells whose bound is what guessing gets."""
    missing: int
    """Questions of which the score or the bound is not known."""
    overall_per_period: tuple[float | None, ...]
    chance_per_period: tuple[float | None, ...]
    overall: float | None
    """Mean over all cells, as are the two below."""
    chance: float | None
    upper_bound: float | None


class _Means(NamedTuple):
    """Of one user and period, over its questions."""

    overall: float | None
    chance: float | None
    bound: float | None

    @property
    def is_dropped(self) -> bool:
        return (
            self.bound is not None and self.chance is not None and math.isclose(self.bound, self.chance, abs_tol=1e-12)
        )

    @property
    def score(self) -> float | None:
        return None if self.is_dropped else _between(self.overall, self.chance, self.bound)


def memory_scores(
    overall: Grid[float | None], chance: Grid[float | None], upper_bound: Grid[float | None]
) -> MemoryScores:
    """How much of the way from guessing to perfect memory a system goes, by user and period and over all.

    Args:
        overall: Score of each question, `[user][period][question]`; `None` where it is not known.
        chance: What guessing gets, of the same shape.
        upper_bound: The score with the states told outright, of the same shape.

    Raises:
        ValueError: If the shapes differ.

    Source:
        AMemGym, section 3.3, and its figures' script; that has no guard, so that one cell whose bound is what
        guessing gets makes the headline infinite or undefined. Here such cells are left out and counted.
    """
    means, missing = _all_means(overall, chance, upper_bound)
    scores = [[cell.score for cell in user] for user in means]
    every = list(chain.from_iterable(means))
    whole = [_mean(column) for column in zip(*every, strict=True)] if every else [None, None, None]
    return MemoryScores(
        cells=tuple(tuple(user) for user in scores),
        per_period=_over_users(scores),
        mean=_mean(chain.from_iterable(scores)),
        ratio_of_means=_between(*whole),
        dropped=sum(cell.is_dropped for cell in every),
        missing=missing,
        overall_per_period=_over_users([[cell.overall for cell in user] for user in means]),
        chance_per_period=_over_users([[cell.chance for cell in user] for user in means]),
        overall=whole[0],
        chance=whole[1],
        upper_bound=whole[2],
    )


def _all_means(*grids: Grid[float | None]) -> tuple[list[list[_Means]], int]:
    """The means of each user and period, and the number of questions that were left out."""
    means: list[list[_Means]] = []
    missing = 0
    for users in _together(grids):
        means.append([])
        for periods in _together(users):
            asked = list(_together(periods))
            known = [one for one in asked if None not in one]
            missing += len(asked) - len(known)
            means[-1].append(_Means(*(_mean(one[which] for one in known) for which in range(3))))
    return means, missing


def _together(rows: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"grids of different shapes: {[len(row) for row in rows]} entries side by side")
    return zip(*rows, strict=True)


def _between(score: float | None, low: float | None, high: float | None) -> float | None:
    if score is None or low is None or high is None or math.isclose(low, high, abs_tol=1e-12):
        return None
    return (score - low) / (high - low)


def _over_users(cells: Sequence[Sequence[float | None]]) -> tuple[float | None, ...]:
    longest = max(map(len, cells), default=0)
    return tuple(_mean(user[period] for user in cells if period < len(user)) for period in range(longest))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of fates and endings, and the shares made of them; tallies of several users add up."""

    fates: Counter[Fate]
    """Of each period, question and variable."""
    endings: Counter[Ending]
    """Of each period and question."""
    remembered: int
    """Questions of which every state was known."""

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            fates=self.fates + other.fates,
            endings=self.endings + other.endings,
            remembered=self.remembered + other.remembered,
        )

    def variable_rate(self, fate: Fate) -> float | None:
        """Share of the decided variables with this fate; `None` where none is decided."""
        return _share(self.fates[fate], self.fates.total() - self.fates["undecided"])

    def question_rate(self, ending: Ending) -> float | None:
        """Share of the decided questions with this ending; `None` where none is decided."""
        return _share(self.endings[ending], self.endings.total() - self.endings["undecided"])

    @property
    def utilisation_when_remembered(self) -> float | None:
        """Share of wrong answers among the questions of which every state was known."""
        return _share(self.endings["utilisation"], self.remembered)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDiagnosis:
    """Where the states of one user were lost."""

    fates: tuple[tuple[Mapping[str, Fate], ...], ...]
    """By period and question: variable -> its fate."""
    endings: tuple[tuple[Ending, ...], ...]
    """By period and question; a wrong answer is put down to one stage, the earliest that failed."""

    def failures(self, fate: Fate) -> tuple[tuple[int, ...], ...]:
        """Variables with this fate, by period and question: the authors' counts."""
        return tuple(tuple(list(one.values()).count(fate) for one in period) for period in self.fates)

    @property
    def remembered(self) -> tuple[tuple[bool | None, ...], ...]:
        """Whether every state was known, by period and question; `None` where that is undecided."""
        return tuple(tuple(_all_known(one) for one in period) for period in self.fates)

    def tally(self, period: int | None = None) -> Tally:
        """All counts, or those of one period."""
        places = range(len(self.fates)) if period is None else [period]
        return Tally(
            fates=Counter(fate for place in places for one in self.fates[place] for fate in one.values()),
            endings=Counter(ending for place in places for ending in self.endings[place]),
            remembered=sum(
                known is True and ending != "undecided"
                for place in places
                for known, ending in zip(self.remembered[place], self.endings[place], strict=True)
            ),
        )


def diagnose_states(
    know: Sequence[Sequence[Mapping[str, bool | None]]],
    written: Sequence[Sequence[Mapping[str, int]]],
    right: Sequence[Sequence[bool | None]],
) -> StateDiagnosis:
    """Put each state that was not known down to writing or reading, and each wrong answer to one stage.

    A state that was not known right after it was last told was never written; one that was known then and is not
    now was lost on the way to being read. Where all states were known and the answer is wrong, it failed to use them.

    Args:
        know: By period and question, variable -> whether the system named its value; `None` where that is not known.
        written: By period and question, variable -> the latest period, this one included, that changed it.
        right: By period and question, whether the answer was right; `None` where that is not known.

    Raises:
        ValueError: If the shapes differ, or a state was told in a later period.

    Source:
        AMemGym, section 3.3. The authors count failing variables; utilisation, lucky answers and all shares are ours.
    """
    _check_shapes(know, written, right)
    fates = [
        [_fates(know, period, question, told) for question, told in enumerate(tolds)]
        for period, tolds in enumerate(written)
    ]
    endings = [
        [_ending(fate, is_right) for fate, is_right in zip(row, rights, strict=True)]
        for row, rights in zip(fates, right, strict=True)
    ]
    return StateDiagnosis(fates=tuple(map(tuple, fates)), endings=tuple(map(tuple, endings)))


def _check_shapes(*grids: Sequence[Sequence[object]]) -> None:
    shapes = {tuple(len(period) for period in grid) for grid in grids}
    if len(shapes) > 1:
        raise ValueError(f"grids of different shapes: {sorted(shapes)} questions by period")


def _fates(
    know: Sequence[Sequence[Mapping[str, bool | None]]], period: int, question: int, told: Mapping[str, int]
) -> Mapping[str, Fate]:
    late = sorted(variable for variable, place in told.items() if not 0 <= place <= period)
    if late or told.keys() != know[period][question].keys():
        raise ValueError(f"period {period}, question {question}: {late or 'other variables'} cannot have been told")
    return {
        variable: _fate(now, know[told[variable]][question].get(variable))
        for variable, now in know[period][question].items()
    }


def _fate(now: bool | None, then: bool | None) -> Fate:
    if now:
        return "known"
    if now is None or then is None:
        return "undecided"
    return "read" if then else "write"


def _ending(fates: Mapping[str, Fate], right: bool | None) -> Ending:
    found = set(fates.values())
    failed = {"write", "read"} & found
    if right is None:
        return "undecided"
    if right and failed:
        return "lucky"
    if "write" in found:
        return "write"
    if "undecided" in found:
        return "undecided"
    if right:
        return "right"
    return "read" if failed else "utilisation"


def _all_known(fates: Mapping[str, Fate]) -> bool | None:
    if {"write", "read"} & set(fates.values()):
        return False
    return None if "undecided" in fates.values() else True


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None

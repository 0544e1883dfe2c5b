"""Measures of user states: similarity of two combinations, memory scores, and the stage at which a state was lost.

Grids are indexed `[user][period][question]` for scores, `[period][question]` for one user. Unknown values are `None`
and left out of every mean; `missing` counts them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, TypeVar

Values = Sequence[object]
T = TypeVar("T")
Grid = Sequence[Sequence[Sequence[T]]]
"""By user, period and question."""
Fate = Literal["known", "write", "read", "undecided"]
"""A state is known; was not known right after it was last told; was known then and is not now; cannot be decided."""
Ending = Literal["right", "lucky", "write", "read", "utilisation", "undecided"]
"""An answer is right, right though a state was not known, or wrong because of a stage."""
FATES: tuple[Fate, ...] = ("known", "write", "read", "undecided")
ENDINGS: tuple[Ending, ...] = ("right", "lucky", "write", "read", "utilisation", "undecided")


def accuracy(answered: Values, wanted: Values) -> float:
    """1 where all values are equal, position by position; else 0.

    Raises:
        ValueError: If the numbers of values differ.

    Source:
        AMemGym, section 3.3; this and all other measures of this module are checked against the authors' code in
        `tests/unit/benchmarks/amemgym/test_parity.py`.
    """
    return float(_equal(answered, wanted) == len(wanted))


def hamming(answered: Values, wanted: Values) -> float | None:
    """Share of positions with equal values; `None` without values. Errors and source as for `accuracy`."""
    equal = _equal(answered, wanted)
    return equal / len(wanted) if wanted else None


def jaccard(answered: Values, wanted: Values) -> float | None:
    """Equal positions over the distinct (position, value) pairs; `None` without values. Else as `accuracy`."""
    equal = _equal(answered, wanted)
    return equal / (2 * len(wanted) - equal) if wanted else None


Similarity = Callable[[Values, Values], float | None]
SIMILARITIES: Mapping[str, Similarity] = {"accuracy": accuracy, "hamming": hamming, "jaccard": jaccard}


def _equal(answered: Values, wanted: Values) -> int:
    if len(answered) != len(wanted):
        raise ValueError(f"two combinations of {len(answered)} and {len(wanted)} values cannot be compared")
    return sum(value == expected for value, expected in zip(answered, wanted, strict=True))


def chance(choices: Sequence[Values], wanted: Values, similarity: Similarity = accuracy) -> float | None:
    """Expected score of guessing: the mean similarity of all choices to the true one; `None` without a choice.

    Source:
        As `accuracy`.
    """
    return _mean([similarity(choice, wanted) for choice in choices])


def upper_bound(by_choice: Sequence[tuple[Values, float | None]], wanted: Values) -> float | None:
    """The score when the choice equal to *wanted* was given in the prompt; `None` where no choice equals it.

    Args:
        by_choice: The combination of each choice of one question, and the score when it was given.
        wanted: The true combination.

    Source:
        AMemGym, section 3.3. The authors look scores up by the values alone, so that two questions with the same
        values share one; here each question has its own.
    """
    return next((score for state, score in by_choice if accuracy(state, wanted)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryScores:
    """Scores on a scale from guessing (0) to the upper bound (1); values outside are possible."""

    cells: tuple[tuple[float | None, ...], ...]
    """By user and period; `None` where the bound equals chance, or nothing is known."""
    per_period: tuple[float | None, ...]
    """Mean over the users."""
    mean: float | None
    """The authors' headline: mean over all cells that have a value."""
    ratio_of_means: float | None
    """The same from the means over all cells, which leaves no cell out: a different number."""
    dropped: int
    """Cells whose bound equals chance."""
    missing: int
    """Questions whose score, chance or bound is not known."""
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


def memory_scores(
    overall: Grid[float | None], chance: Grid[float | None], upper_bound: Grid[float | None]
) -> MemoryScores:
    """Scores on a scale from guessing (0) to perfect memory (1), by user and period and overall.

    Args:
        overall: Score of each question, `[user][period][question]`; `None` where it is not known.
        chance: Expected score of guessing, of the same shape.
        upper_bound: The score with the states given in the prompt, of the same shape.

    Raises:
        ValueError: If the shapes differ.

    Source:
        AMemGym, section 3.3, and its figures' script; that has no guard, so that one cell whose bound equals
        chance makes the headline infinite or undefined. Here such cells are left out and counted.
    """
    means: list[list[_Means]] = []
    missing = dropped = 0
    for user in _together([overall, chance, upper_bound]):
        means.append([])
        for period in _together(user):
            asked = list(_together(period))
            known = [triple for triple in asked if None not in triple]
            missing += len(asked) - len(known)
            cell = _Means(*(_mean(triple[which] for triple in known) for which in range(3)))
            dropped += cell.bound is not None and cell.chance is not None and _are_close(cell.bound, cell.chance)
            means[-1].append(cell)
    scores = [[_between(*cell) for cell in row] for row in means]
    every = list(chain.from_iterable(means))
    whole = _Means(*(_mean(column) for column in zip(*every, strict=True))) if every else _Means(None, None, None)
    return MemoryScores(
        cells=tuple(map(tuple, scores)),
        per_period=_over_users(scores),
        mean=_mean(chain.from_iterable(scores)),
        ratio_of_means=_between(*whole),
        dropped=dropped,
        missing=missing,
        overall_per_period=_over_users([[cell.overall for cell in row] for row in means]),
        chance_per_period=_over_users([[cell.chance for cell in row] for row in means]),
        overall=whole.overall,
        chance=whole.chance,
        upper_bound=whole.bound,
    )


def _together(rows: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"grids of different shapes: {[len(row) for row in rows]} entries")
    return zip(*rows, strict=True)


def _are_close(low: float, high: float) -> bool:
    return math.isclose(low, high, abs_tol=1e-12)


def _between(score: float | None, low: float | None, high: float | None) -> float | None:
    if score is None or low is None or high is None or _are_close(low, high):
        return None
    return (score - low) / (high - low)


def _over_users(cells: Sequence[Sequence[float | None]]) -> tuple[float | None, ...]:
    longest = max(map(len, cells), default=0)
    return tuple(_mean(user[period] for user in cells if period < len(user)) for period in range(longest))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDiagnosis:
    """The stage at which each state of one user was lost."""

    fates: tuple[tuple[Mapping[str, Fate], ...], ...]
    """By period and question: variable -> its fate."""
    endings: tuple[tuple[Ending, ...], ...]
    """By period and question; a wrong answer is attributed to the earliest stage that failed."""

    def failures(self, fate: Fate) -> tuple[tuple[int, ...], ...]:
        """Variables with this fate, by period and question: the authors' counts."""
        return tuple(tuple(list(one.values()).count(fate) for one in period) for period in self.fates)

    @property
    def remembered(self) -> tuple[tuple[bool | None, ...], ...]:
        """Whether every state was known, by period and question; `None` where that is undecided."""
        return tuple(tuple(_all_known(one) for one in period) for period in self.fates)


def diagnose_states(
    know: Sequence[Sequence[Mapping[str, bool | None]]],
    written: Sequence[Sequence[Mapping[str, int]]],
    right: Sequence[Sequence[bool | None]],
) -> StateDiagnosis:
    """Attribute each unknown state to writing or reading, and each wrong answer to one stage.

    A state that was not known right after it was last told was never written; one that was known then and is not now
    was lost in reading. Where all states were known and the answer is wrong, it failed to use them.

    Args:
        know: By period and question, variable -> whether the system named its value; `None` where that is not known.
        written: By period and question, variable -> the latest period, this one included, that changed it.
        right: By period and question, whether the answer was right; `None` where that is not known.

    Raises:
        ValueError: If the shapes differ, or a state was told in a later period.

    Source:
        AMemGym, section 3.3. The authors count failing variables; utilisation, lucky answers and all shares are ours.
    """
    shapes = {tuple(len(period) for period in grid) for grid in (know, written, right)}
    if len(shapes) > 1:
        raise ValueError(f"grids of different shapes: {sorted(shapes)} questions by period")
    fates: list[tuple[Mapping[str, Fate], ...]] = []
    for period, questions in enumerate(written):
        row: list[Mapping[str, Fate]] = []
        for question, told in enumerate(questions):
            current = know[period][question]
            late = sorted(variable for variable, last in told.items() if not 0 <= last <= period)
            if late or told.keys() != current.keys():
                wrong = late or "other variables"
                raise ValueError(f"period {period}, question {question}: {wrong} cannot have been told")
            then = {variable: know[last][question].get(variable) for variable, last in told.items()}
            row.append({variable: _fate(now, then[variable]) for variable, now in current.items()})
        fates.append(tuple(row))
    endings = [
        tuple(_ending(fate, is_right) for fate, is_right in zip(row, rights, strict=True))
        for row, rights in zip(fates, right, strict=True)
    ]
    return StateDiagnosis(fates=tuple(fates), endings=tuple(endings))


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

"""From values per question to estimates with intervals, many tables at once and the same on every machine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.records.tables.summary import CellOutcome, Estimate
from recollect.stats.clusters import MeanInference, infer_means
from recollect.stats.estimate import Ends, Interval, mean_of_estimates

K = TypeVar("K", bound=Hashable)
DIGITS = 9
"""Numbers are rounded, for the last bits of a sum differ from machine to machine."""


class Asked(NamedTuple):
    """One question at one checkpoint of one history: what two systems are paired on."""

    history: HistoryId
    checkpoint: CheckpointId
    question: QuestionId


Values = Mapping[Asked, float]


class Inferred(NamedTuple):
    """An estimate, and how far it may be off."""

    estimate: Estimate
    standard_error: float | None
    """`None` where it is undefined or the values do not vary."""


def asked_of(cell: CellOutcome) -> Asked:
    """The question that a cell asks."""
    return Asked(cell.history, cell.checkpoint, cell.question)


def by_question(cells: Iterable[CellOutcome]) -> dict[Asked, list[CellOutcome]]:
    """The cells of each question: its replicates, each with its takes."""
    found: dict[Asked, list[CellOutcome]] = defaultdict(list)
    for cell in cells:
        found[asked_of(cell)].append(cell)
    return found


def per_question(
    grouped: Mapping[Asked, Sequence[CellOutcome]], value: Callable[[CellOutcome], float | None]
) -> dict[Asked, float]:
    """Mean of each question: over the verdicts of an answer, then the answers of a trial, then its replicates.

    Cells without a value are left out, never counted as 0.
    """
    found: dict[Asked, float] = {}
    for asked, cells in grouped.items():
        if len(cells) == 1:  # the usual case, and there are many
            if (only := value(cells[0])) is not None:
                found[asked] = only
            continue
        valued = [(cell, one) for cell in cells if (one := value(cell)) is not None]
        if valued:
            found[asked] = mean_over_takes(valued)
    return found


def mean_over_takes(valued: Sequence[tuple[CellOutcome, float]]) -> float:
    """The mean of one question's values; each answer and each trial weighs the same, however many of it are left."""
    answers: dict[int, dict[int, list[float]]] = {}
    for cell, value in valued:
        answers.setdefault(cell.replicate, {}).setdefault(cell.take.answer, []).append(value)
    return _mean([_mean([_mean(verdicts) for verdicts in trial.values()]) for trial in answers.values()])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def counted_value(cell: CellOutcome) -> float | None:
    """The value of what is in the mean: scored and abstained answers; a fault has none."""
    return cell.value if cell.status in ("scored", "abstained") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimator:
    """Infers means, clustered on histories, all under the same seed."""

    seed: int
    level: float = 0.95

    def one(self, values: Values, why: str = "no answers that count") -> Inferred:
        """The mean of one set of values; *why* is said where there are none."""
        return self.named({"": values}, why)[""]

    def named(self, requests: Mapping[K, Values], why: str = "no answers that count") -> dict[K, Inferred]:
        """The mean of each set of values; sets over the same questions share their resamples."""
        groups: dict[tuple[frozenset[Asked], bool], list[K]] = defaultdict(list)
        for name, values in requests.items():
            groups[frozenset(values), all(0 <= value <= 1 for value in values.values())].append(name)
        found: dict[K, Inferred] = {}
        for (questions, ratios), names in groups.items():
            columns = [requests[name] for name in names]
            inferred = self._same_questions(sorted(questions), columns, ratios=ratios)
            found.update(zip(names, inferred or [Inferred(nothing(why, self.level), None)] * len(names), strict=True))
        return {name: found[name] for name in requests}

    def _same_questions(self, questions: list[Asked], columns: list[Values], *, ratios: bool) -> list[Inferred]:
        """One inference a column; none without questions."""
        if not questions:
            return []
        table = [[column[asked] for column in columns] for asked in questions]
        histories = [asked.history for asked in questions]
        bounds = (0.0, 1.0) if ratios else None
        found = infer_means(table, histories, rng_seed=self.seed, level=self.level, bounds=bounds)
        return [_inferred(one) for one in found]


def nothing(why: str, level: float = 0.95) -> Estimate:
    """No number, and the reason."""
    return Estimate(estimate=None, level=level, method="none", why=why)


def given(value: float, source: str) -> Estimate:
    """A number that is not estimated, such as the chance that a card names."""
    return Estimate(estimate=rounded(value), method=source, why="not estimated from answers")


def as_estimate(interval: Interval) -> Estimate:
    """The same as a record."""
    return Estimate(
        estimate=rounded(interval.estimate),
        low=rounded(interval.low),
        high=rounded(interval.high),
        n=interval.n,
        clusters=interval.clusters,
        level=interval.level,
        method=interval.method,
        why=interval.why or "",
    )


def rounded(value: float | None) -> float | None:
    """As it is stored; never a negative zero."""
    return None if value is None else round(value, DIGITS) + 0.0


def rounded_p(value: float | None) -> float | None:
    """A p value as it is stored: to as many digits that count, for a small one is not 0."""
    return None if value is None else float(f"{value:.{DIGITS}g}")


def _inferred(found: MeanInference) -> Inferred:
    return Inferred(as_estimate(found.interval), found.standard_error)


MEAN_OF_INTERVALS = "from the intervals of its parts, which are taken to be independent (Zou and Donner 2008)"


def mean_of(parts: Mapping[str, Estimate]) -> Estimate:
    """The mean of *parts*, each with the same weight; what has one part is that part."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    missing = [name for name, part in parts.items() if part.estimate is None]
    if missing or not parts:
        return nothing(f"lacks {', '.join(missing)}" if missing else "has no parts")
    known = [part.estimate or 0.0 for part in parts.values()]
    ends = [found for part in parts.values() if (found := _ends(part))]
    middle, n = rounded(sum(known) / len(known)), sum(part.n for part in parts.values())
    clusters = sum(part.clusters for part in parts.values())
    if len(ends) < len(known):
        bare = ", ".join(name for name, part in parts.items() if not _ends(part))
        return Estimate(estimate=middle, n=n, clusters=clusters, method="none", why=f"no interval is known for {bare}")
    found = mean_of_estimates(ends)
    return Estimate(
        estimate=middle,
        low=rounded(max(0.0, found.low)),
        high=rounded(min(1.0, found.high)),
        n=n,
        clusters=clusters,
        method=MEAN_OF_INTERVALS,
    )


def _ends(part: Estimate) -> Ends | None:
    if part.low is None or part.high is None or part.estimate is None:
        return None
    return Ends(part.low, part.estimate, part.high)

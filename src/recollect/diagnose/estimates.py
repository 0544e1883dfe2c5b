"""From values per question to estimates with intervals, many tables at once and the same on every machine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from recollect.domain.ids import CheckpointId, HistoryId, QuestionId
from recollect.records.tables.cells import CellOutcome, Estimate
from recollect.stats.clusters import infer_means
from recollect.stats.estimate import Ends, Interval, mean_of_estimates

K = TypeVar("K", bound=Hashable)
DIGITS = 9
"""Numbers are rounded, because the last bits of a sum differ between machines."""


class Asked(NamedTuple):
    """One question at one checkpoint of one history: the unit on which systems are paired."""

    history: HistoryId
    checkpoint: CheckpointId
    question: QuestionId


Values = Mapping[Asked, float]


class Inferred(NamedTuple):
    estimate: Estimate
    standard_error: float | None
    """`None` where it is undefined or the values do not vary."""


def asked_of(cell: CellOutcome) -> Asked:
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
        trials: dict[int, dict[int, list[float]]] = {}
        for cell in cells:
            if (one := value(cell)) is not None:
                trials.setdefault(cell.replicate, {}).setdefault(cell.take.answer, []).append(one)
        if trials:
            found[asked] = mean([mean([mean(verdicts) for verdicts in trial.values()]) for trial in trials.values()])
    return found


def question_means(cells: Iterable[CellOutcome]) -> dict[Asked, float]:
    """The mean value of each question over the answers that count."""
    return per_question(by_question(cells), counted_value)


def mean_of_each(valued: Iterable[tuple[K, float]]) -> dict[K, float]:
    """The mean of the values of each name."""
    found: dict[K, list[float]] = defaultdict(list)
    for name, value in valued:
        found[name].append(value)
    return {name: mean(values) for name, values in found.items()}


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def rounded_mean(values: Sequence[float]) -> float | None:
    """`None` without values."""
    return rounded(mean(values)) if values else None


def tally(names: Iterable[str]) -> dict[str, int]:
    """Counts by name, sorted."""
    return dict(sorted(Counter(names).items()))


def counted_value(cell: CellOutcome) -> float | None:
    """The value of an answer that counts, scored or abstained; a fault has none."""
    return cell.value if cell.status in ("scored", "abstained") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimator:
    """Infers means, clustered by history, all under the same seed."""

    seed: int

    def one(self, values: Values, why: str = "no answers that count") -> Inferred:
        """The mean of one set of values; *why* is the reason given where there are none."""
        return self.named({"": values}, why)[""]

    def named(self, requests: Mapping[K, Values], why: str = "no answers that count") -> dict[K, Inferred]:
        """The mean of each set of values; sets over the same questions share their resamples."""
        groups: dict[tuple[frozenset[Asked], bool], list[K]] = defaultdict(list)
        for name, values in requests.items():
            groups[frozenset(values), all(0 <= value <= 1 for value in values.values())].append(name)
        found: dict[K, Inferred] = {}
        for (questions, ratios), names in groups.items():
            inferred = [Inferred(nothing(why), None)] * len(names)
            if asked := sorted(questions):
                table = [[requests[name][one] for name in names] for one in asked]
                histories, bounds = [one.history for one in asked], (0.0, 1.0) if ratios else None
                means = infer_means(table, histories, rng_seed=self.seed, bounds=bounds)
                inferred = [Inferred(as_estimate(mean.interval), mean.standard_error) for mean in means]
            found.update(zip(names, inferred, strict=True))
        return {name: found[name] for name in requests}


def nothing(why: str) -> Estimate:
    """No number, with the reason."""
    return Estimate(estimate=None, method="none", why=why)


def given(value: float, source: str) -> Estimate:
    """A number that is not estimated, such as the chance level of a card."""
    return Estimate(estimate=rounded(value), method=source, why="not estimated from answers")


def as_estimate(interval: Interval) -> Estimate:
    """The record of an interval."""
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
    """The stored precision; never a negative zero."""
    return None if value is None else round(value, DIGITS) + 0.0


def rounded_p(value: float | None) -> float | None:
    """A p value with significant digits, so that a small one is not 0."""
    return None if value is None else float(f"{value:.{DIGITS}g}")


def mean_of(parts: Mapping[str, Estimate]) -> Estimate:
    """The mean of *parts*, each with the same weight; the mean of one part is that part."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    known = {name: part.estimate for name, part in parts.items() if part.estimate is not None}
    if len(known) < len(parts) or not parts:
        missing = [name for name in parts if name not in known]
        return nothing(f"lacks {', '.join(missing)}" if missing else "has no parts")
    ends = {
        name: Ends(part.low, known[name], part.high)
        for name, part in parts.items()
        if part.low is not None and part.high is not None
    }
    middle = Estimate(
        estimate=rounded(sum(known.values()) / len(known)),
        n=sum(part.n for part in parts.values()),
        clusters=sum(part.clusters for part in parts.values()),
        method="none",
    )
    if len(ends) < len(known):
        bare = ", ".join(name for name in parts if name not in ends)
        return replace(middle, why=f"no interval is known for {bare}")
    interval = mean_of_estimates(list(ends.values()))
    method = "from the intervals of its parts, which are taken to be independent (Zou and Donner 2008)"
    return replace(middle, low=rounded(max(0.0, interval.low)), high=rounded(min(1.0, interval.high)), method=method)

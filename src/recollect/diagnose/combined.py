"""Means of scores that have intervals of their own; never over less than belongs to them."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.diagnose.estimates import nothing, rounded
from recollect.records.summary import Estimate
from recollect.stats.combined import Ends, mean_of_estimates

METHOD = "from the intervals of its parts, which are taken to be independent (Zou and Donner 2008)"


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
        method=METHOD,
    )


def _ends(part: Estimate) -> Ends | None:
    if part.low is None or part.high is None or part.estimate is None:
        return None
    return Ends(part.low, part.estimate, part.high)

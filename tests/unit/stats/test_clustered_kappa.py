"""Kappa whose interval goes by clusters; checked by hand."""

from __future__ import annotations

import math

import pytest

from recollect.stats.agreement import clustered_kappa
from recollect.stats.distributions import student_t_quantile

FIRST = [1, 1, 0, 0, 1, 0]
SECOND = [1, 0, 0, 0, 1, 1]
CLUSTERS = ["a", "a", "b", "b", "c", "c"]


def test_leaving_out_one_cluster_after_the_other_gives_the_interval() -> None:
    """By hand: kappa 1/3; without `a` 1/2, without `b` -1/3, without `c` 1/2; their mean is 2/9."""
    found = clustered_kappa(FIRST, SECOND, CLUSTERS)
    assert found.coefficient == pytest.approx(1 / 3)
    error = math.sqrt(2 / 3 * (2 * (5 / 18) ** 2 + (5 / 9) ** 2))
    assert found.standard_error == pytest.approx(error)
    assert (found.low, found.high) == (-1.0, 1.0), "cut: the t quantile of two degrees of freedom is above 4"
    narrow = clustered_kappa(FIRST, SECOND, CLUSTERS, level=0.5)
    assert narrow.low == pytest.approx(1 / 3 - student_t_quantile(0.75, 2) * error)


def test_answers_to_one_question_that_go_wrong_together_widen_it() -> None:
    """Ten errors in two clusters of five tell less than ten in ten clusters."""
    people = [1] * 50 + [0] * 50
    together = [0 if place < 10 else one for place, one in enumerate(people)]
    clusters = [place // 5 for place in range(100)]
    spread = [0 if place < 50 and place % 5 == 0 else one for place, one in enumerate(people)]
    near, far = (clustered_kappa(people, judge, clusters) for judge in (spread, together))
    assert near.coefficient == pytest.approx(far.coefficient)
    assert near.standard_error is not None
    assert far.standard_error is not None
    assert far.standard_error > 2 * near.standard_error


@pytest.mark.parametrize(
    ("second", "clusters"),
    [
        pytest.param(FIRST, CLUSTERS, id="never-differ"),
        pytest.param(SECOND, ["a"] * 6, id="one-cluster"),
    ],
)
def test_what_cannot_be_told_has_no_interval(second: list[int], clusters: list[str]) -> None:
    found = clustered_kappa(FIRST, second, clusters)
    assert found.coefficient is not None
    assert (found.low, found.high, found.standard_error) == (None, None, None)


def test_every_subject_needs_a_cluster() -> None:
    with pytest.raises(ValueError, match="needs its cluster"):
        clustered_kappa(FIRST, SECOND, CLUSTERS[1:])

"""Variance components of repeats, on values small enough to work out by hand."""

from __future__ import annotations

import pytest

from recollect.stats.noise import Component, Nested, nested_variance


def said(component: Component | None) -> tuple[float, int]:
    """Variance and degrees of freedom of a stage that was repeated."""
    assert component is not None
    return component.variance, component.df


def test_balanced_components_are_those_worked_out_by_hand() -> None:
    """Two ingests, two answers each, two verdicts each: every mean square set equal to what it is expected to be."""
    question: Nested = [[[1, 2], [3, 4]], [[5, 6], [8, 9]]]
    found = nested_variance([[question]])
    # judge: four pairs one apart, 0.5 each; answer: means 1.5 3.5 | 5.5 8.5; ingest: means 2.5 | 7
    assert said(found.judge) == pytest.approx((0.5, 4))
    answer = (2 * (2 * 1**2 + 2 * 1.5**2) / 2 - 0.5) / 2
    assert said(found.answer) == pytest.approx((answer, 2))
    ingest = (4 * 2 * 2.25**2 - 0.5 - 2 * answer) / 4
    assert said(found.ingest) == pytest.approx((ingest, 1))


def test_questions_keep_their_own_mean() -> None:
    """However far questions lie apart, nothing of that is noise."""
    easy: Nested = [[[1.0], [1.0]], [[1.0], [1.0]]]
    hard: Nested = [[[0.0], [0.0]], [[0.0], [0.0]]]
    found = nested_variance([[easy, hard], [hard]])
    assert found.ingest == Component(variance=0.0, df=2)
    assert found.answer == Component(variance=0.0, df=6)


@pytest.mark.parametrize(
    ("question", "stages"),
    [
        ([[[0, 1]]], (False, False, True)),
        ([[[0], [1]]], (False, True, False)),
        ([[[0]], [[1]]], (True, False, False)),
        ([[[0]]], (False, False, False)),
    ],
)
def test_a_stage_that_was_not_repeated_has_no_component(question: Nested, stages: tuple[bool, ...]) -> None:
    """Never a 0 in its place."""
    found = nested_variance([[question]])
    assert tuple(part is not None for part in (found.ingest, found.answer, found.judge)) == stages


def test_noise_of_what_was_not_repeated_is_in_the_stage_around_it() -> None:
    """Four values with a variance of 1/3, whatever stage they are said to come from."""
    values = [0.0, 0.0, 1.0, 1.0]
    inside = nested_variance([[[[[v] for v in values]]]])
    outside = nested_variance([[[[[v]] for v in values]]])
    assert said(inside.answer) == pytest.approx((1 / 3, 3))
    assert said(outside.ingest) == pytest.approx((1 / 3, 3))


def test_a_negative_estimate_is_set_to_0_and_said() -> None:
    """Answers that lie closer together than their verdicts allow."""
    found = nested_variance([[[[[0, 1], [0, 1], [1, 0]]]]])
    assert said(found.judge) == pytest.approx((0.5, 3))
    assert found.answer == Component(variance=0.0, df=2, clamped=True)


def test_equal_values_that_binary_numbers_cannot_say_have_no_variance() -> None:
    """What rounding leaves is no noise."""
    found = nested_variance([[[[[0.1] * 3] * 3] * 3]])
    assert (found.ingest, found.answer, found.judge) == (
        Component(variance=0.0, df=2),
        Component(variance=0.0, df=6),
        Component(variance=0.0, df=18),
    )


def test_questions_of_a_history_share_their_ingests() -> None:
    """Ten questions ingested twice together are one degree of freedom; two histories are two."""
    question: Nested = [[[0.0]], [[1.0]]]
    for histories in (1, 2):
        found = nested_variance([[question] * 10] * histories)
        assert found.ingest is not None
        assert found.ingest.df == histories


def test_an_empty_list_is_refused() -> None:
    """What has no value is left out, not given as nothing."""
    with pytest.raises(ValueError, match="empty list"):
        nested_variance([[[[[1.0]], []]]])

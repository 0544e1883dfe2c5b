"""Measures of combinations of states; expected values by hand, frozen ones in the parity test of AMemGym."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.metrics.states import (
    SIMILARITIES,
    accuracy,
    chance,
    diagnose_states,
    hamming,
    jaccard,
    memory_scores,
    upper_bound,
)

COMBINATIONS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4)


def test_two_of_three_equal_values() -> None:
    """Two of three places are equal; of the four pairs that either has, both have two."""
    said, wanted = ("a", "b", "c"), ("a", "b", "d")
    assert (accuracy(said, wanted), hamming(said, wanted), jaccard(said, wanted)) == (0.0, 2 / 3, 0.5)


def test_a_value_counts_in_its_place_alone() -> None:
    assert hamming(("a", "b"), ("b", "a")) == 0.0


def test_without_a_value_there_is_no_share() -> None:
    assert (hamming((), ()), jaccard((), ())) == (None, None)


@pytest.mark.parametrize("name", sorted(SIMILARITIES))
def test_combinations_of_other_lengths_are_no_pair(name: str) -> None:
    with pytest.raises(ValueError, match="2 and 1 values"):
        SIMILARITIES[name](("a", "b"), ("a",))


@given(COMBINATIONS, st.data())
def test_similarities_are_ordered_symmetric_and_ratios(said: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from("abc"), min_size=len(said), max_size=len(said)))
    near = [SIMILARITIES[name](said, wanted) for name in ("accuracy", "jaccard", "hamming")]
    assert near == [SIMILARITIES[name](wanted, said) for name in ("accuracy", "jaccard", "hamming")]
    assert all(one is not None and 0 <= one <= 1 for one in near)
    assert near == sorted(near, key=lambda one: one or 0.0)


def test_guessing_gets_the_mean_over_the_choices() -> None:
    choices = [("a", "b"), ("a", "c"), ("d", "c"), ("d", "e")]
    assert chance(choices, ("a", "b")) == 0.25
    assert chance(choices, ("a", "b"), hamming) == pytest.approx((1 + 0.5) / 4)
    assert chance([], ("a",)) is None


def test_the_bound_is_the_score_of_the_choice_that_suits() -> None:
    by_choice = [(("a",), 0.0), (("b",), 1.0)]
    assert upper_bound(by_choice, ("b",)) == 1.0
    assert upper_bound(by_choice, ("c",)) is None


def test_memory_scores_lie_between_guessing_and_the_bound() -> None:
    """Period 0: (0.5 - 0.25) / (1 - 0.25); period 1: (0 - 0.25) / (0.5 - 0.25), below guessing."""
    found = memory_scores([[[1.0, 0.0], [0.0, 0.0]]], [[[0.25, 0.25], [0.25, 0.25]]], [[[1.0, 1.0], [1.0, 0.0]]])
    assert list(found.cells[0]) == pytest.approx([1 / 3, -1.0])
    assert found.mean == pytest.approx((1 / 3 - 1) / 2)
    assert found.ratio_of_means == pytest.approx((0.25 - 0.25) / (0.75 - 0.25))
    assert (found.overall, found.chance, found.upper_bound) == (0.25, 0.25, 0.75)
    assert (found.dropped, found.missing) == (0, 0)


def test_a_cell_whose_bound_is_guessing_is_left_out_and_counted() -> None:
    found = memory_scores([[[1.0], [1.0]]], [[[0.25], [0.25]]], [[[0.25], [1.0]]])
    assert found.cells == ((None, 1.0),)
    assert (found.per_period, found.mean, found.dropped) == ((None, 1.0), 1.0, 1)
    assert found.ratio_of_means == pytest.approx((1 - 0.25) / (0.625 - 0.25))


def test_a_question_whose_score_is_not_known_is_left_out_of_all_three() -> None:
    found = memory_scores([[[1.0, None]]], [[[0.5, 0.1]]], [[[1.0, 0.0]]])
    assert (found.mean, found.missing, found.chance) == (1.0, 1, 0.5)


def test_a_cell_of_which_nothing_is_known_is_missing_and_not_dropped() -> None:
    found = memory_scores([[[None]]], [[[0.5]]], [[[1.0]]])
    assert (found.cells, found.mean, found.ratio_of_means, found.dropped, found.missing) == (
        ((None,),),
        None,
        None,
        0,
        1,
    )


def test_users_may_have_other_numbers_of_periods() -> None:
    found = memory_scores([[[1.0]], [[0.0], [1.0]]], [[[0.0]], [[0.0], [0.0]]], [[[1.0]], [[1.0], [1.0]]])
    assert found.per_period == (0.5, 1.0)
    assert found.mean == pytest.approx(2 / 3)


@pytest.mark.parametrize("bound", [[], [[]], [[[1.0]]], [[[1.0, 1.0], [1.0]]]], ids=["user", "period", "one", "more"])
def test_grids_of_other_shapes_are_refused(bound: list[list[list[float | None]]]) -> None:
    with pytest.raises(ValueError, match="different shapes"):
        memory_scores([[[1.0, 0.0]]], [[[0.5, 0.5]]], bound)


def test_no_user_has_no_score() -> None:
    assert memory_scores([], [], []).mean is None


def one(
    know: list[bool | None], written: list[int], right: bool | None = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fates and endings of one question about one variable, period by period; only the last answer is told."""
    found = diagnose_states(
        [[{"v": knows}] for knows in know],
        [[{"v": told}] for told in written],
        [[True]] * (len(know) - 1) + [[right]],
    )
    return tuple(row[0]["v"] for row in found.fates), tuple(row[0] for row in found.endings)


@pytest.mark.parametrize(
    ("know", "written", "right", "fate", "ending"),
    [
        pytest.param([True, True], [0, 0], True, "known", "right", id="known"),
        pytest.param([True, True], [0, 0], False, "known", "utilisation", id="known-and-not-used"),
        pytest.param([True, False], [0, 0], False, "read", "read", id="lost"),
        pytest.param([False, False], [0, 0], False, "write", "write", id="never-written"),
        pytest.param([True, False], [0, 1], False, "write", "write", id="new-value-not-written"),
        pytest.param([True, False], [0, 0], True, "read", "lucky", id="lucky"),
        pytest.param([False, True], [0, 0], True, "known", "right", id="known-late"),
        pytest.param([None, False], [0, 0], False, "undecided", "undecided", id="no-earlier-probe"),
        pytest.param([True, None], [0, 0], True, "undecided", "undecided", id="no-probe"),
        pytest.param([True, True], [0, 0], None, "known", "undecided", id="no-answer"),
    ],
)
def test_a_state_is_lost_where_it_was_last_known(
    know: list[bool | None], written: list[int], right: bool | None, fate: str, ending: str
) -> None:
    fates, endings = one(know, written, right)
    assert (fates[-1], endings[-1]) == (fate, ending)


def test_a_wrong_answer_is_put_down_to_the_earliest_stage_that_failed() -> None:
    found = diagnose_states(
        [[{"a": True, "b": False}], [{"a": False, "b": False}]], [[{"a": 0, "b": 0}]] * 2, [[True]] * 2
    )
    assert found.fates[1][0] == {"a": "read", "b": "write"}
    assert found.failures("write") == ((1,), (1,))
    assert found.failures("read") == ((0,), (1,))
    wrong = diagnose_states(
        [[{"a": True, "b": False}], [{"a": False, "b": False}]], [[{"a": 0, "b": 0}]] * 2, [[False]] * 2
    )
    assert [row[0] for row in wrong.endings] == ["write", "write"]


def test_an_answer_without_a_probe_is_undecided() -> None:
    """Of four periods: known and right, known and wrong, lost and lucky, not probed."""
    found = diagnose_states(
        [[{"v": True}], [{"v": True}], [{"v": False}], [{"v": None}]],
        [[{"v": 0}]] * 4,
        [[True], [False], [True], [True]],
    )
    assert [row[0]["v"] for row in found.fates] == ["known", "known", "read", "undecided"]
    assert [row[0] for row in found.endings] == ["right", "utilisation", "lucky", "undecided"]
    assert [row[0] for row in found.remembered] == [True, True, False, None]


def test_what_was_told_later_cannot_have_been_known() -> None:
    with pytest.raises(ValueError, match="period 0, question 0"):
        diagnose_states([[{"v": True}], [{"v": True}]], [[{"v": 1}], [{"v": 1}]], [[True], [True]])


def test_grids_of_one_user_have_one_shape() -> None:
    with pytest.raises(ValueError, match="different shapes"):
        diagnose_states([[{"v": True}]], [[{"v": 0}]], [[True, True]])
    with pytest.raises(ValueError, match="cannot have been told"):
        diagnose_states([[{"v": True}]], [[{"w": 0}]], [[True]])

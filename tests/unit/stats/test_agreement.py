from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.stats.agreement import cohen_kappa, gwet


def test_perfect_agreement_is_one_and_total_disagreement_below_zero() -> None:
    assert cohen_kappa("abab", "abab").coefficient == 1
    assert cohen_kappa("abab", "baba").coefficient == pytest.approx(-1)


def test_one_shared_category_is_undefined_not_perfect() -> None:
    for found in (cohen_kappa([1, 1], [1, 1]), gwet([[1, 1], [1, 1]])):
        assert found.coefficient is None
        assert found.why is not None
        assert "total" in found.why


def test_no_subjects_are_undefined() -> None:
    assert cohen_kappa([], []).why == "no subjects"
    assert gwet([]).why == "no subject has two ratings"


def test_subjects_rated_once_alone_are_undefined() -> None:
    assert gwet([[1, None], [None, 0]]).coefficient is None


def test_a_single_subject_has_no_error() -> None:
    found = gwet([[0, 1]])
    assert (found.coefficient, found.standard_error, found.low) == (-1.0, None, None)


def test_kappa_collapses_under_a_common_category_and_gwet_does_not() -> None:
    """The paradox that AC1 was made for: 96 of 100 agree, nearly all in one category."""
    first, second = [0] * 96 + [1] * 2 + [0] * 2, [0] * 96 + [0] * 2 + [1] * 2
    kappa, ac1 = cohen_kappa(first, second), gwet(list(zip(first, second, strict=True)))
    assert kappa.coefficient is not None
    assert ac1.coefficient is not None
    assert kappa.coefficient < 0
    assert ac1.coefficient > 0.95


def test_near_misses_count_less_under_weights() -> None:
    first, second = [0, 1, 2, 3, 3, 0], [1, 1, 2, 3, 2, 0]
    plain, linear, quadratic = (
        cohen_kappa(first, second, weights=weights).coefficient or 0 for weights in ("none", "linear", "quadratic")
    )
    assert plain < linear < quadratic


def test_numbers_weigh_by_their_distance_not_by_their_place() -> None:
    """0 and 1 are near, 10 is far: a slip between 0 and 1 hardly counts."""
    near = gwet([[0, 1], [10, 10], [0, 0], [1, 1]], weights="linear").observed
    far = gwet([[0, 10], [10, 10], [0, 0], [1, 1]], weights="linear").observed
    assert near == pytest.approx(0.975)
    assert far == pytest.approx(0.75)


def test_weights_that_are_the_identity_are_named_ac1() -> None:
    assert gwet([[0, 1], [1, 1]], weights="quadratic").name == "AC1"
    assert gwet([[0, 2], [1, 1]], weights="quadratic").name == "AC2"


def test_a_strange_rating_is_refused() -> None:
    with pytest.raises(ValueError, match="'c'"):
        cohen_kappa("abc", "aba", categories="ab")


def test_raters_of_different_subjects_are_refused() -> None:
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        cohen_kappa([1, 0], [1])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_agreement_does_not_depend_on_who_is_first_and_never_exceeds_one(pairs: list[tuple[int, int]]) -> None:
    for one, other in (
        (cohen_kappa(*zip(*pairs, strict=True)), cohen_kappa(*zip(*[(b, a) for a, b in pairs], strict=True))),
        (gwet(pairs), gwet([(b, a) for a, b in pairs])),
    ):
        assert (one.coefficient is None) == (other.coefficient is None)
        if one.coefficient is not None:
            assert one.coefficient == pytest.approx(other.coefficient, abs=1e-12)
            assert one.coefficient <= 1 + 1e-12

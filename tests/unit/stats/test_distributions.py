from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.stats.distributions import (
    beta_quantile,
    incomplete_beta,
    normal_cdf,
    normal_quantile,
    student_t_quantile,
    student_t_sf,
)


@given(st.floats(0.001, 0.999), st.floats(0.2, 400), st.floats(0.2, 400))
def test_the_beta_function_is_symmetric(x: float, a: float, b: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(1 - incomplete_beta(1 - x, b, a), abs=1e-11)


@pytest.mark.parametrize("x", [0.0, 0.1, 0.5, 0.99, 1.0])
def test_beta_of_one_and_one_is_uniform(x: float) -> None:
    assert incomplete_beta(x, 1, 1) == pytest.approx(x)


@given(st.floats(0.001, 0.999), st.integers(1, 300), st.integers(1, 300))
def test_a_beta_quantile_undoes_the_distribution(probability: float, a: int, b: int) -> None:
    assert incomplete_beta(beta_quantile(probability, a, b), a, b) == pytest.approx(probability, abs=1e-9)


@given(st.floats(0.001, 0.999), st.integers(1, 2000))
def test_a_t_quantile_undoes_the_distribution(probability: float, df: int) -> None:
    assert 1 - student_t_sf(student_t_quantile(probability, df), df) == pytest.approx(probability, abs=1e-10)


@pytest.mark.parametrize("value", [0.0, 0.3, 2.0, 40.0])
def test_one_degree_of_freedom_is_cauchy(value: float) -> None:
    """Closed form: 1/2 - arctan(t) / pi."""
    assert student_t_sf(value, 1) == pytest.approx(0.5 - math.atan(value) / math.pi, rel=1e-11)


def test_many_degrees_of_freedom_are_normal() -> None:
    assert student_t_quantile(0.975, 1e7) == pytest.approx(normal_quantile(0.975), abs=1e-6)


def test_infinite_t_has_no_tail() -> None:
    assert (student_t_sf(math.inf, 3), student_t_sf(-math.inf, 3)) == (0.0, 1.0)


def test_the_normal_tail_keeps_its_digits() -> None:
    """P(Z < -10) = 7.61985302416e-24, Abramowitz and Stegun's order of magnitude; a difference from 1 would be 0."""
    assert normal_cdf(-10) == pytest.approx(7.61985302416e-24, rel=1e-9)


@pytest.mark.parametrize(("probability", "df"), [(0.0, 3), (1.0, 3), (0.5, 0)])
def test_impossible_quantiles_are_refused(probability: float, df: float) -> None:
    with pytest.raises(ValueError, match="no t quantile"):
        student_t_quantile(probability, df)


def test_impossible_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        incomplete_beta(0.5, 0, 1)

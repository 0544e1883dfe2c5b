from __future__ import annotations

import numpy as np
import pytest

from recollect.stats.lift import memory_lift


def _three(histories: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Score, floor and ceiling with true means 0.6, 0.3 and 0.8: a lift of 0.6."""
    rng = np.random.default_rng(seed)
    history = np.repeat(np.arange(histories), 40)
    hard = rng.uniform(-0.1, 0.1, histories)[history]
    score, floor, ceiling = ((rng.random(len(history)) < p + hard).astype(float) for p in (0.6, 0.3, 0.8))
    return score, floor, ceiling, history


def test_the_lift_is_the_share_of_the_way_from_floor_to_ceiling() -> None:
    found = memory_lift([1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 2, 3], rng_seed=0)
    assert found.estimate == 0.5


@pytest.mark.parametrize(
    ("histories", "method"),
    [
        (1, "bootstrap over questions, within one history"),
        (12, "Fieller, Student t on histories"),
        (40, "bootstrap over histories"),
    ],
)
def test_the_interval_follows_the_number_of_histories(histories: int, method: str) -> None:
    found = memory_lift(*_three(histories), rng_seed=0)
    assert (found.method, found.clusters) == (method, histories)
    assert found.low is not None
    assert found.high is not None
    assert found.estimate is not None
    assert found.low < found.estimate < found.high


def test_at_the_floor_it_is_zero_and_below_it_negative() -> None:
    _, floor, ceiling, history = _three(12)
    worse = np.minimum(floor, np.tile([0, 1], len(floor) // 2))
    assert memory_lift(floor, floor, ceiling, history, rng_seed=0).estimate == 0
    assert (memory_lift(worse, floor, ceiling, history, rng_seed=0).estimate or 0) < 0


@pytest.mark.parametrize("missing", ["score", "floor", "ceiling"])
def test_a_missing_piece_removes_the_lift_and_is_named(missing: str) -> None:
    pieces: dict[str, list[float] | None] = {"score": [1, 0], "floor": [0, 0], "ceiling": [1, 1], missing: None}
    found = memory_lift(pieces["score"], pieces["floor"], pieces["ceiling"], [0, 1], rng_seed=0)
    assert (found.estimate, found.low, found.why) == (None, None, f"no {missing}")


def test_a_ceiling_not_above_the_floor_has_no_lift() -> None:
    found = memory_lift([1, 0], [1, 0], [0, 1], [0, 1], rng_seed=0)
    assert (found.estimate, found.why) == (None, "the ceiling (0.5) is not above the floor (0.5)")


def test_no_questions_have_no_lift() -> None:
    assert memory_lift([], [], [], [], rng_seed=0).why == "no questions"


@pytest.mark.parametrize("histories", [4, 40])
def test_a_ceiling_that_is_hardly_above_the_floor_has_a_lift_without_an_interval(histories: int) -> None:
    rng = np.random.default_rng(1)
    history = np.repeat(np.arange(histories), 10)
    floor = (rng.random(len(history)) < 0.5).astype(float)
    ceiling = rng.permutation(floor)
    ceiling[np.flatnonzero(ceiling == 0)[0]] = 1
    found = memory_lift(floor, floor * 0 + 0.2, floor * 0 + 0.2 + (ceiling - floor) * 0.2, history, rng_seed=0)
    assert found.estimate is not None
    assert found.low is None
    assert found.why is not None
    assert "do not show" in found.why


def test_a_system_that_equals_the_ceiling_has_no_known_spread() -> None:
    _, floor, ceiling, history = _three(12)
    found = memory_lift(ceiling, floor, ceiling, history, rng_seed=0)
    assert (found.estimate, found.low) == (1.0, None)
    assert found.why is not None
    assert "never" not in found.why
    assert "spread is unknown" in found.why


def test_one_question_has_no_interval() -> None:
    assert memory_lift([0.5], [0], [1], [0], rng_seed=0).why == "one question has no spread"


def test_floor_and_ceiling_move_with_the_score() -> None:
    """A history that is hard for all three hardly moves the ratio; with the ends held fixed it would."""
    rng = np.random.default_rng(2)
    history = np.repeat(np.arange(40), 10)
    hard = rng.uniform(0.2, 1.0, 40)[history]
    noise = rng.uniform(-0.02, 0.02, len(hard))
    joint = memory_lift(0.5 * hard + noise, hard * 0, hard * 0.9, history, rng_seed=0)
    fixed = memory_lift(0.5 * hard + noise, hard * 0, np.full_like(hard, 0.9 * hard.mean()), history, rng_seed=0)
    assert joint.half_width is not None
    assert fixed.half_width is not None
    assert joint.half_width < fixed.half_width / 5


def test_both_methods_agree_where_they_meet() -> None:
    """29 and 30 of the same histories: half-widths within a fifth of each other."""
    score, floor, ceiling, history = _three(30)
    keep = history < 29
    many = memory_lift(score, floor, ceiling, history, rng_seed=0).half_width
    few = memory_lift(score[keep], floor[keep], ceiling[keep], history[keep], rng_seed=0).half_width
    assert few == pytest.approx(many, rel=0.2)

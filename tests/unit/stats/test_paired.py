from __future__ import annotations

import numpy as np
import pytest

from recollect.stats.distributions import student_t_quantile
from recollect.stats.paired import compare_paired, minimum_detectable_effect
from recollect.stats.significance import holm


def _systems(histories: int, gain: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    history = np.repeat(np.arange(histories), 20)
    hard = rng.uniform(-0.3, 0.3, histories)[history]
    first, second = (rng.random(len(history)) < 0.5 + hard + shift for shift in (gain, 0.0))
    return first.astype(float), second.astype(float), history


@pytest.mark.parametrize(("gain", "verdict"), [(0.2, "win"), (-0.2, "loss"), (0.0, "tie")])
@pytest.mark.parametrize("histories", [12, 60])
def test_the_verdict_says_win_loss_or_tie(histories: int, gain: float, verdict: str) -> None:
    assert compare_paired(*_systems(histories, gain), rng_seed=0).verdict == verdict


def test_swapping_the_systems_mirrors_the_result() -> None:
    first, second, history = _systems(12, 0.1)
    one, other = compare_paired(first, second, history, rng_seed=0), compare_paired(second, first, history, rng_seed=0)
    assert one.difference.low is not None
    assert other.difference.high == pytest.approx(-one.difference.low, abs=1e-12)
    assert one.p == pytest.approx(other.p, abs=1e-12)


@pytest.mark.parametrize("histories", [8, 40])
def test_the_p_value_is_below_five_percent_exactly_when_the_interval_leaves_out_zero(histories: int) -> None:
    for gain in np.linspace(-0.2, 0.2, 21):
        found = compare_paired(*_systems(histories, float(gain)), rng_seed=0)
        assert found.p is not None
        assert found.difference.low is not None
        assert found.difference.high is not None
        assert (found.p < 0.05) == (found.difference.low > 0 or found.difference.high < 0), gain


def test_pairing_makes_a_small_steady_gain_visible() -> None:
    """The broken twin compares the same scores in another order of histories, as an unpaired test would."""
    rng = np.random.default_rng(3)
    base = np.repeat(rng.uniform(0, 0.9, 40), 10)
    history = np.repeat(np.arange(40), 10)
    better = base + rng.uniform(0.02, 0.08, len(base))
    paired = compare_paired(better, base, history, rng_seed=0)
    shuffled = compare_paired(better, base[::-1].copy(), history, rng_seed=0)
    assert paired.verdict == "win"
    assert shuffled.verdict == "tie"


def test_identical_systems_tie_and_are_still_not_known_to_be_equal() -> None:
    scores = [1, 0, 1, 1] * 5
    found = compare_paired(scores, scores, np.repeat(np.arange(5), 4), rng_seed=0)
    assert (found.verdict, found.p, found.difference.estimate) == ("tie", 1.0, 0.0)
    assert found.difference.half_width
    assert found.minimum_detectable_effect is None


def test_a_gain_that_is_the_same_everywhere_needs_enough_histories() -> None:
    """All questions won: p is that of a sign test, 2 / 2**histories."""
    five = compare_paired([1] * 10, [0] * 10, np.repeat(np.arange(5), 2), rng_seed=0)
    six = compare_paired([1] * 12, [0] * 12, np.repeat(np.arange(6), 2), rng_seed=0)
    assert (five.p, five.verdict) == (0.0625, "tie")
    assert (six.p, six.verdict) == (0.03125, "win")
    assert five.difference.low is not None
    assert six.difference.low is not None
    assert five.difference.low < 0 < six.difference.low


def test_history_differences_that_tie_by_chance_are_no_certainty() -> None:
    """Two histories, both better by one of four: t on the two equal means would give p = 0."""
    found = compare_paired([1, 1, 0, 0] * 2, [1, 0, 0, 0] * 2, [0] * 4 + [1] * 4, rng_seed=0)
    assert found.p is not None
    assert found.p > 0.05
    assert found.verdict == "tie"


def test_no_questions_have_no_verdict() -> None:
    found = compare_paired([], [], [], rng_seed=0)
    assert (found.verdict, found.p, found.first, found.difference.why) == (None, None, None, "no questions")


def test_one_history_says_that_it_is_one() -> None:
    found = compare_paired([1, 1, 1, 0, 1], [0, 1, 0, 0, 0], [0] * 5, rng_seed=0)
    assert "within one history" in found.difference.method


def test_an_adjusted_p_value_changes_the_verdict_and_keeps_the_raw_one() -> None:
    found = compare_paired(*_systems(60, 0.08), rng_seed=0)
    assert found.p is not None
    assert found.verdict == "win"
    corrected = found.adjusted(holm([found.p, *[0.9] * 199])[0])
    assert (corrected.verdict, corrected.p) == ("tie", found.p)
    assert corrected.p_adjusted == pytest.approx(200 * found.p)


def test_different_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="one per question"):
        compare_paired([1, 0], [1, 0, 1], [0, 1, 2], rng_seed=0)


def test_the_minimum_detectable_effect_is_found_four_times_out_of_five() -> None:
    """Simulated with normal differences of 15 histories, standard error 1: 80 % within 4 Monte Carlo errors."""
    effect = minimum_detectable_effect(1.0, units=15)
    assert effect is not None
    rng = np.random.default_rng(0)
    samples = rng.normal(effect, 15**0.5, (4000, 15))
    t = samples.mean(axis=1) / (samples.std(axis=1, ddof=1) / 15**0.5)
    assert (np.abs(t) > student_t_quantile(0.975, 14)).mean() == pytest.approx(0.8, abs=0.025)


def test_nothing_is_detectable_with_one_unit() -> None:
    assert minimum_detectable_effect(0.1, units=1) is None


@pytest.mark.parametrize(("error", "power"), [(-1.0, 0.8), (0.1, 0.2), (0.1, 80)])
def test_impossible_power_or_error_is_refused(error: float, power: float) -> None:
    with pytest.raises(ValueError, match="power"):
        minimum_detectable_effect(error, units=10, power=power)

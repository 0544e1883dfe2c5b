"""Do the intervals cover as often as they say, and the paired test cry wolf as rarely? Simulated, 2,000 runs each.

The world: histories of 100 to 300 questions; a history is easier or harder for everybody (uniform, plus or minus
0.15) and for each system by itself (plus or minus 0.10); the true mean is 0.6 for all. Monte Carlo error at
2,000 runs is 0.5 points, so the bounds of 93 to 97 % are four of them wide on each side.

Worlds in which t intervals of few histories cannot hold: strongly skewed ones, where most histories are all
right and some nearly all wrong. There 3 to 10 histories covered 87 to 90 % (mean 0.85, intraclass
correlation 0.3, 20 questions each).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from recollect.stats.bootstrap import FloatArray, IntArray
from recollect.stats.clusters import infer_means
from recollect.stats.paired import compare_paired

RUNS = 2_000
DRAWS = 2_000
TRUTH = 0.6
pytestmark = pytest.mark.slow


def world(histories: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray, IntArray]:
    """Answers of two equally good systems to the same questions, and the history of each question."""
    sizes = rng.integers(100, 301, histories)
    history = np.repeat(np.arange(histories), sizes)
    shared = rng.uniform(-0.15, 0.15, histories)
    chances = (TRUTH + shared + rng.uniform(-0.10, 0.10, histories) for _ in range(2))
    first, second = ((rng.random(len(history)) < chance[history]).astype(np.float64) for chance in chances)
    return first, second, history.astype(np.int64)


@pytest.mark.parametrize("histories", [2, 5, 10, 20, 30, 50])
def test_intervals_cover_and_false_alarms_are_as_rare_as_promised(
    histories: int, record_property: Callable[[str, object], None]
) -> None:
    rng = np.random.default_rng([2024, histories])
    covered = alarms = 0
    for run in range(RUNS):
        first, second, history = world(histories, rng)
        found = infer_means(first, history, rng_seed=run, draws=DRAWS)[0].interval
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= TRUTH <= found.high
        alarms += compare_paired(first, second, history, rng_seed=run, draws=DRAWS).verdict != "tie"
    record_property("coverage", covered / RUNS)
    record_property("false alarms", alarms / RUNS)
    print(f"{histories} histories: coverage {covered / RUNS:.4f}, false alarms {alarms / RUNS:.4f}")
    assert 0.93 <= covered / RUNS <= 0.97
    assert 0.035 <= alarms / RUNS <= 0.065


def test_independent_questions_would_be_too_sure() -> None:
    """The broken twin: with each question as its own history the same world is covered far too rarely."""
    rng = np.random.default_rng(2025)
    covered = 0
    for run in range(200):
        first, _, _ = world(10, rng)
        found = infer_means(first, np.arange(len(first)), rng_seed=run, draws=200)[0].interval
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= TRUTH <= found.high
    assert covered / 200 < 0.8

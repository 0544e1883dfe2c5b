"""How long a clustered bootstrap takes: the engine beside the loops one would write by hand, in the same run.

    python benchmarks/bench_bootstrap.py [--draws 10000] [--questions 1522] [--systems 24]

The loops draw whole histories too and are given the same work; where a loop would take minutes it makes fewer
draws, the line says how many, and its seconds are those of these draws only. Ratios compare seconds per draw.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.stats.bootstrap import resampled_means
from recollect.stats.clusters import group

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Task(NamedTuple):
    """One setting of the measurement."""

    scores: FloatArray
    history: IntArray
    draws: int


def make_task(questions: int, systems: int, histories: int, draws: int) -> Task:
    """Right and wrong answers by seed 0; histories as long as possible alike."""
    rng = np.random.default_rng(0)
    scores = (rng.random((questions, systems)) < 0.6).astype(np.float64)
    return Task(scores, np.arange(questions) % histories, draws)


def engine(task: Task) -> FloatArray:
    """Recollect's engine, grouping included."""
    grouped = group(task.scores, task.history)
    return resampled_means(grouped.sums, grouped.sizes, rng_seed=1, draws=task.draws)


def numpy_loop(task: Task) -> FloatArray:
    """The usual loop: per draw pick histories, gather their questions, average."""
    rng = np.random.default_rng(1)
    rows = [np.flatnonzero(task.history == h) for h in range(int(task.history.max()) + 1)]
    means = np.empty((task.draws, task.scores.shape[1]))
    for draw in range(task.draws):
        picked = np.concatenate([rows[h] for h in rng.integers(0, len(rows), len(rows))])
        means[draw] = task.scores[picked].mean(axis=0)
    return means


def python_loop(task: Task) -> FloatArray:
    """Plain Python: lists, one system after the other, the same picks for all."""
    rng = random.Random(1)
    histories = range(int(task.history.max()) + 1)
    rows = [[i for i, h in enumerate(task.history.tolist()) if h == one] for one in histories]
    systems = task.scores.T.tolist()
    means = []
    for _ in range(task.draws):
        picked = [i for h in rng.choices(histories, k=len(rows)) for i in rows[h]]
        means.append([sum(scores[i] for i in picked) / len(picked) for scores in systems])
    return np.array(means)


def seconds(work: Callable[[Task], FloatArray], task: Task, repeats: int) -> float:
    """Best of some repeats, wall time."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work(task)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name, default in (("draws", 10_000), ("questions", 1_522), ("systems", 24)):
        parser.add_argument(f"--{name}", type=int, default=default)
    wanted = parser.parse_args()
    print(f"{wanted.systems} systems x {wanted.questions} questions, {os.cpu_count()} cores, numpy {np.__version__}")
    print(f"{'histories':>9}  {'method':<12} {'draws':>6} {'seconds':>8}  x engine per draw")
    for histories in (wanted.questions, 50, 10):
        full = make_task(wanted.questions, wanted.systems, histories, wanted.draws)
        base = seconds(engine, full, repeats=3)
        print(f"{histories:>9}  {'engine':<12} {full.draws:>6} {base:>8.3f}  1")
        for name, work, draws in (("numpy loop", numpy_loop, wanted.draws), ("plain Python", python_loop, 20)):
            took = seconds(work, full._replace(draws=draws), repeats=1)
            ratio = took / draws / (base / wanted.draws)
            print(f"{histories:>9}  {name:<12} {draws:>6} {took:>8.3f}  {ratio:.0f}")


if __name__ == "__main__":
    main()

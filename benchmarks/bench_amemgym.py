"""Seconds that AMemGym takes, generated and offline: users talk, an agent over a memory answers after every period.

    python benchmarks/bench_amemgym.py [--sizes base extra] [--memory bm25] [--embedder none] [--trials 2]
    python benchmarks/bench_amemgym.py --periods 5 10 20 40 [...]

Each run is a process of its own in an empty folder: data are generated, dialogues held, vectors computed, answers read
and scored, the report written. With `--memory dense` the agent searches by vectors too; with `--embedder none` reader
and judge go by words alone. `--periods` tells lives of the base configuration that are so long: `a period` is the same
in all of them if time grows with the number of periods alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

PERIODS = {"small": 5, "base": 11, "extra": 21}
"""Of a user, the first one included."""
ROUNDS = {"extra": ("--preset", "extra")}
"""Long lives have long dialogues, too."""
USERS = 10
"""With `--periods`."""


class Run(NamedTuple):
    """What is measured."""

    name: str
    periods: int
    """Of a user, the first one included."""
    words: Sequence[str]
    """Of its command line."""


def measure(run: Run, words: Sequence[str]) -> str:
    """A line: seconds as they passed, seconds of CPU, and milliseconds of one user's period."""
    with TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "recollect", "run", "amemgym", *run.words, *words]
        line += ["--no-references", "--arm", "system", "--runs-dir", folder, "--name", "a"]
        began, used = time.perf_counter(), _cpu()
        subprocess.run(line, check=True, capture_output=True)
        took, cpu = time.perf_counter() - began, _cpu() - used
        found = json.loads((Path(folder) / "a" / "report" / "report.json").read_text(encoding="utf-8"))
    users = found["summary"]["tasks"][0]["histories"]
    each = 1000 * took / (users * run.periods)
    return f"{run.name:10}: {took:6.1f} s, {cpu:6.1f} s of CPU, {users} users, {each:.0f} ms a period"


def _cpu() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lives(periods: Sequence[int], folder: Path) -> Iterator[Run]:
    """Lives of these many periods behind the first, written as data."""
    from recollect.benchmarks.amemgym.generate import items
    from recollect.benchmarks.amemgym.generate.settings import SIZES
    from recollect.benchmarks.amemgym.histories import dataset_of
    from recollect.benchmarks.amemgym.write import write

    for many in periods:
        settings = replace(
            SIZES.settings("base"), num_user_profiles=USERS, num_periods=many, max_changes_per_state=max(3, many // 2)
        )
        file = folder / f"{many}.json"
        write(dataset_of(items(settings, 0), f"generated: {many} periods"), file)
        yield Run(f"{many} periods", many + 1, ("--data", str(file)))


def main() -> None:
    """Measure size after size, or life after life."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sizes", nargs="+", choices=sorted(PERIODS), default=["base", "extra"])
    arguments.add_argument("--periods", nargs="+", type=int, default=[])
    arguments.add_argument("--memory", default="bm25")
    arguments.add_argument("--embedder", default="bundled", choices=("bundled", "none"))
    arguments.add_argument("--trials", default="2")
    said = arguments.parse_args()
    words = ("--memory", said.memory, "--embedder", said.embedder, "--trials", said.trials)
    print(f"{said.memory}, embedder {said.embedder}, {said.trials} trials at once")
    with TemporaryDirectory() as folder:
        sizes = (Run(size, PERIODS[size], ("--size", size, *ROUNDS.get(size, ()))) for size in said.sizes)
        for run in lives(said.periods, Path(folder)) if said.periods else sizes:
            print(measure(run, words), flush=True)


if __name__ == "__main__":
    main()

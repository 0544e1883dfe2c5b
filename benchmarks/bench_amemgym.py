"""Seconds that AMemGym takes, generated and offline: users talk, an agent over a memory answers after every period.

    python benchmarks/bench_amemgym.py [--sizes base extra] [--memory bm25] [--trials 2]

Each run is a process of its own in an empty folder: data are generated, dialogues held, vectors computed, answers read
and scored, the report written. `a period` is the time of one user's period: the same in a long life as in a short one
if time grows with the number of periods alone. With `--memory dense` the agent searches by vectors too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

PERIODS = {"small": 5, "base": 11, "extra": 21}
"""Of a user, the first one included."""
ROUNDS = {"extra": ("--preset", "extra")}
"""Long lives have long dialogues, too."""


def measure(size: str, memory: str, trials: int) -> tuple[float, float, int]:
    """Seconds as they passed, seconds of CPU, and histories of one run."""
    with TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "recollect", "run", "amemgym", "--size", size, "--memory", memory]
        line += ["--no-references", "--arm", "system", "--trials", str(trials), "--runs-dir", folder, "--name", "a"]
        began, used = time.perf_counter(), _cpu()
        subprocess.run([*line, *ROUNDS.get(size, ())], check=True, capture_output=True)
        took, cpu = time.perf_counter() - began, _cpu() - used
        found = json.loads((Path(folder) / "a" / "report" / "report.json").read_text(encoding="utf-8"))
    return took, cpu, found["summary"]["tasks"][0]["histories"]


def _cpu() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure size after size."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sizes", nargs="+", choices=sorted(PERIODS), default=["base", "extra"])
    arguments.add_argument("--memory", default="bm25")
    arguments.add_argument("--trials", type=int, default=2)
    said = arguments.parse_args()
    for size in said.sizes:
        took, cpu, users = measure(size, said.memory, said.trials)
        each = 1000 * took / (users * PERIODS[size])
        print(f"{size:6} {said.memory}: {took:6.1f} s, {cpu:6.1f} s of CPU, {users} users, {each:.0f} ms a period")


if __name__ == "__main__":
    main()

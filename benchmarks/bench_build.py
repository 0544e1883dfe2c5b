"""How long it takes to build the published tasks from their source data.

    RECOLLECT_DATA=../shared/data python benchmarks/bench_build.py

FactConsolidation at its four sizes; beside them, what reading the source alone takes. The bound is 5 s at 262K tokens.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import perf_counter

from recollect.benchmarks.memoryagentbench.build import build
from recollect.benchmarks.memoryagentbench.build.facts import read_cases

SIZES = ("6k", "32k", "64k", "262k")


def main() -> None:
    """Measure and print."""
    if "RECOLLECT_DATA" not in os.environ:
        sys.exit("RECOLLECT_DATA names no folder of source data; nothing was measured.")
    folder = Path(os.environ["RECOLLECT_DATA"])
    began = perf_counter()
    cases = read_cases(folder)
    print(f"reading {len(cases)} cases: {perf_counter() - began:.2f} s")
    for size in SIZES:
        began = perf_counter()
        made = build(folder, [f"factconsolidation_sh_{size}", f"factconsolidation_mh_{size}"], 0)
        print(f"both rows of {size}: {perf_counter() - began:.2f} s ({made.origin.partition('; ')[2].rstrip(')')})")


if __name__ == "__main__":
    main()

"""`recollect demo`: the benchmarks on small data, offline."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect.cli.endings import leave
from recollect.cli.options import RUNS, AsJson, RunsDir
from recollect.cli.output import remark

SHOWN = {
    "memoryagentbench": (
        "ruler_qa1_generated", "icl_intents_generated", "summary_generated", "detective_generated",
        "factconsolidation_sh_generated", "factconsolidation_mh_generated",
    ),
    "amemgym": (),
    "subtlememory": (),
}  # fmt: skip
"""Benchmark -> tasks, some of each competency; empty for all. The whole demo takes two minutes at most."""


def demo(
    seed: Annotated[int, typer.Option(help="Seed of the generated data.")] = 0,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Run every benchmark on small generated data with the built-in memories; needs no key and no network."""
    from recollect.cli.run.closing import finish
    from recollect.runs.setup.config import resolve
    from recollect.runs.start import Work, start

    for benchmark, tasks in SHOWN.items():
        data = f"{len(tasks)} of its generated tasks" if tasks else "generated data"
        remark(f"{benchmark}: {data}, built-in memories, rules as reader and judge")
        config, origins = resolve(None, {"benchmark": benchmark, "seed": seed, "tasks": tasks})
        work = Work(quiet=as_json, leave=leave)
        finish(start(config, origins, work, runs_dir=runs_dir, name=f"demo-{benchmark}-{seed}"), as_json=as_json)

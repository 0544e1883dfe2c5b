"""Options and arguments shared by several verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunsDir = Annotated[Path, typer.Option("--runs-dir", help="Folder of runs.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="Name of a run, or path of its folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Many = list[str]
RUNS = Path("runs")

MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before the cost exceeds this.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="YAML file with prices; overrides the built-in ones.")]
Trials = Annotated[int, typer.Option(min=1, help="Histories processed at the same time.")]
Calls = Annotated[int, typer.Option(min=1, help="Maximum number of model calls in flight.")]

SIZE = "Size of the generated data: small, medium or large; `recollect show BENCHMARK` lists all."
KNOB = "Knob of the generated data: name=value; repeatable. `recollect show BENCHMARK` lists them."
TASK = "Task; repeatable; all by default. `recollect show BENCHMARK` lists them."
ARM = "system, oracle, readback or readback_pure; repeatable. Default: the first three."
PRESET = "standard, paper or another of the card; `recollect show BENCHMARK` shows their settings."

MODEL = "rules, or openai:model=NAME,base_url=URL,… (also inspect:, litellm:)"
REPLAY = "Use cached replies only, without key or server; a missing reply is a fault."
Replay = Annotated[bool, typer.Option("--replay", help=REPLAY)]

"""Options and arguments that several verbs take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunsDir = Annotated[Path, typer.Option("--runs-dir", help="Where runs are.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="Name of a run, or the path of its folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Many = list[str]
RUNS = Path("runs")

MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="Stop before more than this is spent.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="A YAML file with prices; they go before ours.")]
Trials = Annotated[int, typer.Option(min=1, help="Histories in memory at once.")]
Calls = Annotated[int, typer.Option(min=1, help="Calls in flight at once.")]

SIZE = "How much is generated: small, medium or large; `recollect show BENCHMARK` lists all."
KNOB = "Change what is generated: name=value; several times. `recollect show BENCHMARK` lists what may be set."
TASK = "A task; several times. Without it, all; `recollect show BENCHMARK` lists them."
ARM = "system, oracle, readback or readback_pure; several times. Without it, the first three."
PRESET = "standard, paper or another of the card's; `recollect show BENCHMARK` says what they set."

MODEL = "rules, or openai:model=NAME,base_url=URL,… (also inspect:, litellm:)"
"""How a model is named on the command line."""
REPLAY = "Take replies of models from the cache alone: no key, no server; what is not there is a fault."
Replay = Annotated[bool, typer.Option("--replay", help=REPLAY)]

"""`recollect run`: everything from data to report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.endings import leave
from recollect.cli.options import (
    ARM,
    KNOB,
    MODEL,
    PRESET,
    RUNS,
    SIZE,
    TASK,
    AsJson,
    Calls,
    Many,
    MaxCost,
    Prices,
    Replay,
    RunsDir,
    Trials,
)

if TYPE_CHECKING:
    from recollect.runs.setup.config import Origins, RunConfig
    from recollect.runs.start import Work

AGENT = "An agent: NAME or NAME:setting=value,…; several times."
USER = "Who plays the simulated user, where a benchmark converses: one of its own, or a model as for --reader."
TALK = "Replay the dialogues of a run, RUN or RUN:ROW, instead of holding new ones."
STEP = "What happens in an episode: setting=value; several times. `recollect show BENCHMARK` lists them."
MEMORY = "A memory: NAME or NAME:setting=value,…; several times. `all`: every one there is."
CONTEXT = "Show only so many tokens at the end of what there is to remember."
SEVERAL = {"task": "tasks", "arm": "arms", "memory": "memories", "agent": "agents", "step": "steps", "knob": "knobs"}
"""Flags that are given once for each -> the setting that lists them."""
REPEATS = "How often: a number for everything, or by stage, such as ingest=2,answer=3,judge=2."


def run(  # noqa: PLR0913, PLR0917  # a flag each: the command line is the one place where many belong
    benchmark: Annotated[str | None, typer.Argument(help="Its name; `recollect list` shows them.")] = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file with settings; flags override it.")] = None,
    data: Annotated[str | None, typer.Option(help="Data to run on; generated if not given.")] = None,
    size: Annotated[str | None, typer.Option(help=SIZE)] = None,
    knob: Annotated[Many | None, typer.Option(help=KNOB)] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything that is drawn.")] = None,
    task: Annotated[Many | None, typer.Option(help=TASK)] = None,
    memory: Annotated[Many | None, typer.Option(help=MEMORY)] = None,
    agent: Annotated[Many | None, typer.Option(help=AGENT)] = None,
    answers: Annotated[Many | None, typer.Option(help="A file of answers, scored as a row; several times.")] = None,
    arm: Annotated[Many | None, typer.Option(help=ARM)] = None,
    preset: Annotated[str | None, typer.Option(help=PRESET)] = None,
    chunk_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of a chunk; else the preset's.")] = None,
    search_limit: Annotated[int | None, typer.Option(min=1, help="Items asked of a search; else the preset's.")] = None,
    context_tokens: Annotated[int | None, typer.Option(min=1, help=CONTEXT)] = None,
    reader: Annotated[str | None, typer.Option(help=f"Who reads and answers: {MODEL}.")] = None,
    judge: Annotated[str | None, typer.Option(help="Who weighs answers that need it: the same; also votes=N.")] = None,
    memory_model: Annotated[str | None, typer.Option(help="The model that systems call themselves: the same.")] = None,
    embedder: Annotated[str | None, typer.Option(help="bundled, none, or openai:model=NAME,base_url=URL.")] = None,
    user: Annotated[str | None, typer.Option(help=USER)] = None,
    talk: Annotated[str | None, typer.Option(help=TALK)] = None,
    step: Annotated[Many | None, typer.Option(help=STEP)] = None,
    fresh: Annotated[bool | None, typer.Option("--fresh", help="Take no reply that another run paid for.")] = None,
    max_cost: MaxCost = None,
    replay: Replay = False,
    prices: Prices = None,
    limit: Annotated[int | None, typer.Option(help="At most so many questions, evenly over the tasks.")] = None,
    repeats: Annotated[str | None, typer.Option(help=REPEATS)] = None,
    aa: Annotated[bool, typer.Option("--aa", help="Run all twice at least: states the noise floor.")] = False,
    references: Annotated[bool | None, typer.Option(help="Add the card's floor and ceiling rows.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run's folder.")] = None,
    shard: Annotated[str | None, typer.Option(help="Do the i-th of n parts: i/n.")] = None,
    trials: Trials = 2,
    calls: Calls = 8,
    dry: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and stop.")] = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Run a benchmark; run the same command again to go on where it stopped."""
    said = dict(locals())
    from recollect.cli.run.closing import dry_run, end_part, finish
    from recollect.runs.start import start

    resolved, origins = asked(said)
    if dry:
        dry_run(resolved, runs_dir=runs_dir, as_json=as_json, prices=prices)
        return
    work = work_of(said)
    folder = start(resolved, origins, work, runs_dir=runs_dir, name=name)
    if work.part:
        end_part(folder, work.part)
    else:
        finish(folder, as_json=as_json)


def asked(said: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config that the flags and their file ask for, and where each value came from."""
    from recollect.runs.setup.config import asked as resolved

    return resolved({SEVERAL.get(flag, flag): value for flag, value in said.items()})


def work_of(said: Mapping[str, Any]) -> Work:
    """How the flags say to go about it."""
    from recollect.runs.setup.calls import Spending
    from recollect.runs.start import Work, parse_shard

    return Work(
        trials=said["trials"],
        calls=said["calls"],
        part=parse_shard(said["shard"]) if said.get("shard") else None,
        quiet=said["as_json"],
        spending=Spending(max_cost=said["max_cost"], prices=said["prices"]),
        replay=said["replay"],
        leave=leave,
    )

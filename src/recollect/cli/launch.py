"""`recollect run`: everything from data to report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.options import ARM, KNOB, MODEL, PRESET, REPLAY, RUNS, SIZE, TASK, AsJson, RunsDir

if TYPE_CHECKING:
    from recollect.cli.config import Origins, RunConfig
    from recollect.cli.runs import Work

Many = list[str]
AGENT = "An agent: NAME or NAME:setting=value,…; several times."
USER = "Who plays the simulated user, where a benchmark converses: one of its own, or a model as for --reader."
TALK = "Replay the dialogues of a run, RUN or RUN:ROW, instead of holding new ones."
STEP = "What happens in an episode: setting=value; several times. `recollect show BENCHMARK` lists them."
MEMORY = "A memory: NAME or NAME:setting=value,…; several times. `all`: every one there is."
CONTEXT = "Show only so many tokens at the end of what there is to remember."
AS_SAID = (
    *("benchmark", "data", "size", "seed", "preset", "chunk_tokens", "search_limit", "context_tokens"),
    *("fresh", "limit", "repeats", "references", "talk"),
)
"""Settings that their flag says as they are."""
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
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop before more than this is spent.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help=REPLAY)] = False,
    prices: Annotated[Path | None, typer.Option(help="A YAML file with prices; they go before ours.")] = None,
    limit: Annotated[int | None, typer.Option(help="At most so many questions, evenly over the tasks.")] = None,
    repeats: Annotated[str | None, typer.Option(help=REPEATS)] = None,
    aa: Annotated[bool, typer.Option("--aa", help="Run all twice at least: states the noise floor.")] = False,
    references: Annotated[bool | None, typer.Option(help="Add the card's floor and ceiling rows.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run's folder.")] = None,
    shard: Annotated[str | None, typer.Option(help="Do the i-th of n parts: i/n.")] = None,
    trials: Annotated[int, typer.Option(min=1, help="Histories in memory at once.")] = 2,
    calls: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 8,
    dry: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and stop.")] = False,
    runs_dir: RunsDir = RUNS,
    as_json: AsJson = False,
) -> None:
    """Run a benchmark; run the same command again to go on where it stopped."""
    said = dict(locals())
    from recollect.cli.start import dry_run, start

    resolved, origins = asked(said)
    if dry:
        dry_run(resolved, runs_dir=runs_dir, as_json=as_json, prices=prices)
        return
    start(resolved, origins, work_of(said), runs_dir=runs_dir, name=name, as_json=as_json)


def asked(said: Mapping[str, Any]) -> tuple[RunConfig, Origins]:
    """The config that the flags and their file ask for, and where each value came from.

    Raises:
        ConfigError: With all problems at once.
    """
    from recollect.cli.config import against_itself, choice, resolve, settings_in
    from recollect.cli.knobs import with_knobs

    flags = {
        **{setting: said[setting] for setting in AS_SAID},
        "tasks": said["task"],
        "arms": said["arm"],
        "memories": [choice(text) for text in said["memory"]] if said["memory"] else None,
        "agents": [*map(choice, said["agent"] or ()), *map(_given, said["answers"] or ())] or None,
        **{setting: _model(said[setting]) for setting in ("reader", "judge", "memory_model", "embedder", "user")},
        "steps": settings_in(said["step"]) if said["step"] else None,
    }
    resolved, origins = with_knobs(*resolve(said["config"], flags), said.get("knob") or ())
    return against_itself(resolved, origins) if said["aa"] else (resolved, origins)


def work_of(said: Mapping[str, Any]) -> Work:
    """How the flags say to go about it."""
    from recollect.cli.purse import Purse
    from recollect.cli.runs import Work
    from recollect.engine.selection import parse_shard

    return Work(
        trials=said["trials"],
        calls=said["calls"],
        part=parse_shard(said["shard"]) if said.get("shard") else None,
        quiet=said["as_json"],
        purse=Purse(max_cost=said["max_cost"], prices=said["prices"]),
        replay=said["replay"],
    )


def _given(file: str) -> object:
    return {"name": "answers", "settings": {"file": file}, "label": Path(file).stem}


def _model(said: str | None) -> object:
    from recollect.cli.config import model_choice

    return None if said is None else model_choice(said)

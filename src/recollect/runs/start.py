"""Starts, resumes and merges runs. Start at `start`; `carry_out` does the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from recollect import registry
from recollect.domain.errors import ChangedConfigError
from recollect.engine.estimate.run import Assumed, Judging, RunEstimate, estimate_run
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import Trial
from recollect.engine.selection import parse_shard, shard
from recollect.models.prices import load_prices
from recollect.records.codec import read
from recollect.records.provenance import ABSENT, RAN, STAND_IN
from recollect.runs.progress import progress, remark
from recollect.runs.setup.assembly import Run, assemble
from recollect.runs.setup.calls import Spending, calling, kept_spending, serving
from recollect.runs.setup.config import Origins, RunConfig
from recollect.runs.setup.folders import asked_of, cache_of, find, folder_for, held_data, name_of
from recollect.store.locks import hold, workers
from recollect.store.merge import merge as join
from recollect.store.merge import missing
from recollect.store.run_folder import Planned, RunFolder

__all__ = ["Part", "Resumed", "Whole", "Work", "carry_out", "merge", "parse_shard", "prepare", "resume", "start"]

Part = tuple[int, int]
"""The i-th of n parts."""


def give_up() -> None:
    """Raise `KeyboardInterrupt`: the default on a second Ctrl-C."""
    raise KeyboardInterrupt


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How a run is executed; changes no result."""

    trials: int = 2
    calls: int = 8
    part: Part | None = None
    quiet: bool = False
    spending: Spending = field(default_factory=Spending)
    replay: bool = False
    """Use cached replies only: nothing is sent."""
    leave: Callable[[], None] = give_up
    """Called at the second Ctrl-C, to leave at once; records are kept."""
    started: Callable[[Event], object] = lambda _stop: None
    """Called with an event that stops the run when it is set."""


class Resumed(NamedTuple):
    """A resumed run, and the parts in its folder; empty if it holds the whole run."""

    folder: RunFolder
    parts: Sequence[Part]


class Whole(NamedTuple):
    """A merged run, and why it is not finished, if so."""

    folder: RunFolder
    gaps: Sequence[str]


def start(config: RunConfig, origins: Origins, work: Work, *, runs_dir: Path, name: str | None = None) -> RunFolder:
    """Run a config from data to the last record; a run of the same name and config is resumed.

    Raises:
        ChangedConfigError: If there is a run of that name with another config.
        InterruptedRunError: On Ctrl-C; records are kept.
    """
    folder = folder_for(name or name_of(config), runs_dir)
    run = assemble(config, runs_dir)
    carry_out(run, folder, prepare(run, folder, origins), work)
    return folder


def resume(name: str, runs_dir: Path, work: Work) -> Resumed:
    """Finish a run, or each of its parts in the folder.

    Raises:
        ChangedConfigError: If it would not be the same run today.
    """
    folder = find(name, runs_dir)
    parts = sorted(folder.parts())
    config, origins = asked_of(folder), folder.settings().get("origins", {})
    data = held_data(folder, config)
    run = assemble(config, runs_dir, data, None if data is None else folder.talks())
    folder.create(run.settings(origins))
    planned = prepare(run, folder, origins)
    whole: list[Part | None] = [*parts] or [None]
    for part in whole:
        carry_out(run, folder, planned, replace(work, part=part))
    return Resumed(folder, parts)


def merge(names: Sequence[str], out: str, runs_dir: Path) -> Whole:
    """Merge the parts of a run."""
    parts = [find(name, runs_dir) for name in names]
    folder = join(parts, folder_for(out, runs_dir))
    return Whole(folder, missing(parts, folder))


def prepare(run: Run, folder: RunFolder, origins: Origins) -> list[Trial]:
    """Write the config and data of a run, and plan its trials; a run without records is overwritten."""
    try:
        folder.create(run.settings(origins))
    except ChangedConfigError:
        if folder.begun() or workers(folder):
            raise
        folder.discard()
        folder.create(run.settings(origins))
    prompts = {prompt.digest: prompt.whole for prompt in run.conditions.prompts.values()}
    folder.write_talks(run.talks)
    folder.write_data(run.dataset.histories, run.dataset.shared, prompts)
    trials = run.trials()
    folder.write_plan({trial.trial_id: Planned(len(trial.keys()), trial.row.label) for trial in trials})
    return trials


def carry_out(run: Run, folder: RunFolder, trials: Sequence[Trial], work: Work) -> None:
    """Run what is left of *trials*."""
    for name, why in run.left_out.items():
        remark(f"left out: {name}: {why}")
    for name, ran in run.standings.items():
        if ran.word != RAN:
            remark(f"{ran.word}: {name}: {ran.why}")
    mine = shard(trials, *work.part) if work.part else trials
    records = {trial: plan.records for trial, plan in folder.planned().items()}
    counts = [(records[trial.trial_id], folder.journal(trial.trial_id).planned_done()) for trial in mine]
    total, done = sum(many for many, _ in counts), sum(min(one) for one in counts)
    players, cache = run.players, cache_of(folder.path.parent)
    spending = kept_spending(folder, work.spending) if players.client else work.spending
    stop = players.client.stop if players.client else Event()
    work.started(stop)

    def interrupted(times: int) -> None:
        if times > 1:
            work.leave()
        remark("stopping after the calls in flight; Ctrl-C again leaves at once.")

    with (
        hold(folder.lock(work.part), f"run {folder.path}"),
        calling(players, folder, cache, spending, fresh=run.config.fresh, replay=work.replay)
        if done < total
        else nullcontext(),
        serving(run.cast.gateway),
        progress(total, done=done, quiet=work.quiet) as watch,
    ):
        execute(
            mine,
            folder,
            roles=run.cast,
            conditions=run.conditions,
            limits=Limits(trials=work.trials, calls=work.calls),
            watch=watch,
            stop=stop,
            interrupted=interrupted,
        )


class Plan(NamedTuple):
    """Counts of the planned work, and the forecast of the calls of models."""

    counts: Mapping[str, Any]
    estimate: RunEstimate


def plan_of(config: RunConfig, runs_dir: Path, prices: Path | None = None) -> Plan:
    """Assemble a run, and estimate it."""
    run = assemble(config, runs_dir)
    trials = run.trials()
    cells = [cell for trial in trials for cell in trial.cells]
    # Rows that will show no score, by status, with the reason.
    without_score = {
        word.replace(" ", "_"): {row: ran.why for row, ran in run.standings.items() if ran.word == word}
        for word in (STAND_IN, ABSENT)
    }
    counts = {
        "benchmark": run.config.benchmark,
        "rows": [row.label for row in run.rows],
        "left_out": dict(run.left_out),
        **without_score,
        "histories": len(run.dataset.histories),
        "trials": len(trials),
        "answers": len({cell.answer for cell in cells}),
        "verdicts": sum(cell.verdict is not None for cell in cells),
        "records": sum(len(trial.keys()) for trial in trials),
    }
    return Plan(counts, forecast_of(run, trials, prices))


def forecast_of(run: Run, trials: Sequence[Trial], prices: Path | None = None) -> RunEstimate:
    """Calls, tokens and money of *trials*, at the prices of the package and those of a file."""
    kept: dict[str, int] = {}
    for row in run.rows:
        # Memories of a fixed size have it as their setting `tokens`.
        name = str(row.fingerprint["name"])
        if row.kind == "memory" and row.traits.limit == "fixed" and name in registry.MEMORIES:
            settings, _ = read(registry.memory(name).config, dict(row.fingerprint["config"]))
            if isinstance(tokens := getattr(settings, "tokens", None), int):
                kept[row.label] = tokens
    judge = {} if isinstance(run.config.judge, str) else run.config.judge.settings
    assumed = Assumed(
        conditions=run.conditions,
        window_tokens=run.cast.reader.window_tokens,
        prices=load_prices(prices),
        models=run.players.settings,
        judging=Judging(**{name: int(judge[name]) for name in ("votes", "retries") if name in judge}),
        kept=kept,
    )
    return estimate_run(trials, assumed)

"""Starts, resumes and merges runs. Start at `start`; `carry_out` does the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import NamedTuple

from recollect.domain.errors import ChangedConfigError
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import Trial
from recollect.engine.selection import parse_shard, shard
from recollect.records.provenance import RAN
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
    """What a second Ctrl-C does, if nothing else is said."""
    raise KeyboardInterrupt


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How to go about a run; changes no result."""

    trials: int = 2
    calls: int = 8
    part: Part | None = None
    quiet: bool = False
    spending: Spending = field(default_factory=Spending)
    replay: bool = False
    """Take replies from the cache alone: nothing is sent."""
    leave: Callable[[], None] = give_up
    """Called at the second Ctrl-C: whoever asks again need not wait, for all that is recorded is kept."""
    started: Callable[[Event], object] = lambda _stop: None
    """Called with what stops the run, once it is set."""


class Resumed(NamedTuple):
    """A run that was resumed, and the parts of it that its folder holds; none where it holds the whole."""

    folder: RunFolder
    parts: Sequence[Part]


class Whole(NamedTuple):
    """The run that parts were merged into, and what keeps it from being finished."""

    folder: RunFolder
    gaps: Sequence[str]


def start(config: RunConfig, origins: Origins, work: Work, *, runs_dir: Path, name: str | None = None) -> RunFolder:
    """Run a config from data to the last record; a run of the same name and config is resumed.

    Raises:
        ChangedConfigError: There is a run of that name with another config.
        InterruptedRunError: Ctrl-C; what is recorded stays.
    """
    folder = folder_for(name or name_of(config), runs_dir)
    run = assemble(config, runs_dir)
    carry_out(run, folder, prepare(run, folder, origins), work)
    return folder


def resume(name: str, runs_dir: Path, work: Work) -> Resumed:
    """Do what is left of a run, or of each part of it that its folder holds; refused if it would not be the same."""
    folder = find(name, runs_dir)
    parts = sorted(folder.parts())
    run, origins = _reopened(folder, runs_dir), folder.settings().get("origins", {})
    planned = prepare(run, folder, origins)
    whole: list[Part | None] = [*parts] or [None]
    for part in whole:
        carry_out(run, folder, planned, replace(work, part=part))
    return Resumed(folder, parts)


def merge(names: Sequence[str], out: str, runs_dir: Path) -> Whole:
    """Put the parts of a run together.

    Raises:
        ChangedConfigError: The parts were made under different configs.
        ClashError: Two parts hold different records under one key.
    """
    parts = [find(name, runs_dir) for name in names]
    folder = join(parts, folder_for(out, runs_dir))
    return Whole(folder, missing(parts, folder))


def _reopened(folder: RunFolder, runs_dir: Path) -> Run:
    """A run assembled again from what its folder says."""
    config = asked_of(folder)
    data = held_data(folder, config)
    run = assemble(config, runs_dir, data, None if data is None else folder.talks())
    folder.create(run.settings(folder.settings().get("origins", {})))
    return run


def prepare(run: Run, folder: RunFolder, origins: Origins) -> list[Trial]:
    """Write down what the run is, and plan it; what was written of a run that never began gives way."""
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
    """Do all that is left of *trials*."""
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
            cast=run.cast,
            conditions=run.conditions,
            limits=Limits(trials=work.trials, calls=work.calls),
            watch=watch,
            stop=stop,
            interrupted=lambda times: _interrupted(times, work.leave),
        )


def _interrupted(times: int, leave: Callable[[], None]) -> None:
    """Say what is waited for."""
    if times > 1:
        leave()
    remark("stopping after the calls in flight; Ctrl-C again leaves at once.")

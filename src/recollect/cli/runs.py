"""Starting, finishing and finding runs: what several verbs share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.cli import leave
from recollect.cli import purse as purses
from recollect.cli.assemble import Run, assemble
from recollect.cli.calling import calling
from recollect.cli.config import Origins, RunConfig, from_data
from recollect.cli.gateways import serving
from recollect.cli.output import progress, remark
from recollect.cli.purse import Purse
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import ChangedConfigError, UnknownNameError, UsageError
from recollect.engine.execution.executor import Limits, execute
from recollect.engine.plan import Trial
from recollect.engine.selection import shard
from recollect.records.provenance import RAN
from recollect.store.locks import hold, workers
from recollect.store.run_folder import Planned, RunFolder

if TYPE_CHECKING:
    from recollect.diagnose.summary import Findings

FAULT_BOUND = 0.01
"""Above this share of faults a run ends with exit code 1 and without headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How to go about a run; changes no result."""

    trials: int = 2
    calls: int = 8
    part: tuple[int, int] | None = None
    quiet: bool = False
    purse: Purse = field(default_factory=Purse)
    replay: bool = False
    """Take replies from the cache alone: nothing is sent."""


def cache_of(runs_dir: Path) -> Path:
    """Where vectors are kept that all runs of a folder may use."""
    return runs_dir / ".cache"


def folder_for(name: str, runs_dir: Path) -> RunFolder:
    """The folder of a run to be made: a plain name below the folder of runs."""
    if not re.fullmatch(r"[\w()=,+ -][\w.()=,+ -]*", name):
        raise UsageError(f"--name {name!r}: a name has letters, digits, `-`, `_` and `.`, and begins with no dot.")
    return RunFolder(runs_dir / name)


def find(name: str, runs_dir: Path) -> RunFolder:
    """A run by name or by the path of its folder.

    Raises:
        UnknownNameError: With the runs there are.
    """
    for path in (runs_dir / name, Path(name)):
        if (path / "run.json").is_file():
            return RunFolder(path)
    known = [file.parent.name for file in runs_dir.glob("*/run.json")]
    raise UnknownNameError(f"run in {runs_dir}/", name, known)


def reopen(folder: RunFolder, runs_dir: Path) -> Run:
    """A run assembled again from what its folder says; refused if it would no longer be the same."""
    settings = folder.settings()
    config = from_data(settings["asked"], str(folder.path / "run.json"))
    data = held_data(folder, config)
    run = assemble(config, cache_of(runs_dir), data, None if data is None else folder.talks())
    folder.create(run.settings(settings.get("origins", {})))
    return run


def held_data(folder: RunFolder, config: RunConfig) -> Dataset | None:
    """What a run's folder says that is asked: going on needs no file of elsewhere; `None` if it has none yet."""
    if not (folder.path / "data" / "shared.json").is_file():
        return None
    origin = folder.settings()["config"]["data_origin"]
    return Dataset(
        benchmark=config.benchmark, histories=tuple(folder.histories()), shared=folder.shared(), origin=origin
    )


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


def carry_out(run: Run, folder: RunFolder, trials: list[Trial], work: Work) -> None:
    """Do all that is left of *trials*."""
    for name, why in run.left_out.items():
        remark(f"left out: {name}: {why}")
    for name, ran in run.standings.items():
        if ran.word != RAN:
            remark(f"{ran.word}: {name}: {ran.why}")
    mine = shard(trials, *work.part) if work.part else trials
    planned = {trial: plan.records for trial, plan in folder.planned().items()}
    done = sum(progress_of(folder, {trial.trial_id: planned[trial.trial_id] for trial in mine}).values())
    total = sum(planned[trial.trial_id] for trial in mine)
    players, cache = run.players, cache_of(folder.path.parent)
    purse = purses.kept(folder, work.purse) if players.client else work.purse
    with (
        hold(folder.lock(work.part), f"run {folder.path}"),
        calling(players, folder, cache, purse, fresh=run.config.fresh, replay=work.replay)
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
            stop=players.client.stop if players.client else None,
            interrupted=_interrupted,
        )


def _interrupted(times: int) -> None:
    """Say what is waited for; who asks again need not wait, for a kill loses nothing that is recorded either."""
    if times > 1:
        leave()
    remark("stopping after the calls in flight; Ctrl-C again leaves at once.")


def progress_of(folder: RunFolder, planned: Mapping[str, int]) -> dict[str, int]:
    """Trial -> planned records that are there."""
    return {trial: min(count, folder.journal(trial).planned_done()) for trial, count in planned.items()}


def examined(folder: RunFolder) -> Findings:
    """All numbers of a run and the cells behind them, from its records."""
    from recollect import registry
    from recollect.diagnose.summary import findings

    return findings(folder, registry.benchmark(folder.settings()["asked"]["benchmark"]))


def name_of(config: RunConfig) -> str:
    """The name of a run that was given none: what it measures, and a few digits of how."""
    from recollect.cli.config import as_data
    from recollect.records.digests import digest

    said = as_data(config)
    what = Path(config.data).stem if config.data else config.size
    return f"{config.benchmark}-{what}-{digest(said)[3:9]}"

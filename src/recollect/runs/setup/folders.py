"""Run folders on disk: paths, contents, progress."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.domain.ids import HistoryId
from recollect.domain.messages import Message
from recollect.records.digests import digest
from recollect.runs.setup.config import RunConfig, as_data, from_data
from recollect.store.locks import workers
from recollect.store.run_folder import RunFolder, share_of

RUNS = Path("runs")
"""The default folder of runs."""
NOT_STARTED = "(not started)"
"""Row of a trial that an older version planned and that was never started."""
Talks = Mapping[HistoryId, Sequence[Message]]
"""Dialogues by history."""


def cache_of(runs_dir: Path) -> Path:
    """The folder of everything that the runs of a folder share."""
    return runs_dir / ".cache"


def folder_for(name: str, runs_dir: Path) -> RunFolder:
    """The folder of a new run."""
    if not re.fullmatch(r"[\w()=,+ -][\w.()=,+ -]*", name):
        raise UsageError(
            f"--name {name!r}: a name consists of letters, digits, `-`, `_` and `.`, and does not start with a dot."
        )
    return RunFolder(runs_dir / name)


def name_of(config: RunConfig) -> str:
    """The default name of a run: benchmark, data, and a digest of the config."""
    what = Path(config.data).stem if config.data else config.size
    return f"{config.benchmark}-{what}-{digest(as_data(config))[3:9]}"


def find(name: str, runs_dir: Path) -> RunFolder:
    """A run by name or by the path of its folder."""
    for path in (runs_dir / name, Path(name)):
        if (path / "run.json").is_file():
            return RunFolder(path)
    known = [file.parent.name for file in runs_dir.glob("*/run.json")]
    raise UnknownNameError(f"run in {runs_dir}/", name, known)


def asked_of(folder: RunFolder) -> RunConfig:
    """The config that a run was started with."""
    return from_data(folder.settings()["asked"], str(folder.path / "run.json"))


def held_data(folder: RunFolder, config: RunConfig) -> Dataset | None:
    """The data stored in a run folder, so that resuming needs no other file; `None` if there are none yet."""
    if not (folder.path / "data" / "shared.json").is_file():
        return None
    origin = folder.settings()["config"]["data_origin"]
    return Dataset(
        benchmark=config.benchmark, histories=tuple(folder.histories()), shared=folder.shared(), origin=origin
    )


def talks_of_run(run: str, runs_dir: Path) -> Talks:
    """The dialogues of a run, by `RUN` or `RUN:ROW`."""
    from recollect.diagnose.records.dialogues import dialogues_of

    name, _, row = run.partition(":")
    return dialogues_of(find(name, runs_dir), row or None)


# How far runs are


@dataclass(slots=True, kw_only=True)
class Status:
    """Counts of records, done and planned, faults and discarded attempts; of a part, only its own trials."""

    done: int = 0
    planned: int = 0
    faults: int = 0
    void: int = 0
    state: str = "unfinished"
    """`finished`, `unfinished`, or `running` with the processes."""

    def add(self, other: Status) -> None:
        self.done += other.done
        self.planned += other.planned
        self.faults += other.faults
        self.void += other.void

    def as_data(self) -> Mapping[str, int | str]:
        return asdict(self)


def status_of_all(runs_dir: Path) -> dict[str, Status]:
    """Run -> its status."""
    folders = [RunFolder(file.parent) for file in sorted(runs_dir.glob("*/run.json"))]
    return {folder.name: status_of(folder) for folder in folders}


def status_by_row(folder: RunFolder) -> dict[str, Status]:
    """Row -> its status, including rows not yet started."""
    rows, running = _rows(folder), workers(folder)
    for row in rows.values():
        row.state = _state(row, running)
    return rows


def status_of(folder: RunFolder) -> Status:
    """All rows together."""
    whole, running = Status(), workers(folder)
    for row in _rows(folder).values():
        whole.add(row)
    named = ", ".join(f"{number}/{of}" for number, of in sorted(folder.parts()))
    state = _state(whole, running)
    whole.state = f"part {named} {state}" if _own_trials(folder) != set(folder.planned()) else state
    return whole


def _state(counts: Status, running: Sequence[str]) -> str:
    if counts.planned and counts.done == counts.planned:
        return "finished"
    return f"running: {', '.join(running)}" if running else "unfinished"


def _own_trials(folder: RunFolder) -> set[str]:
    """The trials of this folder: all, or those of its parts."""
    planned, parts = folder.planned(), folder.parts()
    return {trial for part in parts for trial in share_of(planned, part)} if parts else set(planned)


def _rows(folder: RunFolder) -> dict[str, Status]:
    labels = {facts["trial"]: facts["row"] for facts in folder.trials()}
    planned = folder.planned()
    rows: defaultdict[str, Status] = defaultdict(Status)
    for trial in sorted(_own_trials(folder)):
        plan, journal = planned[trial], folder.journal(trial)
        done = min(plan.records, journal.planned_done())
        row = rows[plan.row or labels.get(trial, NOT_STARTED)]
        row.add(Status(done=done, planned=plan.records, faults=len(journal.faults), void=journal.voids))
    return dict(sorted(rows.items()))

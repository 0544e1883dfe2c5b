"""The same run under several values of a setting: all are assembled first, then run one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from recollect import registry
from recollect.diagnose.compare.ablation import Seen, ablation, placed, seen, suffixed
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.records.codec import encode
from recollect.records.tables.multi_run import Ablation, AblationRun
from recollect.report.ablation import write_ablation
from recollect.runs.progress import remark
from recollect.runs.results.findings import FAULT_BOUND, result_of
from recollect.runs.setup.assembly import Run, assemble, check_tasks, dataset_of, preset_of, select
from recollect.runs.setup.axes import Axes, axes_of
from recollect.runs.setup.config import Origins, RunConfig
from recollect.runs.setup.folders import folder_for, name_of
from recollect.runs.setup.values import Value
from recollect.runs.start import Work, carry_out, prepare
from recollect.store.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """What is varied, and what is shown of it."""

    settings: Sequence[str]
    """`SETTING=VALUE,VALUE`, or `ROW.SETTING=VALUE,VALUE`."""
    cross: bool = False
    by: str = ""
    """A label: the scores of each of its values too."""


class Ablated(NamedTuple):
    """A table for each setting, and the page that shows them."""

    made: Sequence[Ablation]
    page: Path

    def as_data(self) -> dict[str, Any]:
        """As JSON."""
        one = len(self.made) == 1
        told = {"ablation": encode(self.made[0])} if one else {"ablations": [encode(each) for each in self.made]}
        return {**told, "report": str(self.page)}

    def faulty(self) -> list[AblationRun]:
        """Runs that are not finished, or have too many faults."""
        runs = {run.run: run for one in self.made for run in one.runs}
        return [run for run in runs.values() if run.unfinished or run.fault_share > FAULT_BOUND]


def ablate(
    over: Over, config: RunConfig, origins: Origins, work: Work, *, runs_dir: Path, name: str | None = None
) -> Ablated:
    """Run a config once for each value; what was run before is not run again.

    Raises:
        ConfigError: Something is wrong with the values; all problems at once, before anything is run.
    """
    name = name or name_of(config)
    axes = axes_of(over.settings, config, name, cross=over.cross)
    runs = _assembled(axes, runs_dir)
    _check_label(over.by, runs)
    place = folder_for(f"{name}-over-{axes.name}", runs_dir).path
    found: dict[str, Seen] = {}
    of_run = [axis for axis in axes.axes if not axis.values[0].row]
    changed = {setting: "flag" for axis in of_run for setting in (axis.setting, *axis.crossed)}
    for value, run in zip(axes.runs, runs, strict=True):
        left = remaining(work, [one.spent for one in found.values()])
        folder = folder_for(value.folder, runs_dir)
        found[value.folder] = _done(value, run, (folder, {**origins, **changed}, left), over.by)
    made = list(_ablations(name, axes, found))
    return Ablated(made, write_ablation(place, *made))


def _assembled(axes: Axes, runs_dir: Path) -> list[Run]:
    """All runs, so that a wrong value is told before anything is done; data that they share are read once."""
    first = axes.runs[0].config
    benchmark = registry.benchmark(first.benchmark)
    for value in axes.runs:
        check_tasks(benchmark, value.config.tasks)
    data = dataset_of(benchmark, first)
    runs = [assemble(value.config, runs_dir, select(data, value.config)) for value in axes.runs]
    for run in runs:
        preset = preset_of(run.benchmark, run.config)
        for keyed in run.dataset.histories:
            next(iter(run.benchmark.steps(keyed.history, preset.steps_for(keyed.task))), None)
    if axes.name == "chunk_tokens" and not any(_is_chunked(run) for run in runs):
        raise UsageError(f"--over chunk_tokens: preset {first.preset} cuts none of these tasks into chunks.")
    return runs


def _is_chunked(run: Run) -> bool:
    preset = preset_of(run.benchmark, run.config)
    return any(preset.steps_for(keyed.task).chunker != "none" for keyed in run.dataset.histories)


def _check_label(by: str, runs: Sequence[Run]) -> None:
    """A label that no question has is told before anything is run."""
    known = {
        label for run in runs for keyed in run.dataset.histories for key in keyed.keys.values() for label in key.labels
    }
    if by and by not in known:
        raise UnknownNameError("label of --by", by, known)


def remaining(work: Work, spent: Sequence[float]) -> Work:
    """The same with what may still be spent, of what all values may spend together."""
    cap = work.spending.max_cost
    if cap is None:
        return work
    return replace(work, spending=replace(work.spending, max_cost=max(0.0, cap - sum(spent))))


def _done(value: Value, run: Run, place: tuple[RunFolder, Origins, Work], by: str) -> Seen:
    """One run, finished and reported; of what it holds only the numbers are kept."""
    folder, origins, work = place
    if not work.quiet:
        remark(f"{value.folder}:")
    carry_out(run, folder, prepare(run, folder, origins), work)
    result = result_of(folder)
    result.write_report()
    one = seen(result.found, value=value.label, identity=result.identity, by_task=value.is_task, by=by)
    return suffixed(one, value.suffix)


def _ablations(name: str, axes: Axes, found: Mapping[str, Seen]) -> Iterator[Ablation]:
    """One for each axis."""
    rest = found[axes.rest.folder] if axes.rest else None
    for axis in axes.axes:
        values = [
            placed(found[one.folder], one.label, row=(one.row, one.named), rest=rest, without=axis.base_row)
            if one.row
            else found[one.folder]
            for one in axis.values
        ]
        yield ablation(name, values[0].benchmark, axis.setting, values, crossed=axis.crossed)

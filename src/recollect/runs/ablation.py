"""The same run under several values of a setting: all are assembled first, then run one after the other."""

from __future__ import annotations

from collections.abc import Sequence
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
from recollect.runs.start import Work, carry_out, prepare


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """The settings that are varied, and a label to report."""

    settings: Sequence[str]
    """`SETTING=VALUE,VALUE`, or `ROW.SETTING=VALUE,VALUE`."""
    cross: bool = False
    by: str = ""
    """A label: also report the scores of each of its values."""


class Ablated(NamedTuple):
    """A table for each setting, and the page that shows them."""

    made: Sequence[Ablation]
    page: Path

    def as_data(self) -> dict[str, Any]:
        tables = [encode(table) for table in self.made]
        named = {"ablation": tables[0]} if len(tables) == 1 else {"ablations": tables}
        return {**named, "report": str(self.page)}

    def faulty(self) -> list[AblationRun]:
        """Runs that are not finished, or have too many faults."""
        runs = {run.run: run for table in self.made for run in table.runs}
        return [run for run in runs.values() if run.unfinished or run.fault_share > FAULT_BOUND]


def ablate(
    over: Over, config: RunConfig, origins: Origins, work: Work, *, runs_dir: Path, name: str | None = None
) -> Ablated:
    """Run a config once for each value; finished runs are not repeated."""
    name = name or name_of(config)
    axes = axes_of(over.settings, config, name, cross=over.cross)
    runs = _assemble(axes, runs_dir, over.by)
    page_folder = folder_for(f"{name}-over-{axes.name}", runs_dir).path
    of_run = [axis for axis in axes.axes if not axis.values[0].row]
    origins = {**origins, **{setting: "flag" for axis in of_run for setting in (axis.setting, *axis.crossed)}}
    found: dict[str, Seen] = {}
    for value, run in zip(axes.runs, runs, strict=True):
        left = remaining(work, [one.spent for one in found.values()])
        folder = folder_for(value.folder, runs_dir)
        if not left.quiet:
            remark(f"{value.folder}:")
        carry_out(run, folder, prepare(run, folder, origins), left)
        result = result_of(folder)
        result.write_report()
        # Only the numbers are kept of a run: many runs would not fit into memory.
        numbers = seen(result.found, value=value.label, identity=result.identity, by_task=value.is_task, by=over.by)
        found[value.folder] = suffixed(numbers, value.suffix)
    rest = found[axes.rest.folder] if axes.rest else None
    made = []
    for axis in axes.axes:
        values = [
            placed(found[one.folder], one.label, row=(one.row, one.named), rest=rest, without=axis.base_row)
            if one.row
            else found[one.folder]
            for one in axis.values
        ]
        made.append(ablation(name, values[0].benchmark, axis.setting, values, crossed=axis.crossed))
    return Ablated(made, write_ablation(page_folder, *made))


def _assemble(axes: Axes, runs_dir: Path, by: str) -> list[Run]:
    """All runs, so that wrong values are refused before anything runs; the data that they share are read once."""
    first = axes.runs[0].config
    benchmark = registry.benchmark(first.benchmark)
    for value in axes.runs:
        check_tasks(benchmark, value.config.tasks)
    data = dataset_of(benchmark, first)
    runs = [assemble(value.config, runs_dir, select(data, value.config)) for value in axes.runs]
    labels: set[str] = set()
    chunked = False
    for run in runs:
        preset = preset_of(run.benchmark, run.config)
        for keyed in run.dataset.histories:
            settings = preset.steps_for(keyed.task)
            next(iter(run.benchmark.steps(keyed.history, settings)), None)
            chunked = chunked or settings.chunker != "none"
            labels.update(label for key in keyed.keys.values() for label in key.labels)
    if axes.name == "chunk_tokens" and not chunked:
        raise UsageError(f"--over chunk_tokens: preset {first.preset} does not split any of these tasks into chunks.")
    if by and by not in labels:
        raise UnknownNameError("label of --by", by, labels)
    return runs


def remaining(work: Work, spent: Sequence[float]) -> Work:
    """The same with what is left of the limit that all values share."""
    cap = work.spending.max_cost
    if cap is None:
        return work
    return replace(work, spending=replace(work.spending, max_cost=max(0.0, cap - sum(spent))))

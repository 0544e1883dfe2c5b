"""`recollect ablate`: the same run under several values of a setting, in one table and one plot a task."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import launch
from recollect.domain.errors import UsageError

if TYPE_CHECKING:
    from recollect.cli.ablation_axes import Axes
    from recollect.cli.ablation_values import Value
    from recollect.cli.assemble import Run
    from recollect.cli.config import Origins
    from recollect.cli.runs import Work
    from recollect.diagnose.compare.ablation import Seen
    from recollect.records.tables.multi_run import Ablation
    from recollect.store.run_folder import RunFolder

Over = Annotated[
    list[str],
    typer.Option(
        help="SETTING=VALUE,VALUE,… of chunk_tokens, search_limit, context_tokens (or `full`), preset, task; several "
        "times for reader. Or ROW.SETTING=VALUE,… of systems, such as awe.freq=2,4,8; several times."
    ),
]
Cross = Annotated[
    bool, typer.Option("--cross", help="Every combination: of settings of the run, or of those of a system.")
]
By = Annotated[str, typer.Option("--by", help="A label: the scores of each of its values too.")]
NOT_HERE = frozenset({"shard", "dry"})
"""Flags of `run` that are for one run alone."""


def ablate(over: list[str], *, cross: bool = False, by: str = "", **said: Any) -> None:
    """Run a benchmark once for each value of a setting; run the same command again to go on where it stopped."""
    from recollect.cli.ablation_axes import axes_of
    from recollect.cli.runs import folder_for, name_of

    base, origins = launch.asked(said)
    name = said["name"] or name_of(base)
    axes = axes_of(over, base, name, cross=cross)
    runs = _assembled(axes, said["runs_dir"])
    _check_label(by, runs)
    place = folder_for(f"{name}-over-{axes.name}", said["runs_dir"]).path
    found: dict[str, Seen] = {}
    work = launch.work_of(said)
    of_run = [axis for axis in axes.axes if not axis.values[0].row]
    changed = {setting: "flag" for axis in of_run for setting in (axis.setting, *axis.crossed)}
    for value, run in zip(axes.runs, runs, strict=True):
        left = remaining(work, [one.spent for one in found.values()])
        folder = folder_for(value.folder, said["runs_dir"])
        found[value.folder] = _done(value, run, (folder, {**origins, **changed}, left), by)
    _tell(list(_ablations(name, axes, found)), place, as_json=said["as_json"])


def _signature() -> inspect.Signature:
    """That of `run`, with the values in the place of what is for one run alone."""
    given = inspect.signature(launch.run, eval_str=True)
    kept = [one for one in given.parameters.values() if one.name not in NOT_HERE]
    mine = inspect.Parameter("over", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Over)
    every = inspect.Parameter("cross", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Cross, default=False)
    label = inspect.Parameter("by", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=By, default="")
    first, *others = kept
    return given.replace(parameters=[first.replace(default=None), mine.replace(default=...), every, label, *others])


ablate.__signature__ = _signature()  # type: ignore[attr-defined]
ablate.__annotations__ = {one.name: one.annotation for one in _signature().parameters.values()}


def _assembled(axes: Axes, runs_dir: Path) -> list[Run]:
    """All runs, so that a wrong value is told before anything is done; data that they share are read once."""
    from recollect import registry
    from recollect.cli.assemble import assemble, check_tasks, dataset_of, select
    from recollect.cli.runs import cache_of

    first = axes.runs[0].config
    benchmark = registry.benchmark(first.benchmark)
    for value in axes.runs:
        check_tasks(benchmark, value.config.tasks)
    data = dataset_of(benchmark, first)
    runs = [assemble(value.config, cache_of(runs_dir), select(data, value.config)) for value in axes.runs]
    for run in runs:
        _check_steps(run)
    if axes.name == "chunk_tokens" and not any(_is_chunked(run) for run in runs):
        raise UsageError(f"--over chunk_tokens: preset {first.preset} cuts none of these tasks into chunks.")
    return runs


def _is_chunked(run: Run) -> bool:
    from recollect.cli.assemble import preset_of

    preset = preset_of(run.benchmark, run.config)
    return any(preset.steps_for(keyed.task).chunker != "none" for keyed in run.dataset.histories)


def _check_steps(run: Run) -> None:
    """A value that the steps refuse is refused at the first of them."""
    from recollect.cli.assemble import preset_of

    preset = preset_of(run.benchmark, run.config)
    for keyed in run.dataset.histories:
        next(iter(run.benchmark.steps(keyed.history, preset.steps_for(keyed.task))), None)


def _check_label(by: str, runs: Sequence[Run]) -> None:
    """A label that no question has is told before anything is run."""
    from recollect.domain.errors import UnknownNameError

    known = {
        label for run in runs for keyed in run.dataset.histories for key in keyed.keys.values() for label in key.labels
    }
    if by and by not in known:
        raise UnknownNameError("label of --by", by, known)


def remaining(work: Work, spent: Sequence[float]) -> Work:
    """The same with what may still be spent, of what all values may spend together."""
    cap = work.purse.max_cost
    return work if cap is None else replace(work, purse=replace(work.purse, max_cost=max(0.0, cap - sum(spent))))


def _done(value: Value, run: Run, place: tuple[RunFolder, Origins, Work], by: str) -> Seen:
    """One run, finished and reported; of what it holds only the numbers are kept."""
    from recollect.cli.output import remark
    from recollect.cli.reports import write_report
    from recollect.cli.runs import carry_out, examined, prepare
    from recollect.diagnose.compare.ablation import seen, suffixed
    from recollect.diagnose.records.identity import identity

    folder, origins, work = place
    if not work.quiet:
        remark(f"{value.folder}:")
    carry_out(run, folder, prepare(run, folder, origins), work)
    found = examined(folder)
    write_report(folder, found)
    named = identity(folder, found.summary)
    return suffixed(seen(found, value=value.label, identity=named, by_task=value.is_task, by=by), value.suffix)


def _ablations(name: str, axes: Axes, found: Mapping[str, Seen]) -> Iterator[Ablation]:
    """One for each axis."""
    from recollect.diagnose.compare.ablation import ablation, placed

    rest = found[axes.rest.folder] if axes.rest else None
    for axis in axes.axes:
        seen = [
            placed(found[one.folder], one.label, row=(one.row, one.named), rest=rest, without=axis.base_row)
            if one.row
            else found[one.folder]
            for one in axis.values
        ]
        yield ablation(name, seen[0].benchmark, axis.setting, seen, crossed=axis.crossed)


def _tell(made: Sequence[Ablation], place: Path, *, as_json: bool) -> None:
    """Tables, page and files; the page's path is the last line."""
    from recollect.cli.output import print_json, remark
    from recollect.cli.runs import FAULT_BOUND
    from recollect.records.codec import encode
    from recollect.report.ablation import write_ablation

    page = write_ablation(place, *made)
    told = {"ablation": encode(made[0])} if len(made) == 1 else {"ablations": [encode(one) for one in made]}
    if as_json:
        print_json({**told, "report": str(page)})
    else:
        for one in made:
            _print(one)
        print(page)
    runs = {run.run: run for one in made for run in one.runs}
    open_ends = [run for run in runs.values() if run.unfinished or run.fault_share > FAULT_BOUND]
    for run in open_ends:
        remark(f"{run.run}: {run.unfinished} answers are still to come, {run.fault_share:.1%} of the cells are faults.")
    if open_ends:
        raise typer.Exit(1)


def _print(made: Ablation) -> None:
    from recollect.cli.output import print_table
    from recollect.cli.reports import show

    rows = []
    for plot in made.plots:
        for line in plot.lines:
            points = {point.value: show(point.score) for point in line.points}
            rows.append([plot.name, line.row, *(points.get(value, "-") for value in made.values)])
        if plot.evidence_shown:
            told = [f"{plot.evidence_shown.get(value, 1.0):.0%}" for value in made.values]
            rows.append([plot.name, "(evidence shown)", *told])
    crossed = "".join(f" × {setting}" for setting in made.crossed)
    print_table(f"{made.name} over {made.over}{crossed}", ["task", "row", *made.values], rows)

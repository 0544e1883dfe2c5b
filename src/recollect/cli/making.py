"""Generating with a model: the client of a maker, the runner in its folder, and what came of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import typer

from recollect import registry
from recollect.cli import leave
from recollect.cli.output import print_table, remark
from recollect.cli.purse import Purse
from recollect.domain.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from recollect.contracts.benchmark import Benchmark, Dataset
    from recollect.making.account import Summary
    from recollect.making.recipe import Recipe
    from recollect.making.run import Progress, ProgressCallback
    from recollect.making.steps import Item

LOG, SUMMARY = "rejects.jsonl", "summary.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be made, and how to go about it."""

    maker: str
    source: Path
    work: Path
    tasks: Sequence[str]
    seed: int
    calls: int = 8
    purse: Purse = field(default_factory=Purse)
    dry_run: bool = False


def make(benchmark: Benchmark, order: Order) -> Dataset | None:
    """The data that a model makes; `None` after a dry run.

    Raises:
        UsageError: The benchmark has no tasks that models make, or the order does not say enough.
        CallError: The model does not work; nothing was begun.
    """
    recipe, tasks = _recipe(benchmark, order.tasks)
    if not order.source.exists():
        raise UsageError(f"--from {order.source}: there is no such file or folder.")
    items = recipe.items(order.source, tasks)
    if order.dry_run:
        _say_foreseen(recipe, items)
        return None
    return _made(recipe, items, order)


def _recipe(benchmark: Benchmark, wanted: Sequence[str]) -> tuple[Recipe, Sequence[str]]:
    recipes = registry.recipes(benchmark.card.name)
    if not recipes:
        raise UsageError(f"`{benchmark.card.name}` has no tasks that a model makes; leave `--maker` out.")
    known = {task: recipe for recipe in recipes for task in recipe.tasks}
    if not wanted:
        raise UsageError(f"--maker: say with `--task` what is to be made: {', '.join(known)}.")
    for task in wanted:
        if task not in known:
            raise UnknownNameError("task that a model makes", task, known)
    chosen = list(dict.fromkeys(id(known[task]) for task in wanted))
    if len(chosen) > 1:
        raise UsageError("--task: these tasks are made in different ways; make them one after the other.")
    return known[wanted[0]], list(dict.fromkeys(wanted))


def _made(recipe: Recipe, items: Sequence[Item], order: Order) -> Dataset:
    from recollect.cli.calling import calling
    from recollect.cli.models import maker_of
    from recollect.cli.purse import kept
    from recollect.cli.runs import cache_of
    from recollect.making.account import as_json, as_lines, summary_of
    from recollect.making.run import run
    from recollect.records.digests import canonical
    from recollect.store.files import write_whole
    from recollect.store.run_folder import RunFolder

    played, model = maker_of(order.maker)
    folder, stop = RunFolder(order.work), played.stop
    purse = kept(folder, order.purse)
    with _interruptible(stop), calling(played, folder, cache_of(order.work.parent), purse):
        ending = run(
            recipe.pipeline, items, model=model, folder=order.work, at_once=order.calls, watch=_watch(), stop=stop
        )
    summary = summary_of(ending)
    write_whole(order.work / LOG, as_lines(ending))
    write_whole(order.work / SUMMARY, f"{canonical(as_json(summary))}\n".encode())
    _say(summary, order.work / LOG)
    if not ending.finished:
        remark(f"{summary.unfinished} of {summary.items} items are not finished: calls failed. Run again to go on.")
        raise typer.Exit(1)
    return recipe.dataset(items, ending.made(), order.seed, model.fingerprint)


@contextmanager
def _interruptible(stop: Event) -> Iterator[None]:
    """Ctrl-C lets the calls in flight land; a second one leaves at once, for nothing that is recorded is lost."""

    def interrupted(*_: object) -> None:
        if stop.is_set():
            leave()
        stop.set()
        remark("stopping after the calls in flight; Ctrl-C again leaves at once.")

    before = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch() -> ProgressCallback:
    """A line on stderr at each tenth of a step of an item."""
    said: dict[tuple[str, str], int] = {}

    def watch(note: Progress) -> None:
        tenth = 10 * note.done // note.of
        if tenth > said.get((note.item, note.step), 0):
            said[note.item, note.step] = tenth
            remark(f"{note.item}: {note.step} {note.done} of {note.of}")

    return watch


def _say_foreseen(recipe: Recipe, items: Sequence[Item]) -> None:
    from recollect.making.recipe import estimate_steps

    rows = [[one.step, str(one.parts), str(one.calls)] for one in estimate_steps(recipe.pipeline, items)]
    print_table(
        f"{len(items)} items: {', '.join(item.key for item in items)}", ["step", "asked at most", "calls at most"], rows
    )


def _say(summary: Summary, log: Path) -> None:
    """To stderr: what is written is said on stdout."""
    for step in summary.steps:
        if step.first_try or step.tries or step.dropped or step.unfinished:
            rate = "-" if step.passed is None else f"{step.passed:.1%}"
            remark(
                f"{step.step}: {step.first_try} at once, {step.repaired} repaired, {step.rejected} rejected, "
                f"{step.dropped} dropped, {step.unfinished} unfinished; passed {rate}"
            )
    remark(f"{summary.made} of {summary.items} items made; {log} has every reply and part that did not pass.")

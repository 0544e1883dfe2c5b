"""Has a model make data: the client of a maker, the runner in its folder, and what came of it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import NamedTuple

from recollect import registry
from recollect.contracts.benchmark import Benchmark
from recollect.domain.errors import UnknownNameError, UsageError
from recollect.making.account import Summary, as_json, as_lines, summary_of
from recollect.making.recipe import Recipe, StepEstimate, estimate_steps
from recollect.making.run import Progress, ProgressCallback, run
from recollect.making.steps import Item
from recollect.records.digests import canonical
from recollect.runs.data.datasets import Contents, written
from recollect.runs.progress import remark
from recollect.runs.setup.calls import Spending, calling, kept_spending
from recollect.runs.setup.folders import cache_of
from recollect.runs.setup.models import maker_of
from recollect.store.files import write_whole
from recollect.store.run_folder import RunFolder

LOG, SUMMARY = "rejects.jsonl", "summary.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be made, and how to go about it."""

    benchmark: str
    maker: str
    source: Path
    work: Path
    tasks: Sequence[str]
    seed: int
    calls: int = 8
    spending: Spending = field(default_factory=Spending)
    leave: Callable[[], None]
    """Called at the second Ctrl-C; nothing that is recorded is lost."""


class Estimate(NamedTuple):
    """The items that would be made, and how often each step may ask."""

    items: Sequence[str]
    steps: Sequence[StepEstimate]


def estimated(order: Order) -> Estimate:
    """What `made` would ask of the model, at most.

    Raises:
        UsageError: The benchmark has no tasks that models make, or the order does not say enough.
    """
    recipe, _, items = _plan(order)
    return Estimate([item.key for item in items], list(estimate_steps(recipe.pipeline, items)))


def made(order: Order, out: Path) -> Contents | None:
    """Have a model make data, and write them to *out*; `None` where some are not finished, as calls failed.

    Raises:
        UsageError: The benchmark has no tasks that models make, or the order does not say enough.
        CallError: The model does not work; nothing was begun.
    """
    recipe, benchmark, items = _plan(order)
    players, model = maker_of(order.maker)
    folder, stop = RunFolder(order.work), players.stop
    spending = kept_spending(folder, order.spending)
    with _interruptible(stop, order.leave), calling(players, folder, cache_of(order.work.parent), spending):
        ending = run(
            recipe.pipeline, items, model=model, folder=order.work, at_once=order.calls, watch=_watch(), stop=stop
        )
    summary = summary_of(ending)
    write_whole(order.work / LOG, as_lines(ending))
    write_whole(order.work / SUMMARY, f"{canonical(as_json(summary))}\n".encode())
    _remark_steps(summary, order.work / LOG)
    if not ending.finished:
        remark(f"{summary.unfinished} of {summary.items} items are not finished: calls failed. Run again to go on.")
        return None
    return written(benchmark, recipe.dataset(items, ending.made(), order.seed, model.fingerprint), out)


def _plan(order: Order) -> tuple[Recipe, Benchmark, Sequence[Item]]:
    benchmark = registry.benchmark(order.benchmark)
    recipe, tasks = _recipe(benchmark, order.tasks)
    if not order.source.exists():
        raise UsageError(f"--from {order.source}: there is no such file or folder.")
    return recipe, benchmark, recipe.items(order.source, tasks)


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


@contextmanager
def _interruptible(stop: Event, leave: Callable[[], None]) -> Iterator[None]:
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


def _remark_steps(summary: Summary, log: Path) -> None:
    for step in summary.steps:
        if step.first_try or step.tries or step.dropped or step.unfinished:
            rate = "-" if step.passed is None else f"{step.passed:.1%}"
            remark(
                f"{step.step}: {step.first_try} at once, {step.repaired} repaired, {step.rejected} rejected, "
                f"{step.dropped} dropped, {step.unfinished} unfinished; passed {rate}"
            )
    remark(f"{summary.made} of {summary.items} items made; {log} has every reply and part that did not pass.")

"""Data made by a model: the client of the maker, the pipeline in its folder, and the summary."""

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
from recollect.making.account import as_json, as_lines, summary_of
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
    """The data to make, and how."""

    benchmark: str
    maker: str
    source: Path
    work: Path
    tasks: Sequence[str]
    seed: int
    calls: int = 8
    spending: Spending = field(default_factory=Spending)
    leave: Callable[[], None]
    """Called at the second Ctrl-C; records are kept."""


class Estimate(NamedTuple):
    """The items to make, and the calls of each step."""

    items: Sequence[str]
    steps: Sequence[StepEstimate]


def estimated(order: Order) -> Estimate:
    """The calls that `made` would need at most."""
    recipe, _, items = _plan(order)
    return Estimate([item.key for item in items], list(estimate_steps(recipe.pipeline, items)))


def made(order: Order, out: Path) -> Contents | None:
    """Have a model make data, and write them to *out*; `None` if calls failed and some are not finished.

    Raises:
        UsageError: If no model makes the tasks of the benchmark, or the order is incomplete.
        CallError: If the model does not work; nothing was started.
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
    for step in summary.steps:
        if step.first_try or step.tries or step.dropped or step.unfinished:
            rate = "-" if step.passed is None else f"{step.passed:.1%}"
            remark(
                f"{step.step}: {step.first_try} at once, {step.repaired} repaired, {step.rejected} rejected, "
                f"{step.dropped} dropped, {step.unfinished} unfinished; passed {rate}"
            )
    remark(f"{summary.made} of {summary.items} items made; {order.work / LOG} has every reply that did not pass.")
    if not ending.finished:
        remark(f"{summary.unfinished} of {summary.items} items are not finished: calls failed. Run it again.")
        return None
    return written(benchmark, recipe.dataset(items, ending.made(), order.seed, model.fingerprint), out)


def _plan(order: Order) -> tuple[Recipe, Benchmark, Sequence[Item]]:
    benchmark = registry.benchmark(order.benchmark)
    known = {task: recipe for recipe in registry.recipes(benchmark.card.name) for task in recipe.tasks}
    if not known:
        raise UsageError(f"`{benchmark.card.name}` has no tasks that a model makes. Leave out `--maker`.")
    if not order.tasks:
        raise UsageError(f"--maker: name the tasks with `--task`: {', '.join(known)}.")
    for task in order.tasks:
        if task not in known:
            raise UnknownNameError("task that a model makes", task, known)
    recipe = known[order.tasks[0]]
    if any(known[task] is not recipe for task in order.tasks):
        raise UsageError("--task: these tasks have different recipes. Make them one after the other.")
    if not order.source.exists():
        raise UsageError(f"--from {order.source}: no such file or folder.")
    return recipe, benchmark, recipe.items(order.source, list(dict.fromkeys(order.tasks)))


@contextmanager
def _interruptible(stop: Event, leave: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C waits for the calls in flight; a second one leaves at once. Records are kept."""

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
    """A message at each tenth of a step of an item."""
    logged: dict[tuple[str, str], int] = {}

    def watch(note: Progress) -> None:
        tenth = 10 * note.done // note.of
        if tenth > logged.get((note.item, note.step), 0):
            logged[note.item, note.step] = tenth
            remark(f"{note.item}: {note.step} {note.done} of {note.of}")

    return watch

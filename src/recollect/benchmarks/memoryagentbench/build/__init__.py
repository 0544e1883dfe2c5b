"""The published tasks rebuilt from source data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from recollect.benchmarks.memoryagentbench.families import EXAMPLES, SOURCES
from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Keyed

Builder = Callable[[Path, Sequence[str], int], tuple[list[Keyed], str]]
"""(folder, tasks, seed) -> rows, and a word on what they were made from."""

PLACES = {
    "factconsolidation": "facts:build_facts",
    "in_context_learning": "examples:build_examples",
    "longmemeval": "dialogues:build_dialogues",
    "ruler_qa": "documents:build_documents",
    "recsys_redial": "recommendations:build_recommendations",
    "eventqa": "events:build_events",
}
"""Family -> module of this package and the builder in it; loaded when a task of it is built."""
BUILDERS = {
    name: PLACES[source.family.name]
    for name, source in SOURCES.items()
    if not source.made and source.family.name in PLACES
}
"""The same by task."""
SHARED = {"recsys_redial_full": "recommendations:shared_names"}
"""Task whose keys share data -> module and function: folder -> what they share, by task."""
USUAL_TASKS = (
    *(f"factconsolidation_{hops}_{size}" for size in ("6k", "32k") for hops in ("sh", "mh")),
    *(name for name, source in SOURCES.items() if source.family is EXAMPLES and not source.made),
)
"""What is built where no task is named."""


def build(folder: Path, tasks: Sequence[str], seed: int) -> Dataset:
    """The published tasks named, made anew; the same seed and source files give the same bytes.

    Args:
        folder: Holds the folders of source data that the tasks need: `mquake`, `banking77`, `clinc150`, `nlu_hwu64`,
            `trec`, `xquad_en`, `hotpotqa_sample`, `redial`.
        tasks: Names of published sources; none means `USUAL_TASKS`.
        seed: Of all choices.

    Raises:
        UnknownNameError: A task cannot be built.
        DataError: A source file is missing or not what it should be, or there is too little for a size.
    """
    wanted = tuple(dict.fromkeys(tasks)) or USUAL_TASKS
    for task in wanted:
        if task not in BUILDERS:
            raise UnknownNameError("task to build", task, BUILDERS)
    builders = {task: cast("Builder", _found(BUILDERS[task])) for task in wanted}
    histories: list[Keyed] = []
    origins: list[str] = []
    for builder in dict.fromkeys(builders[task] for task in wanted):
        made, origin = builder(folder, [task for task in wanted if builders[task] is builder], seed)
        histories.extend(made)
        origins.append(origin)
    order = {task: place for place, task in enumerate(wanted)}
    histories.sort(key=lambda one: order[one.task])
    return Dataset(
        benchmark=NAME,
        histories=tuple(histories),
        shared={task: _found(SHARED[task])(folder)[task] for task in wanted if task in SHARED},
        origin=f"built with seed {seed} from {', '.join(origins)}",
    )


def _found(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    return cast("Callable[..., Any]", getattr(import_module(f"{__name__}.{module}"), name))

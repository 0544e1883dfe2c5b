"""The published tasks rebuilt from source data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from recollect.benchmarks.memoryagentbench.families import EXAMPLES, SOURCES
from recollect.benchmarks.memoryagentbench.families.recommendations import REDIAL
from recollect.benchmarks.memoryagentbench.histories import NAME
from recollect.contracts.benchmark import Dataset, Later
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Keyed

PLACES = {
    "factconsolidation": Later(f"{__name__}.facts", "build_facts"),
    "in_context_learning": Later(f"{__name__}.examples", "build_examples"),
    "longmemeval": Later(f"{__name__}.dialogues", "build_dialogues"),
    "ruler_qa": Later(f"{__name__}.documents", "build_documents"),
    "recsys_redial": Later(f"{__name__}.recommendations", "build_recommendations"),
    "eventqa": Later(f"{__name__}.events", "build_events"),
}
"""Family -> builder: (folder, tasks, seed) -> rows, and a description of their source; raises `DataError`."""
BUILDERS = {
    name: PLACES[source.family.name]
    for name, source in SOURCES.items()
    if not source.made and source.family.name in PLACES
}
USUAL_TASKS = (
    *(f"factconsolidation_{hops}_{size}" for size in ("6k", "32k") for hops in ("sh", "mh")),
    *(name for name, source in SOURCES.items() if source.family is EXAMPLES and not source.made),
)


def build(folder: Path, tasks: Sequence[str], seed: int) -> Dataset:
    """Rebuild the named published tasks; the same seed and source files give the same bytes.

    Args:
        folder: Holds the folders of source data that the tasks need: `mquake`, `banking77`, `clinc150`, `nlu_hwu64`,
            `trec`, `xquad_en`, `hotpotqa_sample`, `redial`.
        tasks: Names of published sources; none means `USUAL_TASKS`.
        seed: Of all choices.

    Raises:
        UnknownNameError: A task cannot be built.
        DataError: A source file is missing or malformed, or there is too little data for a size.
    """
    wanted = tuple(dict.fromkeys(tasks)) or USUAL_TASKS
    for task in wanted:
        if task not in BUILDERS:
            raise UnknownNameError("task to build", task, BUILDERS)
    histories: list[Keyed] = []
    origins: list[str] = []
    for builder in dict.fromkeys(BUILDERS[task] for task in wanted):
        made, origin = builder(folder, [task for task in wanted if BUILDERS[task] == builder], seed)
        histories.extend(made)
        origins.append(origin)
    histories.sort(key=lambda one: wanted.index(one.task))
    shared_names = Later(f"{__name__}.recommendations", "shared_names")
    return Dataset(
        benchmark=NAME,
        histories=tuple(histories),
        shared=shared_names(folder) if REDIAL in wanted else {},
        origin=f"built with seed {seed} from {', '.join(origins)}",
    )

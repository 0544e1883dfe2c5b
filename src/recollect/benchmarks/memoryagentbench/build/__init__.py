"""The published tasks rebuilt from source data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import UnknownNameError
from recollect.domain.histories import Keyed

Builder = Callable[[Path, Sequence[str], int], tuple[list[Keyed], str]]
"""(folder, tasks, seed) -> rows, and a word on what they were made from."""

USUAL_TASKS = (
    "factconsolidation_sh_6k",
    "factconsolidation_mh_6k",
    "factconsolidation_sh_32k",
    "factconsolidation_mh_32k",
    "icl_banking77_5900shot_balance",
    "icl_clinic150_7050shot_balance",
    "icl_nlu_8296shot_balance",
    "icl_trec_coarse_6600shot_balance",
    "icl_trec_fine_6400shot_balance",
)
"""What is built where no task is named."""


def build(folder: Path, tasks: Sequence[str], seed: int) -> Dataset:
    """The published tasks named, made anew; the same seed and source files give the same bytes.

    Args:
        folder: Holds the folders of source data that the tasks need: `mquake`, `banking77`, `clinc150`, `nlu_hwu64`,
            `trec`.
        tasks: Names of published sources; none means `USUAL_TASKS`.
        seed: Of all choices.

    Raises:
        UnknownNameError: A task cannot be built.
        DataError: A source file is missing or not what it should be, or there is too little for a size.
    """
    from recollect.benchmarks.memoryagentbench.histories import NAME

    builders = _builders()
    wanted = tuple(dict.fromkeys(tasks)) or tuple(USUAL_TASKS)
    for task in wanted:
        if task not in builders:
            raise UnknownNameError("task to build", task, builders)
    histories: list[Keyed] = []
    origins: list[str] = []
    for builder in dict.fromkeys(builders[task] for task in wanted):
        made, origin = builder(folder, [task for task in wanted if builders[task] is builder], seed)
        histories.extend(made)
        origins.append(origin)
    order = {task: place for place, task in enumerate(wanted)}
    histories.sort(key=lambda one: order[one.task])
    return Dataset(
        benchmark=NAME, histories=tuple(histories), origin=f"built with seed {seed} from {', '.join(origins)}"
    )


def _builders() -> dict[str, Builder]:
    from recollect.benchmarks.memoryagentbench.build.factconsolidation import build_facts
    from recollect.benchmarks.memoryagentbench.build.intents import CORPORA
    from recollect.benchmarks.memoryagentbench.build.mcc import build_examples
    from recollect.benchmarks.memoryagentbench.sources import FACT_SIZES, HOPS, fact_source

    facts = {fact_source(hops, size).name: build_facts for size in FACT_SIZES for hops in HOPS}
    return {**facts, **dict.fromkeys(CORPORA, build_examples)}

"""How a benchmark's tasks are made by models: the input of a pipeline, and the data set of its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recollect.contracts.benchmark import Dataset
from recollect.making.steps import Item, Loop, Pipeline, Rule, Sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How tasks are made by a model."""

    pipeline: Pipeline
    tasks: tuple[str, ...]
    items: Callable[[Path, Sequence[str]], Sequence[Item]]
    """(source, tasks) -> input of the pipeline."""
    dataset: Callable[[Sequence[Item], Mapping[str, Sight], int, str], Dataset]
    """(all items, results of those that were made, seed, fingerprint of the model) -> data set."""


class StepEstimate(NamedTuple):
    """Calls of one step, before anything is asked."""

    step: str
    parts: int
    calls: int


def estimate_steps(pipeline: Pipeline, items: Sequence[Item]) -> Iterator[StepEstimate]:
    """The most calls of each step; later steps have fewer parts where earlier ones gave less."""
    for stage in pipeline.stages:
        if isinstance(stage, Rule):
            continue
        parts = sum(stage.bound(item) for item in items)
        if isinstance(stage, Loop):
            checked, mended = parts * (stage.rounds + 1), parts * stage.rounds
            yield StepEstimate(stage.check.name, checked, checked * (1 + stage.check.repairs))
            yield StepEstimate(stage.mend.name, mended, mended * (1 + stage.mend.repairs))
        else:
            yield StepEstimate(stage.name, parts, parts * (1 + stage.repairs))

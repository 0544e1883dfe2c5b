"""Tasks that a model makes, as steps for `recollect.making`."""

from __future__ import annotations

from recollect.benchmarks.memoryagentbench.make.books import TASKS, dataset, items
from recollect.benchmarks.memoryagentbench.make.events import PIPELINE
from recollect.making.recipe import Recipe

EVENTS = Recipe(pipeline=PIPELINE, tasks=TASKS, items=items, dataset=dataset)
RECIPES = (EVENTS,)

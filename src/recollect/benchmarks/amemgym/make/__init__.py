"""Users that a model makes, as steps for `recollect.making`."""

from __future__ import annotations

from recollect.benchmarks.amemgym.histories import TASK
from recollect.benchmarks.amemgym.make.persons import items
from recollect.benchmarks.amemgym.make.pipeline import PIPELINE, dataset
from recollect.making.recipe import Recipe

USERS = Recipe(pipeline=PIPELINE, tasks=(TASK,), items=items, dataset=dataset)
RECIPES = (USERS,)

"""Users that a model makes, as steps for `recollect.making`.

Start at `pipeline`; `persons` says whom users are made of. The steps are, in the order of the calls, in `schemas`,
`periods`, `answers` and `queries`.
"""

from __future__ import annotations

from recollect.benchmarks.amemgym.histories import TASK
from recollect.benchmarks.amemgym.make.persons import items
from recollect.benchmarks.amemgym.make.pipeline import PIPELINE, dataset
from recollect.making.recipe import Recipe

RECIPES = (Recipe(pipeline=PIPELINE, tasks=(TASK,), items=items, dataset=dataset),)

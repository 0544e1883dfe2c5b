"""Cases that a model makes, as steps for `recollect.making`; and how two kinds of them become one history.

Start at `pipeline`. `sources` reads what cases are made of, `users` and `world` hold the steps of either kind,
`bundles` makes persons of their results, and `merge` gives cases about the world to persons.
"""

from __future__ import annotations

from recollect.benchmarks.subtlememory.make.pipeline import CASES

RECIPES = (CASES,)

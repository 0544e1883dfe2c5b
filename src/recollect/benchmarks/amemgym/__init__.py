"""AMemGym (Cheng et al. 2026): a user whose life changes talks with the system, which is asked after every period.

Read `card`, then `protocol` and `score`. `items` are the values of the published file and what they promise, and
`histories` makes episodes of them; `load` and `write` read and write the file, `generate` makes users by rules, `make`
has a model make them, and `users` plays them in dialogues.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.amemgym.card import CARD, FIGURES
from recollect.benchmarks.amemgym.users import USERS
from recollect.contracts.benchmark import Later, Statistics, packaged
from recollect.worlds.sizes import twinned

SIZES = twinned(("small", "base", "extra"))
BENCHMARK = replace(
    packaged(__name__, CARD),
    sizes=SIZES,
    users=USERS,
    statistics=Statistics(of=Later(f"{__name__}.statistics", "statistics"), paper=FIGURES),
    sheets=Later(f"{__name__}.sheets", "sheets"),
)

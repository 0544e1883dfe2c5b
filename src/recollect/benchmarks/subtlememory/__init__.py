"""SubtleMemory (Wang et al. 2026): statements that complete, qualify or contradict each other, in a long history.

Read `card`, then `protocol` and `score`. `items` are the values of the published files, and `histories` makes episodes
of them; `load` and `write` read and write the files, `generate` makes them by rules, `make` has a model make them.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.subtlememory.card import CARD
from recollect.benchmarks.subtlememory.generate.settings import KNOBS, SIZES
from recollect.benchmarks.subtlememory.tables import FIGURES
from recollect.contracts.benchmark import Later, Statistics, packaged

BENCHMARK = replace(
    packaged(__name__, CARD),
    sizes=tuple(SIZES.named),
    knobs=KNOBS,
    statistics=Statistics(of=Later(f"{__name__}.statistics", "statistics"), paper=FIGURES),
)

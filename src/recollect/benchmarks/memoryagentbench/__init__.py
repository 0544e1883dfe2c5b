"""MemoryAgentBench (Hu et al. 2026): eight families of tasks over one long context each. Start at `card`.

Then `families`, which say what the contexts, questions and scores of each task are; `load` and `write` for the
published rows; `protocol` for what is shown and when; `score` and `tables`. `generate` invents data, `build` rebuilds
the published tasks from their sources, `make` has a model write some.
"""

from __future__ import annotations

from dataclasses import replace

from recollect.benchmarks.memoryagentbench.card import CARD
from recollect.benchmarks.memoryagentbench.generate import ALL_SIZES
from recollect.contracts.benchmark import Later, packaged

BENCHMARK = replace(packaged(__name__, CARD), sizes=ALL_SIZES, build=Later(f"{__name__}.build", "build"))

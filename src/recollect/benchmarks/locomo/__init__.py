"""LoCoMo (Maharana et al. 2024): questions about very long conversations of two people; the data stay with the user."""

from __future__ import annotations

from recollect.benchmarks.locomo.card import CARD
from recollect.contracts.benchmark import packaged

BENCHMARK = packaged(__name__, CARD, generate="load")

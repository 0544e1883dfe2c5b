"""Your own data: two files of JSON lines, run, scored and reported like any benchmark."""

from __future__ import annotations

from recollect.benchmarks.own.card import CARD
from recollect.contracts.benchmark import packaged

BENCHMARK = packaged(__name__, CARD, generate="load")

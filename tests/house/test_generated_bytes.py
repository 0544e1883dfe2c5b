"""What a seed gives stays the same: small data of every generator has a pinned digest."""

from __future__ import annotations

from importlib import import_module

import pytest

from recollect.contracts.benchmark import Benchmark
from recollect.records.codec import encode
from recollect.records.digests import digest

PINNED: dict[tuple[str, str, int], str] = {
    ("amemgym", "small", 0): "r1:0a0afe5306df26d9fc5e2a78a2e76d8b",
    ("amemgym", "small-held-out", 3): "r1:181f10c67eb4e3f581848fe25f79993d",
    ("memoryagentbench", "small", 0): "r1:21f461d38ec07b03da8997fb7a9c4eda",
    ("memoryagentbench", "small-held-out", 2): "r1:0244d85e9162667c9577a478f81509df",
    ("subtlememory", "small", 0): "r1:481abad3547f89cd684e186eb50870b9",
    ("subtlememory", "small-held-out", 1): "r1:645500ca2b611fb9f213a76c2fe6f489",
    ("subtlememory", "small+distractors=0.4+gap_days=9", 3): "r1:617cfae2fa2613846836974246568016",
    ("subtlememory", "small+variants=4+clues=2+overlap=high", 2): "r1:7b3ccd93004b3297fdfb8b2a2e707689",
    (
        "subtlememory",
        "small+layout=authors+gap_sessions=0+gap_days=0+clues=1",
        4,
    ): "r1:e9bca3203f0779fecf213b0ccdcb6fd7",
}
"""Benchmark, size and seed -> digest. A change here is a new version of the benchmark and of its catalogue."""


@pytest.mark.parametrize(("name", "size", "seed"), PINNED)
def test_a_seed_gives_what_it_always_gave(name: str, size: str, seed: int) -> None:
    benchmark: Benchmark = import_module(f"recollect.benchmarks.{name}").BENCHMARK
    assert benchmark.generate is not None
    made = benchmark.generate(size, seed)
    assert digest([encode(made.histories), encode(made.shared)]) == PINNED[name, size, seed]

"""What one life is about: questions of domains that go together."""

from __future__ import annotations

from random import Random

from recollect.benchmarks.amemgym.generate.catalogue import read_catalogue
from recollect.benchmarks.amemgym.generate.plans import RIVALS, draw_plan
from recollect.benchmarks.amemgym.generate.settings import SIZES


def test_no_life_has_two_domains_that_exclude_each_other() -> None:
    """Over many seeds; each domain of a rivalry is still met with."""
    met = set()
    for seed in range(300):
        plan = draw_plan(read_catalogue(), SIZES.settings("base"), Random(seed))
        domains = {domain.domain for domain in plan.domain_of.values()}
        met |= domains
        assert all(len(domains & rivals) < 2 for rivals in RIVALS), seed
    assert all(rivals <= met for rivals in RIVALS)

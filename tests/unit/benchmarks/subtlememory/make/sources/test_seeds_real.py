"""The published development set of FanOutQA, and neighbours in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recollect.benchmarks.subtlememory.make.settings import WorldSettings
from recollect.benchmarks.subtlememory.make.sources.files import Seeds, read_seeds
from recollect.benchmarks.subtlememory.make.sources.neighbours import neighbours
from recollect.benchmarks.subtlememory.make.sources.tasks import world_tasks
from recollect.text.normal import normalise

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def found() -> Seeds:
    folder = os.environ.get("RECOLLECT_DATA")
    if not folder:
        pytest.skip("RECOLLECT_DATA names no folder with the source data")
    return read_seeds(Path(folder) / "fanoutqa")


def test_every_record_has_five_linked_items(found: Seeds) -> None:
    """232 questions, as the data's own read-me counts them."""
    assert (found.records, dict(found.unfit), len(found.seeds)) == ({"fanoutqa": 232}, {}, 232)
    assert min(len(seed.evidence) for seed in found.seeds) == 5


def test_a_known_record_is_read_whole(found: Seeds) -> None:
    """Life expectancies, as the file says them."""
    seed = next(one for one in found.seeds if one.name == "c5a093133acd74a9")
    assert [one.accepted[0] for one in seed.evidence[1:]] == ["72.76", "78.6", "76.1", "83.8", "77.76"]
    assert seed.evidence[1].asked == "What is the life expectancy at birth in Russia?"


def test_neighbours_are_of_other_seeds_and_answer_otherwise(found: Seeds) -> None:
    near = neighbours(found.seeds, found.seeds, most=3)
    assert sum(len(several) == 3 for several in near.values()) >= 0.95 * len(found.seeds)
    for seed in found.seeds:
        own = {normalise(text) for one in seed.evidence for text in one.accepted}
        assert not own & {normalise(text) for one in near[seed.key] for text in one.accepted}


def test_a_draw_of_ten_is_the_same_each_time(found: Seeds) -> None:
    tasks = world_tasks(found.seeds, WorldSettings(cases=10))
    assert len(tasks) == 10
    assert tasks == world_tasks(tuple(reversed(found.seeds)), WorldSettings(cases=10))

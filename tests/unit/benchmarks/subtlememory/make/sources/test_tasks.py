"""What goes into the steps: an even draw, who makes claims, kinds of talk; and the settings beside the seeds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from recollect.benchmarks.subtlememory.items import SUBTYPES, TYPES
from recollect.benchmarks.subtlememory.make.relations import kinds
from recollect.benchmarks.subtlememory.make.settings import WORLD_CONFIG, WorldSettings, read_settings
from recollect.benchmarks.subtlememory.make.sources.files import read_seeds
from recollect.benchmarks.subtlememory.make.sources.tasks import draw, world_items, world_tasks
from recollect.domain.errors import DataError, RecollectError

from tests.unit.benchmarks.subtlememory.make.world_seeds import write_all


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("sources"), 4)


def test_seeds_are_drawn_evenly_over_relations_and_then_over_their_sub_types(folder: Path) -> None:
    """Of 24 seeds twelve: four of each relation, of nuanced ones two of each sub-type, as of complementary ones."""
    drawn = draw(read_seeds(folder).seeds, WorldSettings(cases=12))
    assert Counter(SUBTYPES[seed.subtype] for seed in drawn) == {"complementary": 4, "nuanced": 4, "contradictory": 4}
    assert Counter(seed.subtype for seed in drawn) == {
        "K>1": 2,
        "any_one": 2,
        "Temporal": 2,
        "Context": 2,
        "contradictory": 4,
    }


def test_a_relation_that_has_too_few_leaves_its_share_to_others(folder: Path) -> None:
    seeds = [seed for seed in read_seeds(folder).seeds if seed.subtype != "contradictory"]
    assert len(draw(seeds, WorldSettings(cases=15))) == 15


def test_claims_are_dealt_evenly_to_user_and_assistant(folder: Path) -> None:
    tasks = world_tasks(read_seeds(folder).seeds, WorldSettings())
    counts = Counter(task.subtype for task in tasks if task.seed.subtype == "contradictory")
    assert set(counts) == {"a_user_vs_user", "b_user_vs_non_user", "c_non_user_vs_non_user"}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_each_session_chooses_from_four_kinds_that_no_other_has_before_all_were_had(folder: Path) -> None:
    """Ten kinds, three sessions: twelve places."""
    for task in world_tasks(read_seeds(folder).seeds, WorldSettings()):
        assert [len({kind for kind, _ in pairs}) for pairs in task.candidates] == [4, 4, 4]
        used = Counter(kind for pairs in task.candidates for kind, _ in pairs)
        assert set(used) == set(TYPES)
        assert all(flow in kinds()[kind].flows for pairs in task.candidates for kind, flow in pairs)


def test_only_what_can_have_distractors_gets_neighbours(folder: Path) -> None:
    found = {task.seed.subtype: len(task.neighbours) for task in world_tasks(read_seeds(folder).seeds, WorldSettings())}
    assert found == {"K>1": 3, "any_one": 3, "Temporal": 0, "Context": 0, "contradictory": 0}


def test_items_are_named_by_their_seeds_and_the_same_each_time(folder: Path) -> None:
    assert world_items(folder) == world_items(folder)
    assert [item.key for item in world_items(folder)] == sorted(item.data.seed.key for item in world_items(folder))


def test_settings_lie_beside_the_seeds(folder: Path, tmp_path: Path) -> None:
    assert read_settings(WorldSettings, folder / WORLD_CONFIG) == WorldSettings()
    source = write_all(tmp_path / "few", 2)
    (source / "world.json").write_text(json.dumps({"cases": 3, "neighbours": 1}))
    items = world_items(source)
    assert (len(items), max(len(item.data.neighbours) for item in items)) == (3, 1)


@pytest.mark.parametrize(
    ("said", "told"),
    [("{", "cannot be read"), ('{"cases": -1}', "`cases` must be 0 or more"), ('{"case": 1}', "case")],
)
def test_settings_that_are_none_are_refused(tmp_path: Path, said: str, told: str) -> None:
    (tmp_path / "world.json").write_text(said)
    with pytest.raises(RecollectError, match=told):
        read_settings(WorldSettings, tmp_path / WORLD_CONFIG)


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(ValueError, match="start must lie before end"):
        WorldSettings(start="2025-04-01", end="2025-04-01")


def test_what_is_wrong_with_seeds_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "dev.json").write_text('[{"question": "", "decomposition": 3}]')
    with pytest.raises(DataError, match=r"dev\.json:1"):
        world_items(tmp_path)

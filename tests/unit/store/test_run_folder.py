"""Plans, parts and differences of configs, as a run folder has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import DataError
from recollect.engine.selection import shard
from recollect.store.locks import hold
from recollect.store.run_folder import Planned, RunFolder, config_differences, share_of

rows = st.lists(
    st.fixed_dictionaries(
        {"label": st.sampled_from("abcd"), "system": st.dictionaries(st.sampled_from("xy"), st.integers(0, 2))}
    ),
    max_size=4,
    unique_by=lambda row: str(row["label"]),
)
configs = st.fixed_dictionaries(
    {"seed": st.integers(0, 1), "rows": rows, "memories": st.lists(st.sampled_from("ab"), max_size=1)}
)


@given(old=configs, new=configs)
def test_two_configs_differ_exactly_where_something_is_told(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Nothing that differs is passed over, whatever the rows tell."""
    assert bool(list(config_differences(old, new))) is (old != new)


def test_rows_are_told_by_label_and_setting() -> None:
    old = [{"label": "a", "system": {"config": {"k": 1}}}, {"label": "b", "system": {"source": "r1:0"}}]
    new = [{"label": "b", "system": {"source": "r1:1"}}, {"label": "c", "system": {}}]
    told = list(config_differences({"rows": old, "memories": ["a"]}, {"rows": new, "memories": ["c"]}))
    assert told == ["row `a` removed", "row `b` changed: its file was edited", "row `c` added"]


def test_what_rows_are_made_of_is_told_where_the_rows_agree() -> None:
    told = list(config_differences({"rows": [], "memories": ["a"]}, {"rows": [], "memories": []}))
    assert told == ['`memories` was ["a"], now []']


def test_a_plan_grows_and_is_read_as_older_versions_wrote_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    (tmp_path / "plan.json").write_text('{"r1:a": 3}')
    assert folder.planned() == {"r1:a": Planned(3)}
    folder.write_plan({"r1:b": Planned(2, "bm25")})
    assert folder.planned() == {"r1:a": Planned(3), "r1:b": Planned(2, "bm25")}
    folder.write_plan({"r1:a": Planned(3, "full")})
    assert folder.planned()["r1:a"].row == "full"


@pytest.mark.parametrize("plan", ['{"a": null}', '{"a": {"records": 1, "more": 2}}', '{"a": "x"}'])
def test_a_file_that_is_no_plan_is_named(plan: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(plan)
    with pytest.raises(DataError, match=r"plan\.json: no plan of trials"):
        RunFolder(tmp_path).planned()


def test_a_folder_knows_its_parts_until_the_whole_is_run_in_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    assert folder.parts() == frozenset()
    for part in ((1, 2), (12, 30)):
        with hold(folder.lock(part), "test"):
            pass
    assert folder.parts() == {(1, 2), (12, 30)}
    with hold(folder.lock(None), "test"):
        assert folder.parts() == frozenset()


def test_the_share_of_a_part_is_what_the_engine_picks(tmp_path: Path) -> None:
    from recollect.engine.plan import Trial

    from tests.fakes import toy_systems as toy
    from tests.fakes.harness import Harness, memory_row

    labels = [memory_row(toy.ToyMemory, toy.TOY, label=f"row {number}") for number in range(4)]
    trials: list[Trial] = Harness(tmp_path).trials("observe_all", *labels)
    names = [trial.trial_id for trial in trials]
    for number in (1, 2, 3):
        assert share_of(names, (number, 3)) == {trial.trial_id for trial in shard(trials, number, 3)}


def test_a_plan_is_stored_with_the_row_of_each_trial(tmp_path: Path) -> None:
    RunFolder(tmp_path).write_plan({"r1:a": Planned(3, "full")})
    assert json.loads((tmp_path / "plan.json").read_text()) == {"r1:a": {"records": 3, "row": "full"}}

"""What `--over` varies: which runs it takes, that none of them is there twice, and what is refused."""

from __future__ import annotations

import pytest

from recollect.domain.errors import ConfigError, UnknownNameError
from recollect.runs.setup.axes import Axes, axes_of
from recollect.runs.setup.config import RunConfig, SystemChoice

AWE = SystemChoice(name="awe", settings={"memory": "files"})
BASE = RunConfig(benchmark="amemgym", agents=(AWE,), references=False)
"""By its defaults `awe` has freq 2, ns 4 and topk 30."""
BESIDE = RunConfig(benchmark="amemgym", agents=(AWE, SystemChoice(name="awi")), references=False)


def axes(*over: str, base: RunConfig = BASE, cross: bool = False) -> Axes:
    return axes_of(over, base, "k", cross=cross)


def folders(made: Axes) -> list[str]:
    return [value.folder for value in made.runs]


def test_one_setting_at_a_time_shares_the_run_in_which_nothing_is_changed() -> None:
    made = axes("awe.freq=2,4", "awe.topk=30,1")
    assert folders(made) == ["k-base", "k-awe.freq=4", "k-awe.topk=1"]
    assert [axis.setting for axis in made.axes] == ["awe.freq", "awe.topk"]
    assert [value.label for value in made.axes[1].values] == ["30", "1"]
    assert made.name == "awe.freq+awe.topk"


def test_every_combination_is_a_run_and_shares_those_of_one_at_a_time() -> None:
    made = axes("awe.freq=2,4", "awe.topk=30,1", cross=True)
    assert set(folders(made)) == {"k-base", "k-awe.freq=4", "k-awe.topk=1", "k-awe.freq=4,topk=1"}
    (axis,) = made.axes
    assert [(value.label, value.named) for value in axis.values] == [
        ("2", "awe(topk=30)"), ("4", "awe(topk=30)"), ("2", "awe(topk=1)"), ("4", "awe(topk=1)"),
    ]  # fmt: skip
    assert (axis.setting, axis.crossed) == ("awe.freq", ("awe.topk",))


def test_a_run_shared_by_two_ways_of_asking_has_one_config() -> None:
    """Else the second way would be refused: the folder is there, under another config."""
    first = {value.folder: value.config for value in axes("awe.freq=2,4", "awe.topk=30,1").runs}
    second = {value.folder: value.config for value in axes("awe.freq=4,2", "awe.topk=1,30", cross=True).runs}
    assert first == {name: second[name] for name in first}


def test_a_changed_value_runs_the_varied_row_alone_under_a_name_of_its_own() -> None:
    """Rows that do not have the setting would only be run again."""
    made = axes("awe.freq=4", base=BESIDE)
    base, four = made.runs
    assert (base.folder, base.config) == ("k-base", BESIDE)
    assert four.config.agents == (SystemChoice(name="awe", settings={"memory": "files", "freq": 4}, label="awe"),)
    assert not four.config.references
    assert made.axes[0].base_row == "awe(memory=files)"


def test_without_other_rows_the_base_is_run_only_if_it_is_asked_for() -> None:
    assert folders(axes("awe.freq=4,8")) == ["k-awe.freq=4", "k-awe.freq=8"]
    assert folders(axes("awe.freq=4,8", base=RunConfig(benchmark="amemgym", agents=(AWE,))))[0] == "k-base"


def test_a_setting_that_the_base_has_already_is_varied_around_it() -> None:
    base = RunConfig(benchmark="amemgym", references=False, agents=(SystemChoice(name="awe", settings={"freq": 4}),))
    made = axes("awe.freq=2,4", "awe.topk=1", base=base)
    assert folders(made) == ["k-awe.freq=2", "k-base", "k-awe.topk=1"]
    assert made.runs[2].config.agents[0].settings == {"freq": 4, "topk": 1}


def test_memories_have_settings_too() -> None:
    base = RunConfig(benchmark="own", references=False, memories=(SystemChoice(name="window"),))
    made = axes("window.tokens=50,70", base=base)
    assert [value.config.memories[0].settings for value in made.runs] == [{"tokens": 50}, {"tokens": 70}]


def test_settings_of_the_run_are_varied_as_before() -> None:
    made = axes("search_limit=2,5")
    assert folders(made) == ["k-search_limit=2", "k-search_limit=5"]
    assert made.rest is None
    assert made.name == "search_limit"


def test_settings_of_the_run_are_crossed_with_the_others_in_the_rows_names() -> None:
    made = axes("preset=soft,standard", "search_limit=2,5", cross=True)
    (axis,) = made.axes
    assert (axis.setting, axis.crossed, made.name) == ("preset", ("search_limit",), "preset-x-search_limit")
    assert [(value.label, value.suffix) for value in axis.values] == [
        ("soft", "(search_limit=2)"), ("standard", "(search_limit=2)"),
        ("soft", "(search_limit=5)"), ("standard", "(search_limit=5)"),
    ]  # fmt: skip
    assert [(value.config.preset, value.config.search_limit) for value in made.runs][:2] == [
        ("soft", 2),
        ("standard", 2),
    ]
    assert folders(made)[0] == "k-preset=soft,search_limit=2"


def test_a_preset_is_a_setting_by_itself_too() -> None:
    assert [value.config.preset for value in axes("preset=soft,standard").runs] == ["soft", "standard"]


WRONG = [
    (("preset=soft", "search_limit=1"), False, "one setting at a time, or all combinations with `--cross`"),
    (("preset=soft", "task=a"), True, "`task` is no setting to cross"),
    (("preset=soft", "search_limit=0,1"), True, "`search_limit` starts at 1"),
    (("awe.freq=2", "search_limit=3"), False, "one of the two at a time"),
    (("awe.freq=2,2",), False, "`awe.freq`: `2` is repeated"),
    (("awe.freq=",), False, "`awe.freq` has no values"),
    (("awe.freq=1,x",), False, "freq starts at 2, got 1"),
    (("awe.fre=1",), False, "unknown key `fre`"),
    (("search_limit=1",), True, "crosses settings of systems"),
    (("awe.freq=2", "awi.freq=2"), True, "of one row, not of awe and awi"),
]


@pytest.mark.parametrize(("over", "cross", "said"), WRONG, ids=lambda one: one[0] if isinstance(one, tuple) else None)
def test_what_cannot_be_varied_is_refused_with_the_reason(over: tuple[str, ...], cross: bool, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        axes(*over, base=BESIDE, cross=cross)


def test_all_wrong_values_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as told:
        axes("awe.freq=1,x", "awe.topk=0")
    assert len(told.value.problems) == 3


def test_an_unknown_row_is_named_and_so_are_two_of_one_name() -> None:
    with pytest.raises(UnknownNameError, match="`awi`"):
        axes("aw.freq=2", base=BESIDE)
    twice = RunConfig(benchmark="amemgym", agents=(AWE, SystemChoice(name="awe")))
    with pytest.raises(ConfigError, match="is the name of 2 rows"):
        axes("awe.freq=2", base=twice)

"""The authors' configurations; their values are those of `configs/env/v1.base.json` and `v1.extra.json`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.card import CARD
from recollect.benchmarks.amemgym.settings import BASE, EXTRA, EnvConfig, read_config
from recollect.domain.errors import DataError

from tests.unit.benchmarks.amemgym.lives import write_config


def written(folder: Path, data: Any) -> Path:
    file = folder / "v1.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_the_two_configurations_differ_in_four_numbers() -> None:
    names = ("num_periods", "num_states_per_question", "num_rounds_init", "num_rounds_update")
    assert [getattr(BASE, name) for name in names] == [10, 2, 1, 2]
    assert [getattr(EXTRA, name) for name in names] == [20, 3, 2, 5]
    assert replace(EXTRA, **{name: getattr(BASE, name) for name in names}) == BASE


@pytest.mark.parametrize("config", [BASE, EXTRA], ids=["base", "extra"])
def test_a_configuration_comes_back_from_its_file(config: EnvConfig, tmp_path: Path) -> None:
    write_config(config, tmp_path / "v1.json")
    assert read_config(tmp_path / "v1.json") == config


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    file = written(
        tmp_path, {"seed": 7, "note": [1], "llm_config_low_temp": {"llm_model": "m", "temperature": 0, "k": 1}}
    )
    config = read_config(file)
    assert (config.seed, config.extra, config.llm_config_low_temp.extra) == (7, {"note": [1]}, {"k": 1})


def test_what_is_not_said_is_as_in_the_base_configuration(tmp_path: Path) -> None:
    assert read_config(written(tmp_path, {"lang": "zh"})) == replace(BASE, lang="zh")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "no JSON object"),
        ({"num_periods": 0}, "`num_periods`: starts at 1"),
        ({"lang": "fr"}, "`lang`"),
        ({"num_choices_per_state": 2, "num_states_per_question": 1}, "combine in 2 ways only"),
        ({"start_date": "October"}, "`start_date`"),
        ({"llm_config_low_temp": {"llm_model": "m", "temperature": 0, "api_key": "x"}}, "a secret"),
    ],
    ids=["list", "zero", "language", "too-few", "date", "secret"],
)
def test_a_wrong_configuration_is_refused_with_its_field(data: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said):
        read_config(written(tmp_path, data))


def test_the_presets_talk_as_long_as_the_configurations() -> None:
    def rounds(config: EnvConfig) -> dict[str, str]:
        return {"rounds_init": str(config.num_rounds_init), "rounds_update": str(config.num_rounds_update)}

    for name, config in (("standard", BASE), ("paper", BASE), ("extra", EXTRA)):
        assert rounds(config).items() <= CARD.presets[name].steps_for("overall").extra.items()

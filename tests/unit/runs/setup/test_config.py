"""Settings that are not what they should be are told without words of a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.domain.errors import ConfigError
from recollect.runs.setup.config import ModelChoice, resolve
from recollect.runs.setup.models import settings_of


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("benchmark: own\nmemories: bm25\n", "`memories`: must be a list, got 'bm25'", id="a list"),
        pytest.param("memories: [bm25]\n", "`benchmark` is missing", id="missing"),
        pytest.param("benchmark: own\nlimit: many\n", "`limit`: must be a whole number, got 'many'", id="a number"),
        pytest.param("benchmark: own\nreferences: maybe\n", "`references`: must be true or false", id="a boolean"),
        pytest.param("benchmark: own\nlimit: x\nreadr: y\n", "unknown key `readr` (did you mean", id="beside"),
    ],
)
def test_a_config_is_told_plainly(tmp_path: Path, text: str, told: str) -> None:
    """All problems at once, also an unknown key beside a value that cannot be read."""
    file = tmp_path / "run.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        resolve(file, {})
    assert told in str(raised.value)
    assert "Input should" not in str(raised.value)


def test_a_misspelt_setting_of_a_model_is_offered_right() -> None:
    """Both that it is unknown and what is missing for it."""
    with pytest.raises(ConfigError) as raised:
        settings_of("reader", ModelChoice(name="openai", settings={"modle": "x"}))
    assert "did you mean `model`?" in str(raised.value)
    assert "`model` is missing" in str(raised.value)


def test_a_file_may_name_systems_and_models_as_the_command_line_does(tmp_path: Path) -> None:
    """The same text means the same."""
    file = tmp_path / "run.yaml"
    file.write_text("benchmark: own\nmemories: ['window:tokens=300']\nreader: 'openai:model=m'\n", encoding="utf-8")
    config, _ = resolve(file, {})
    assert config.memories[0].settings == {"tokens": 300}
    assert config.reader == ModelChoice(name="openai", settings={"model": "m"})

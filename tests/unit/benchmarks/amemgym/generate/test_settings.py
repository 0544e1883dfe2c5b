"""Settings of the generator, and how they follow from the authors' configuration."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.benchmarks.amemgym.generate.settings import SIZES, GenerationSettings, settings_of
from recollect.benchmarks.amemgym.settings import BASE, EnvConfig


def test_the_defaults_are_the_authors_base_configuration() -> None:
    """Said in two modules, so held together here."""
    assert settings_of(BASE) == GenerationSettings() == SIZES.settings("base")


def test_a_configuration_file_of_the_authors_can_be_taken() -> None:
    """Fields for a model have no meaning here; ours come on top."""
    found = settings_of(EnvConfig(num_periods=6, exclude_ids=("a",)), held_out=True)
    assert (found.num_periods, found.exclude_ids, found.held_out) == (6, ("a",), True)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        pytest.param({"lang": "zh"}, "speaks English", id="chinese"),
        pytest.param({"num_questions": 0}, "num_questions must be >= 1", id="no-questions"),
        pytest.param({"num_states_per_question": 4}, "must be 2 or 3", id="four-states"),
        pytest.param({"min_state_variants": 8}, "min_state_variants must be <=", id="more-least-than-most"),
        pytest.param({"start_date": "1 May"}, "Invalid isoformat", id="no-date"),
    ],
)
def test_what_cannot_be_made_is_refused(changed: dict[str, Any], problem: str) -> None:
    """With the name of the setting."""
    with pytest.raises(ValueError, match=problem):
        GenerationSettings(**changed)

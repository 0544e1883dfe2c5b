"""What runs come to does not change unnoticed: identities, records, exit codes and the JSON of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.runs import PINS, carried_out, lines

PINNED: dict[str, Any] = json.loads(PINS.read_text(encoding="utf-8"))
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("golden")


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Any]:
    return carried_out(folder)


def test_identities_and_records_of_golden_runs_stay(found: dict[str, Any]) -> None:
    """Where a change is meant, `python -m tests.golden.runs` pins the new ones."""
    assert found["runs"] == PINNED["runs"]


def test_exit_codes_errors_and_json_of_golden_commands_stay(found: dict[str, Any], folder: Path) -> None:
    assert list(found["commands"]) == lines()
    differ = {line: told for line, told in found["commands"].items() if told != PINNED["commands"].get(line)}
    assert not differ, f"the JSON that was printed now is in {folder / 'said'}"

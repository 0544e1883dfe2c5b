"""Whose format data have is told by their files' names."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.runs.data.datasets import format_of


@pytest.mark.parametrize(
    ("file", "format_"),
    [
        pytest.param("sessions.jsonl", "own", id="own"),
        pytest.param("data.json", "amemgym", id="amemgym"),
        pytest.param("v1.base/data.json", "amemgym", id="amemgym-published"),
        pytest.param("locomo10.json", "locomo", id="locomo"),
        pytest.param("rows.parquet", "memoryagentbench", id="memoryagentbench"),
        pytest.param("history_sessions.json", "subtlememory", id="subtlememory-one-person"),
        pytest.param("data/persona_0/history_sessions.json", "subtlememory", id="subtlememory-at-any-depth"),
        pytest.param("persona_0/bench_instances.json", "subtlememory", id="subtlememory-half"),
    ],
)
def test_a_folder_is_known_by_the_files_in_it(file: str, format_: str, tmp_path: Path) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("[]", encoding="utf-8")
    assert format_of(tmp_path) == format_


@pytest.mark.parametrize("name", ["history_sessions.json", "bench_instances.json"])
def test_one_file_of_a_person_is_enough(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("[]", encoding="utf-8")
    assert format_of(tmp_path / name) == "subtlememory"

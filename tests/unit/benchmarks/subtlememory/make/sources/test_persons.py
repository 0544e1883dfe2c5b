"""Persons come from a file each, from lists and from lines; what is wrong is told all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.make.settings import MakeSettings
from recollect.benchmarks.subtlememory.make.sources.persons import items
from recollect.domain.errors import DataError

from tests.unit.benchmarks.subtlememory.make.persona_files import folder_of, person

ROWS = [person(number, 6) for number in range(3)]


def written(path: Path, data: Any, *, lines: bool = False) -> Path:
    text = "".join(f"{json.dumps(row)}\n" for row in data) if lines else json.dumps(data)
    path.write_text(text, encoding="utf-8")
    return path


def test_one_file_each_a_list_lines_and_a_map_of_ids_say_the_same(tmp_path: Path) -> None:
    whole = items(folder_of(tmp_path / "each", 3, 6))
    assert [item.key for item in whole] == ["0", "14", "7"]
    assert [(item.data.number, item.data.persons) for item in whole] == [(0, 3), (1, 3), (2, 3)]
    bare = {row["persona_id"]: {name: told for name, told in row.items() if name != "persona_id"} for row in ROWS}
    for source in (
        written(tmp_path / "list.json", ROWS),
        written(tmp_path / "lines.jsonl", ROWS, lines=True),
        written(tmp_path / "map.json", bare),
    ):
        assert items(source) == whole


def test_a_person_without_an_id_is_named_after_its_file(tmp_path: Path) -> None:
    """Files of PersonaMem-v2 are named so, and hold no id."""
    bare = {name: told for name, told in ROWS[0].items() if name != "persona_id"}
    (tmp_path / "raw").mkdir()
    written(tmp_path / "raw" / "interactions_250831_persona334.json", bare)
    written(tmp_path / "raw" / "somebody.json", bare)
    assert [item.key for item in items(tmp_path / "raw")] == ["334", "somebody"]


def test_what_the_authors_drop_is_dropped_what_is_private_is_not_shown_and_all_else_is_kept(tmp_path: Path) -> None:
    profile = json.loads(items(folder_of(tmp_path, 1))[0].data.profile)
    assert sorted(profile) == ["age", "favourite_field_of_nobody", "name", "persona_id", "short_persona"]


def test_preferences_keep_their_lists_and_are_there_once(tmp_path: Path) -> None:
    row = {**person(0, 6), "neutral_preferences": ["Drinks tea", {"preference": " Drinks  tea. "}, {"text": "Sings"}]}
    (item,) = items(written(tmp_path / "one.json", row))
    told = [(one.text, one.kind) for one in item.data.preferences if one.kind == "neutral_preferences"]
    assert told == [("Drinks tea", "neutral_preferences"), ("Sings", "neutral_preferences")]
    names = [one.preference_id for one in item.data.preferences]
    assert len(set(names)) == len(names)
    assert all(len(name) == 12 for name in names)


def test_every_problem_of_every_file_is_told_with_its_place(tmp_path: Path) -> None:
    written(tmp_path / "a.json", [ROWS[0], "nobody", {**ROWS[1], "neutral_preferences": "tea"}])
    written(tmp_path / "b.json", {"persona_id": "0", "name": "x", "stereotypical_preferences": [""]})
    written(tmp_path / "c.json", {"persona_id": "9", "name": "y"})
    (tmp_path / "d.jsonl").write_text("{}{}\n")
    with pytest.raises(DataError) as caught:
        items(tmp_path)
    said = str(caught.value)
    for told in (
        'a.json[1]: it is "nobody"',
        'a.json[2].neutral_preferences: it is "tea", and should be a list',
        "b.json: persona_id `0` is there twice, first in a.json[0]",
        'b.json.stereotypical_preferences[0]: it is ""',
        "c.json: it has none of",
        "d.jsonl:1: it is no JSON",
    ):
        assert told in said


def test_a_folder_without_persons_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no persons"):
        items(tmp_path)


def test_the_configuration_is_read_and_every_problem_of_it_told(tmp_path: Path) -> None:
    (item,) = items(folder_of(tmp_path / "sound", 1, preferences=3, seed=7, layout="authors"))
    assert item.data.settings == MakeSettings(preferences=3, seed=7, layout="authors")
    for wrong in ({"questions": 9}, {"preferences": -1}, {"prefrences": 3}, {"start": "soon"}, {"gap_days": -2}):
        with pytest.raises(DataError, match=r"config\.json"):
            items(folder_of(tmp_path / "wrong", 1, **wrong))

"""Files of users: what is read, what is refused and how that is said."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.amemgym.load import load
from recollect.domain.errors import DataError

from tests.unit.benchmarks.amemgym.lives import MINI, rows
from tests.unit.benchmarks.amemgym.test_items import no_gold, second_gold, strange_value, wrong_count


def written(folder: Path, data: Any, name: str = "data.json") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return file


def test_a_file_its_folder_and_the_published_folders_are_the_same(tmp_path: Path) -> None:
    inner = tmp_path / "v1.base" / "data.json"
    inner.parent.mkdir()
    inner.write_bytes(MINI.read_bytes())
    assert load(inner) == load(inner.parent) == load(tmp_path) == load(MINI)


def test_each_user_is_a_history_and_the_origin_is_the_digest_of_the_file() -> None:
    found = load(MINI)
    assert [one.original_id for one in found.histories] == ["u-001", "u-002"]
    assert found.origin == f"file sha256:{sha256(MINI.read_bytes()).hexdigest()[:16]}"


def test_a_mark_before_the_text_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_bytes(b"\xef\xbb\xbf" + MINI.read_bytes())
    assert load(file).histories == load(MINI).histories


@pytest.mark.parametrize("change", [second_gold, no_gold])
def test_two_right_answers_or_none_are_refused(change: Any, tmp_path: Path) -> None:
    row = rows()[0]
    change(row)
    with pytest.raises(DataError, match=r"user `u-001`.*question 0") as caught:
        load(written(tmp_path, [row]))
    assert str(tmp_path / "data.json") in str(caught.value)
    assert "mend the file" in str(caught.value)


def test_problems_of_all_users_come_at_once(tmp_path: Path) -> None:
    first, second = rows()
    strange_value(first)
    second["user_profile"]["age"] = None
    with pytest.raises(DataError, match="2 problems") as caught:
        load(written(tmp_path, [first, second, 3][:2]))
    assert "u-001" in str(caught.value)
    assert "u-002" in str(caught.value)


def test_what_is_odd_and_changes_no_score_is_told_by_the_origin(tmp_path: Path) -> None:
    row = rows()[0]
    wrong_count(row)
    origin = load(written(tmp_path, [row])).origin
    assert "one thing that changes no score, such as user `u-001`, period 1: `update_cnts`" in origin


def test_a_user_that_is_there_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\[1\]: user `u-001` is there twice, first in \[0\]"):
        load(written(tmp_path, [rows()[0], rows()[0]]))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is not JSON"),
        (b"\x00\xff", "it is not JSON in UTF-8"),
        (b"{}", "it is no list of users"),
        (b"[]", "it is no list of users"),
        (b"[1, 2", "it is not JSON"),
        (b"[3]", r"\[0\]: it is no object"),
        (b"[NaN]", "it is not JSON"),
        (b'["\\ud800"]', "half a character"),
        (b"[" * 100_000, "it is not JSON"),
    ],
    ids=["empty", "bytes", "object", "nobody", "torn", "number", "nan", "surrogate", "deep"],
)
def test_a_file_that_holds_no_users_is_refused_by_name(data: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "junk.json"
    file.write_bytes(data)
    with pytest.raises(DataError, match=said) as caught:
        load(file)
    assert "junk.json" in str(caught.value)


def test_a_folder_without_the_file_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"neither `data.json` nor `v1.base/data.json`"):
        load(tmp_path)


def test_a_file_that_is_not_there_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path / "nothing.json")

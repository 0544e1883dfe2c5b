"""What was loaded or made is written so that it comes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.items import Bundle
from recollect.benchmarks.subtlememory.load import bundles_of, load
from recollect.benchmarks.subtlememory.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError

from tests.unit.benchmarks.subtlememory.bundles import bundle, bytes_below, folder_of, put, rows_of, some_bundles


def there_and_back(dataset: Dataset) -> tuple[Dataset, dict[str, bytes]]:
    with TemporaryDirectory() as folder:
        write(dataset, Path(folder) / "out")
        return load(Path(folder) / "out"), bytes_below(Path(folder) / "out")


@given(some_bundles())
def test_what_was_made_comes_back_with_its_origin(bundles: tuple[Bundle, ...]) -> None:
    made = dataset_of(bundles, "made by hand, seed 3")
    again, files = there_and_back(made)
    assert again == made
    assert there_and_back(again) == (again, files)
    with TemporaryDirectory() as folder:
        write(made, Path(folder))
        assert bundles_of(Path(folder)).bundles == bundles


@given(some_bundles(), st.booleans())
def test_files_in_the_published_form_come_back_byte_for_byte(bundles: tuple[Bundle, ...], escaped: bool) -> None:
    """Two spaces a level, sorted keys, a line's end; signs beyond ASCII as they were, escaped or not."""
    with TemporaryDirectory() as folder:
        dataset = load(folder_of(Path(folder), *bundles, ascii_only=escaped))
        assert dataset.origin.startswith("files sha256:")
        again, files = there_and_back(dataset)
        assert files == bytes_below(Path(folder))
        assert again == dataset


def _in_another_order(talks: Any, asked: Any) -> None:
    talks.reverse()
    asked.reverse()


def _with_fields_more(talks: Any, asked: Any) -> None:
    talks[0]["mood"] = {"b": [1, 2.5, None], "a": "ü"}
    asked[0]["qas"][0]["weight"] = True


def _with_parts(talks: Any, asked: Any) -> None:
    del asked
    talks[0]["history"][0]["content"] = ["One.", {"type": "text", "text": "Two."}]


def _without_order(talks: Any, asked: Any) -> None:
    del asked
    for row in talks:
        del row["order"]


@pytest.mark.parametrize("change", [_in_another_order, _with_fields_more, _with_parts, _without_order])
def test_so_do_files_with_oddities(change: Callable[[Any, Any], None], tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    change(talks, asked)
    put(tmp_path / "persona_0", talks, asked)
    dataset = load(tmp_path)
    again, files = there_and_back(dataset)
    assert files == bytes_below(tmp_path)
    assert again == dataset


def test_files_in_another_form_keep_their_rows_and_their_origin(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    for name, rows in (("history_sessions", talks), ("bench_instances", asked)):
        (tmp_path / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    dataset = load(tmp_path)
    assert there_and_back(dataset)[0] == dataset


def test_each_person_is_a_history_named_by_its_folder(tmp_path: Path) -> None:
    dataset = load(folder_of(tmp_path, bundle(0), bundle(1)))
    assert [one.original_id for one in dataset.histories] == ["persona_0", "persona_1"]
    assert dataset.benchmark == "subtlememory"


def test_the_origin_stands_in_a_field_of_the_first_instance_that_other_readers_pass_over() -> None:
    _, files = there_and_back(dataset_of([bundle(0), bundle(1)], "made by hand"))
    first, second = (json.loads(files[f"persona_{rank}/bench_instances.json"]) for rank in (0, 1))
    assert first[0].pop("recollect") == {"schema": 1, "origin": "made by hand"}
    assert (first, second) == (rows_of(bundle(0))[1], rows_of(bundle(1))[1])


def test_what_was_made_is_written_in_the_published_form(tmp_path: Path) -> None:
    """But for the field that says the origin."""
    _, files = there_and_back(dataset_of([bundle(0), bundle(1)], "made by hand"))
    plain = bytes_below(folder_of(tmp_path, bundle(0), bundle(1)))
    differ = {name for name in plain if files[name] != plain[name]}
    assert differ == {"persona_0/bench_instances.json"}


def test_some_of_the_persons_can_be_written(tmp_path: Path) -> None:
    """They keep their folders, so that nobody gets the number of another."""
    whole = load(folder_of(tmp_path, bundle(0), bundle(1), bundle(2)))
    again, files = there_and_back(replace(whole, histories=whole.histories[1:]))
    assert again.histories == whole.histories[1:]
    assert {name.split("/")[0] for name in files} == {"persona_1", "persona_2"}


def test_a_bundle_that_lay_in_no_folder_is_written_into_none(tmp_path: Path) -> None:
    put(tmp_path, *rows_of(bundle(3)))
    assert there_and_back(load(tmp_path))[1] == bytes_below(tmp_path)


def test_data_can_be_written_again_into_their_folder_and_not_beside_others(tmp_path: Path) -> None:
    dataset = load(folder_of(tmp_path, bundle(0), bundle(1)))
    write(dataset, tmp_path)
    with pytest.raises(DataError, match=r"other data lie there, in `persona_0/`. Name another folder"):
        write(replace(dataset, histories=dataset.histories[1:]), tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match="it is a file"):
        write(dataset_of([bundle(0)], "test"), tmp_path / "a.json")


def test_histories_of_others_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not of `subtlememory`"):
        write(Dataset(benchmark="own", histories=()), tmp_path)


def test_histories_without_their_rows_are_refused(tmp_path: Path) -> None:
    made = dataset_of([bundle(0), bundle(1)], "test")
    with pytest.raises(DataError, match="no rows of `persona_0`, `persona_1`"):
        write(replace(made, shared={}), tmp_path)


def test_a_lenient_reading_leaves_out_what_a_strict_one_refuses(tmp_path: Path) -> None:
    talks, asked = rows_of(bundle(0))
    asked[0]["session_ids"].append("s-9")
    put(tmp_path, talks, asked)
    with pytest.raises(DataError, match="no history has it"):
        load(tmp_path)
    dataset = load(tmp_path, lenient=True)
    assert ", one thing mended, such as bench_instances.json[0].session_ids[2]" in dataset.origin
    again, _ = there_and_back(dataset)
    assert again == dataset

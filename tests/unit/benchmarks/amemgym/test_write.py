"""What was loaded or made is written so that it comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

from recollect.benchmarks.amemgym.histories import dataset_of
from recollect.benchmarks.amemgym.items import Item
from recollect.benchmarks.amemgym.load import load
from recollect.benchmarks.amemgym.write import write
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError

from tests.unit.benchmarks.amemgym.lives import MINI, lives, mira, rows
from tests.unit.benchmarks.amemgym.test_items import wrong_count


def there_and_back(dataset: Dataset) -> tuple[Dataset, bytes]:
    with TemporaryDirectory() as folder:
        write(dataset, Path(folder))
        return load(Path(folder)), (Path(folder) / "data.json").read_bytes()


def test_a_file_in_the_published_form_comes_back_byte_for_byte() -> None:
    """Two spaces a level, Chinese as it is, unknown fields and their order kept."""
    dataset = load(MINI)
    again, data = there_and_back(dataset)
    assert data == MINI.read_bytes()
    assert again == dataset


def test_so_does_one_with_oddities(tmp_path: Path) -> None:
    row = rows()[0]
    wrong_count(row)
    file = tmp_path / "data.json"
    file.write_text(json.dumps([row], indent=2, ensure_ascii=False), encoding="utf-8")
    again, data = there_and_back(load(file))
    assert data == file.read_bytes()
    assert again == load(file)


@given(lives())
def test_what_was_made_comes_back_with_its_origin(item: Item) -> None:
    made = dataset_of([item], "made by hand, seed 3")
    again, data = there_and_back(made)
    assert again == made
    assert there_and_back(again) == (again, data)


def test_the_origin_stands_in_a_field_that_other_readers_pass_over() -> None:
    _, data = there_and_back(dataset_of([mira()], "made by hand"))
    assert json.loads(data)[0].pop("recollect") == {"schema": 1, "origin": "made by hand"}


def test_a_file_in_another_form_keeps_its_users_and_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_text(json.dumps(rows()), encoding="utf-8")
    dataset = load(file)
    assert there_and_back(dataset)[0] == dataset


def test_some_of_the_users_can_be_written() -> None:
    whole = load(MINI)
    again, _ = there_and_back(replace(whole, histories=whole.histories[1:]))
    assert again.histories == whole.histories[1:]


def test_a_file_name_is_kept(tmp_path: Path) -> None:
    write(load(MINI), tmp_path / "mine.json")
    assert (tmp_path / "mine.json").read_bytes() == MINI.read_bytes()


def test_histories_of_others_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not of `amemgym`"):
        write(Dataset(benchmark="own", histories=()), tmp_path)


def test_histories_without_their_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no row of `u-001`, `u-002`"):
        write(replace(load(MINI), shared={}), tmp_path)

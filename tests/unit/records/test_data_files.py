"""Files of a data set are found by name, read whole, and refused with every problem and its place."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from recollect.domain.errors import DataError
from recollect.records.data_files import Place, files_of, refuse, text_of, twice


def test_a_file_is_itself_and_a_folder_its_files_by_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "c.txt"):
        (tmp_path / name).touch()
    assert files_of(tmp_path / "c.txt", (".jsonl",)) == [tmp_path / "c.txt"]
    assert [file.name for file in files_of(tmp_path, (".jsonl",))] == ["a.jsonl", "b.jsonl"]
    with pytest.raises(DataError, match=r"no file that ends in \.csv or \.tsv"):
        files_of(tmp_path, (".csv", ".tsv"))


@pytest.mark.parametrize(("ending", "pack"), [("txt", bytes), ("gz", gzip.compress), ("xz", lzma.compress)])
def test_text_is_unpacked_by_the_name_of_its_file(ending: str, pack: type[bytes], tmp_path: Path) -> None:
    file = tmp_path / f"a.{ending}"
    file.write_bytes(pack("Grüße".encode()))
    assert text_of(file, fix="") == "Grüße"
    file.write_bytes(pack(b"\xff"))
    with pytest.raises(DataError, match="not UTF-8"):
        text_of(file, fix="")


@pytest.mark.parametrize("name", ["a.gz", "a.xz"])
def test_a_file_that_is_torn_or_missing_cannot_be_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be read .*No such file.*Copy it again"):
        text_of(tmp_path / name, fix="Copy it again.")
    (tmp_path / name).write_bytes(b"no archive")
    with pytest.raises(DataError, match="cannot be read"):
        text_of(tmp_path / name, fix="")


def test_one_problem_stands_at_its_place_and_several_are_listed() -> None:
    first, second = (Place(Path("data/a.jsonl"), ":3"), "it is empty"), (Place(Path("data/b.jsonl")), "it is odd")
    refuse(Path("data"), [], fix="")
    with pytest.raises(DataError, match=r"data/a.jsonl:3: it is empty. Mend it."):
        refuse(Path("data"), [first], fix="Mend it.")
    with pytest.raises(DataError, match=r"data: 2 problems:\n  a.jsonl:3: it is empty\n  b.jsonl: it is odd"):
        refuse(Path("data"), [first, second], fix="")


def test_what_is_there_twice_is_told_with_both_places() -> None:
    places = [Place(Path("a"), f":{line}") for line in (1, 2, 3)]
    found = list(twice(zip(("x", "y", "x"), places, strict=True), lambda name: f"row {name}"))
    assert found == [(places[2], "row x is there twice, first in a:1")]

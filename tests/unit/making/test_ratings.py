"""Sheets come back in the shapes that spreadsheets and people give them; what is wrong is told all at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from recollect.domain.errors import DataError
from recollect.making.ratings import Ratings, default_key_path, read_ratings

from tests.fakes.filled_sheets import fill, place_of, rows_of, sheet, write

LABELS = ("2", "2", "1", "0", "2", "")
"""By item; the last one was left empty."""


def _first(row: Mapping[str, str]) -> Mapping[str, str]:
    return {"rater_1": LABELS[place_of(row)]}


def _second(row: Mapping[str, str]) -> Mapping[str, str]:
    return {"rater_2": "2"}


def _read(*files: Path) -> Ratings:
    return read_ratings(files, default_key_path(files[0]))


def _said(found: Ratings, rater: str) -> dict[str, str | None]:
    return {item.item.rpartition("/")[2]: item.people.get(rater) for item in found.items}


def _parted(data: bytes, between: str) -> bytes:
    """The same table with another sign between its columns."""
    out = io.StringIO()
    csv.writer(out, delimiter=between).writerows(csv.reader(io.StringIO(data.decode(), newline="")))
    return out.getvalue().encode()


WANTED = {str(place): label or None for place, label in enumerate(LABELS)}


def test_what_was_filled_in_comes_back(tmp_path: Path) -> None:
    file = fill(write(tmp_path, sheet(gold=["2"] * 6, rules=["2", "", "2", "0", "2", "2"])), _first)
    found = _read(file)
    assert (found.sheet, found.people) == ("exposure", ("rater_1",))
    assert _said(found, "rater_1") == WANTED
    others = {item.item.rpartition("/")[2]: item.others for item in found.items}
    assert (others["0"], others["1"]) == ({"gold": "2", "rules": "2"}, {"gold": "2"})


@pytest.mark.parametrize(
    "saved",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="with-a-mark"),
        pytest.param(lambda data: _parted(data, ";"), id="semicolons"),
        pytest.param(lambda data: _parted(data, "\t"), id="tabs"),
        pytest.param(lambda data: data + b"\r\n\r\n", id="empty-rows-at-the-end"),
        pytest.param(lambda data: data.replace(b",2,", b", 2 ,"), id="spaces"),
    ],
)
def test_however_a_spreadsheet_saved_it(tmp_path: Path, saved: Callable[[bytes], bytes]) -> None:
    file = fill(write(tmp_path, sheet()), _first)
    file.write_bytes(saved(file.read_bytes()))
    assert _said(_read(file), "rater_1") == WANTED


def test_rows_may_be_sorted_and_left_out(tmp_path: Path) -> None:
    """Who left a row out did not rate it."""
    file = fill(write(tmp_path, sheet()), _first)
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([head, *sorted(lines, reverse=True)[:-1]]), encoding="utf-8")
    found = _read(file)
    assert len(found.items) == 6
    kept = {name: label for name, label in _said(found, "rater_1").items() if label}
    assert kept.items() <= WANTED.items()


def test_several_copies_are_one_sheet(tmp_path: Path) -> None:
    """Two people fill the same column of copies with different names; a third one fills the other column."""
    file = write(tmp_path, sheet())
    ann, bob = (fill(file, _first, tmp_path / f"{name}.csv") for name in ("ann", "bob"))
    third = fill(file, _second, tmp_path / "cyd.csv")
    found = read_ratings([ann, bob, third], default_key_path(file))
    assert found.people == ("ann:rater_1", "bob:rater_1", "rater_2")
    assert _said(found, "bob:rater_1") == WANTED
    assert set(_said(found, "rater_2").values()) == {"2"}


def test_copies_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    file = write(tmp_path, sheet())
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        fill(file, _first, tmp_path / name / "exposure.csv")
    found = read_ratings([tmp_path / name / "exposure.csv" for name in ("ann", "bob")], default_key_path(file))
    assert len(set(found.people)) == 2


def test_every_problem_is_told_at_once_with_file_row_and_column(tmp_path: Path) -> None:
    """Rows are counted as a spreadsheet counts them: the head is row 1, and a text of several lines is one row."""
    made = write(tmp_path, sheet())
    names = [row["id"] for row in rows_of(made)]

    def label(row: Mapping[str, str]) -> Mapping[str, str]:
        place = names.index(row["id"])
        wrong = {1: {"rater_1": "3"}, 2: {"rater_2": "good"}, 3: {"id": "l-nobody"}, 4: {"id": names[0]}}
        return {"text": "two\nlines", **wrong.get(place, {})}

    file = fill(made, label)
    with pytest.raises(DataError) as caught:
        _read(file)
    said = str(caught.value)
    assert "4 problems" in said
    assert f"{file}, row 3, column `rater_1`: `3` is not on the scale; write one of `0`, `1`, `2`" in said
    assert f"{file}, row 4, column `rater_2`: `good` is not on the scale" in said
    assert f"{file}, row 5, column `id`: `l-nobody` is no item of this sheet" in said
    assert f"{file}, row 6, column `id`: `{names[0]}` is in row 2 already" in said


def test_a_file_that_is_named_twice_would_agree_with_itself(tmp_path: Path) -> None:
    file = fill(write(tmp_path, sheet()), _first)
    with pytest.raises(DataError, match="named twice"):
        _read(file, file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda data: data.replace(b"rater_", b"person_"), "one that begins with `rater_`", id="no-rater"),
        pytest.param(lambda data: data.replace(b"id,", b"name,", 1), "a column `id`", id="no-id"),
        pytest.param(lambda data: data.replace(b"rater_2", b"rater_1"), "`rater_1` is there twice", id="column-twice"),
        pytest.param(lambda data: data + b"\xff", "it is not UTF-8", id="other-encoding"),
        pytest.param(lambda data: b"", "there must be a column", id="empty"),
    ],
)
def test_a_file_that_is_no_sheet_says_why(tmp_path: Path, change: Callable[[bytes], bytes], said: str) -> None:
    file = write(tmp_path, sheet())
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(DataError, match=said):
        _read(file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda text: text.replace("last", "best"), "`best` is none of", id="best"),
        pytest.param(lambda text: text.replace("last,,", "last,7,", 1), "`gold`: `7` is not on the scale", id="gold"),
        pytest.param(lambda text: text.replace(",exposure,", ",other,", 1), "2 sheets", id="two-sheets"),
        pytest.param(lambda text: text.replace("cluster", "user", 1), "`cluster` missing", id="column"),
    ],
)
def test_a_key_that_was_changed_is_refused(tmp_path: Path, change: Callable[[str], str], said: str) -> None:
    file = write(tmp_path, sheet())
    key = default_key_path(file)
    key.write_text(change(key.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        _read(file)


def test_a_sheet_without_its_key_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, sheet())
    default_key_path(file).unlink()
    with pytest.raises(DataError, match=r"exposure\.key\.csv: it cannot be read"):
        _read(file)

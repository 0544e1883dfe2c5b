"""Texts come from the data package, and what is wrong with them is told with file and place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import recollect_catalogues
from recollect.domain.errors import DataError, MissingExtraError
from recollect.worlds.catalogues import NEEDED, PACKAGE, catalogue, half, parsed, problems_of, read, report


@dataclass(frozen=True)
class Tea:
    name: str
    cups: int


def _without_milk(tea: Tea) -> Iterator[str]:
    if "milk" in tea.name:
        yield f"name: has milk: {tea.name}"


@pytest.mark.parametrize("name", ["amemgym", "memoryagentbench", "people", "subtlememory"])
def test_every_catalogue_says_where_it_is_from(name: str) -> None:
    told = (catalogue(name) / "ORIGIN.md").read_text(encoding="utf-8")
    assert name in recollect_catalogues.names()
    assert "Apache-2.0" in told


@pytest.mark.parametrize("name", ["amemgym", "memoryagentbench", "people", "subtlememory"])
def test_the_origin_names_every_file(name: str) -> None:
    folder = catalogue(name)
    told = (folder / "ORIGIN.md").read_text(encoding="utf-8")
    patterns = [part for line in told.splitlines() if line.startswith("| `") for part in line.split("`")[1:-1:2]]
    named = {file for pattern in patterns if "." in pattern for file in folder.glob(pattern)}
    assert {file for file in folder.rglob("*") if file.is_file()} - named == {folder / "ORIGIN.md"}


def test_the_package_can_be_read_in_its_present_version() -> None:
    assert tuple(map(int, recollect_catalogues.__version__.split(".")[:2])) >= NEEDED


def test_an_unknown_catalogue_is_a_fault_of_the_data() -> None:
    with pytest.raises(DataError, match="there is no catalogue `nothing`, only amemgym"):
        catalogue("nothing")


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(MissingExtraError, match=r"needs package `recollect-catalogues>=1.0,<2`. Install it with `pip"):
        catalogue("amemgym")


@pytest.mark.parametrize("version", ["0.9.9", "2.0.0"])
def test_another_version_is_refused_by_its_number(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too old lacks texts; of what is too new nobody knows the shape."""
    monkeypatch.setattr(recollect_catalogues, "__version__", version)
    with pytest.raises(MissingExtraError, match=rf"<2, not {version}`. Install it with `pip install --upgrade"):
        catalogue("amemgym")


def test_a_newer_minor_version_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recollect_catalogues, "__version__", "1.7.2")
    assert catalogue("amemgym").is_dir()


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("tea.json", "{", "is not valid JSON"),
        ("tea.yaml", "a: [", "is not valid YAML"),
        ("tea.json", '{"name": "green"}', "cups"),
        ("tea.json", '{"name": "green", "cups": 1, "cupz": 2}', "unknown key `cupz`"),
    ],
)
def test_a_broken_file_is_named(file: str, text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=problem) as caught:
        read(Tea, tmp_path / file)
    assert str(tmp_path / file) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tea\.json: does not exist"):
        parsed(tmp_path / "tea.json")


def test_yaml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "tea.json").write_text('{"name": "green", "cups": 2}', encoding="utf-8")
    (tmp_path / "tea.yaml").write_text("name: green\ncups: 2\n", encoding="utf-8")
    assert read(Tea, tmp_path / "tea.json") == read(Tea, tmp_path / "tea.yaml") == Tea("green", 2)


def test_two_halves_are_the_whole_in_its_order() -> None:
    texts = [f"text {number}" for number in range(9)]
    shown, hidden = half(texts, held_out=False), half(texts, held_out=True)
    assert sorted((*shown, *hidden)) == texts
    assert len(hidden) == 4
    assert list(shown) == sorted(shown)


def test_which_half_a_text_is_in_does_not_depend_on_its_place() -> None:
    texts = ["one", "two", "three", "four"]
    assert set(half(texts, held_out=True)) == set(half(texts[::-1], held_out=True))


def test_problems_are_told_with_folder_and_file(tmp_path: Path) -> None:
    folder = tmp_path / "teas"
    folder.mkdir()
    (folder / "good.json").write_text('{"name": "green", "cups": 2}', encoding="utf-8")
    (folder / "milk.json").write_text('{"name": "milk tea", "cups": 2}', encoding="utf-8")
    (folder / "torn.json").write_text("{", encoding="utf-8")
    found = list(problems_of(sorted(folder.iterdir()), lambda file: read(Tea, file), _without_milk))
    assert found[0] == "teas/milk.json: name: has milk: milk tea"
    assert len(found) == 2
    assert "torn.json: is not valid JSON" in found[1]


def test_a_report_counts_files_and_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    assert report([], files, lambda given: [f"{one.name}: bad" for one in given]) == 1
    assert capsys.readouterr().out == "one.json: bad\ntwo.json: bad\n2 files, 2 problems\n"
    assert report(["three.json"], files, lambda given: []) == 0
    assert capsys.readouterr().out == "1 files, 0 problems\n"

"""`recollect sheets` and the statistics of data, as a user types them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recollect.cli import command_line

from tests.fakes.filled_sheets import fill, rows_of

MINI = Path(__file__).parents[1] / "data" / "amemgym" / "data.json"
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: Printed, *words: str) -> Any:
    capsys.readouterr()
    assert command_line([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def _held(*more: str) -> None:
    """A run whose dialogues can be judged."""
    words = ["run", "amemgym", "--data", str(MINI), "--agent", "native", "--no-references", "--arm", "system"]
    assert command_line([*words, "--name", "held", *more]) == 0


def test_sheets_go_out_come_back_and_say_how_far_people_and_rules_agree(inside: Path, capsys: Printed) -> None:
    """Both people say 2 but for one label of the second; the rules tell all of these generated openings."""
    found = said(capsys, "sheets", "write", "amemgym", "--out", "s", "--sheet", "exposure", "--sample", "20")
    (sheet,) = found["sheets"]
    assert (sheet["drawn"], sheet["sheet"]) == (20, "exposure")
    assert sorted(file.name for file in (inside / "s").iterdir()) == ["exposure.csv", "exposure.key.csv"]
    file = inside / "s" / "exposure.csv"
    doubtful = rows_of(file)[0]["id"]

    def label(row: Mapping[str, str]) -> Mapping[str, str]:
        return {"rater_1": "2", "rater_2": "1" if row["id"] == doubtful else "2"}

    fill(file, label)
    read = said(capsys, "sheets", "read", "s/exposure.csv")
    items = sheet["items"]
    assert (read["items"], read["agreement"]["same"]) == (items, pytest.approx(1 - 1 / items))
    assert read["people"]["mean"]["estimate"] == pytest.approx(1 - 0.25 / items)
    assert [pair["raters"] for pair in read["pairs"]] == [
        ["rater_1", "rater_2"],
        ["rater_1", "rules"],
        ["rater_2", "rules"],
    ]
    assert command_line(["sheets", "read", "s/exposure.csv"]) == 0
    out = capsys.readouterr().out
    assert "\npeople " in out
    assert "rater_1 and rules" in out


def test_the_same_seed_writes_the_same_files(inside: Path, capsys: Printed) -> None:
    for folder in ("a", "b"):
        assert command_line(["sheets", "write", "amemgym", "--data", str(MINI), "--out", folder, "--seed", "3"]) == 0
    files = sorted(file.name for file in (inside / "a").iterdir())
    assert files == ["exposure.csv", "exposure.key.csv", "gold.csv", "gold.key.csv"]
    assert all((inside / "a" / name).read_bytes() == (inside / "b" / name).read_bytes() for name in files)
    assert "left out: integrity" in capsys.readouterr().err


def test_the_dialogues_of_a_run_make_the_third_sheet(inside: Path, capsys: Printed) -> None:
    """Four dialogues of later periods have a second turn of the user; the mini file has two states a user or less."""
    _held()
    found = said(capsys, "sheets", "write", "amemgym", "--out", "s", "--run", "held", "--raters", "1")
    assert [one["sheet"] for one in found["sheets"]] == ["exposure", "integrity", "gold"]
    rows = rows_of(inside / "s" / "integrity.csv")
    assert rows
    assert all(row["text"].count("User: ") == 2 and "\n\nAssistant: " in row["text"] for row in rows)
    assert {row["rules"] for row in rows_of(inside / "s" / "integrity.key.csv")} == {"0"}


def test_problems_of_a_sheet_end_with_their_places(inside: Path, capsys: Printed) -> None:
    assert command_line(["sheets", "write", "amemgym", "--data", str(MINI), "--out", "s", "--sheet", "gold"]) == 0
    fill(inside / "s" / "gold.csv", lambda _: {"rater_1": "9"})
    capsys.readouterr()
    assert command_line(["sheets", "read", "s/gold.csv"]) == 2
    assert "row 2, column `rater_1`: `9` is not on the scale" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["write", "amemgym", "--out", "s", "--sheet", "golf"], "sheet `golf` is not known", id="sheet"),
        pytest.param(["write", "own", "--out", "s", "--data", "x"], "x", id="no-data"),
        pytest.param(["write", "amemgym", "--out", "s", "--run", "nix"], "`nix` is not known", id="run"),
        pytest.param(["write", "amemgym", "--out", "s", "--run", "r", "--data", "x"], "Leave out --data", id="both"),
        pytest.param(["write", "memoryagentbench", "--out", "s"], "no label sheets", id="benchmark"),
        pytest.param(["read", "s/gold.csv"], "cannot be read", id="nothing-to-read"),
    ],
)
def test_what_cannot_be_done_says_why(inside: Path, capsys: Printed, words: list[str], message: str) -> None:
    assert command_line(["sheets", *words]) == 2
    assert message in capsys.readouterr().err


def test_data_say_what_they_are_made_of_beside_the_paper(inside: Path, capsys: Printed) -> None:
    """The mini file has two users; its dialogues are counted where a run held them."""
    figures = {one["name"]: one for one in said(capsys, "check-data", str(MINI))["statistics"]}
    assert figures["users"]["value"] == 2
    assert figures["sessions"]["paper"] == {"base": "943", "extra": "1,632"}
    assert "value" not in figures["dialogue tokens of a user"]
    _held()
    again = {one["name"]: one for one in said(capsys, "check-data", str(MINI), "--run", "held")["statistics"]}
    assert again["dialogue tokens of a user"]["value"] > 0
    capsys.readouterr()
    assert command_line(["check-data", str(MINI)]) == 0
    assert "about 21 (13 to 32)" in capsys.readouterr().out
    assert said(capsys, "show", "amemgym")["paper's data"]["periods"] == "base 220, extra 420"
    assert "paper's data" not in said(capsys, "show", "own")


def test_five_runs_are_one_command_and_say_mean_and_deviation(inside: Path, capsys: Printed) -> None:
    """Rules repeat themselves: the deviation is 0, and it is said."""
    _held("--repeats", "ingest=5")
    out = capsys.readouterr().out
    assert "native: mean ± sd over 5 runs: right " in out
    row = said(capsys, "score", "held")["beside"]["states"][0]
    assert len(row["stability"]["overall"]["values"]) == 5
    assert row["stability"]["overall"]["sd"] == 0.0
    page = (inside / "runs" / "held" / "report" / "index.html").read_text(encoding="utf-8")
    assert "5 runs: " in page
    table = (inside / "runs" / "held" / "report" / "states.csv").read_text(encoding="utf-8")
    assert "runs: sd overall,0.0" in table

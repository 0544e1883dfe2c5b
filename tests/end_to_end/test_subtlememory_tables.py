"""SubtleMemory's analyses as a user types them: waterfall, agent runtime, calibration, judge against people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.benchmarks.subtlememory.write import write
from recollect.cli import command_line

from tests.fakes.filled_sheets import fill, rows_of
from tests.unit.benchmarks.subtlememory.people import GENERATED, PUBLISHED

Printed = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of two persons, and a run of a memory by itself and inside an agent."""
    folder = tmp_path_factory.mktemp("tables")
    write(dataset_of([GENERATED, PUBLISHED], "made by hand"), folder / "people")
    with pytest.MonkeyPatch.context() as moved:
        moved.chdir(folder)
        line = "run subtlememory --data people --memory bm25 --agent rag:memory=bm25 --name w"
        assert command_line(line.split()) == 0
    return folder


@pytest.fixture
def inside(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place)
    return place


def said(capsys: Printed, *words: str) -> Any:
    capsys.readouterr()
    assert command_line([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_waterfall_by_relation_is_in_json_csv_page_and_terminal(inside: Path, capsys: Printed) -> None:
    rows = said(capsys, "diagnose", "w")["splits"]
    told = {row["row"]: row for row in rows}
    assert {"bm25", "rag(memory=bm25)"} <= set(told)
    values = [part.get("value") for part in told["rag(memory=bm25)"]["parts"]]
    assert values == [None, "complementary", "contradictory", "nuanced"]
    table = rows_of(inside / "runs/w/report/waterfalls.csv")
    assert {row["label"] for row in table} == {"relation"}
    assert 'id="splits-1"' in (inside / "runs/w/report/index.html").read_text()
    assert command_line(["diagnose", "w"]) == 0
    out = capsys.readouterr().out
    assert "where right answers get lost, by relation" in out
    assert "undefined (of 0)" in out


def test_the_papers_intervals_are_stratified_and_labelled(inside: Path, capsys: Printed) -> None:
    (table,) = said(capsys, "score", "w")["beside"]["tables"]
    assert table["strata"] == "relation"
    line = next(line for line in table["lines"] if line["row"] == "bm25")
    assert line["paper"]["All"]["method"] == "bootstrap over questions within parts"
    assert "stratified by relation" in (inside / "runs/w/report/index.html").read_text()


def test_a_memory_inside_an_agent_is_one_command_by_relation(inside: Path, capsys: Printed) -> None:
    words = ["compare", "w:rag(memory=bm25)", "w:bm25", "--by", "relation"]
    assert command_line(words) == 2
    assert "--agents-own" in capsys.readouterr().err
    found = said(capsys, *words, "--agents-own")
    assert [part["value"] for part in found["parts"]] == ["complementary", "contradictory", "nuanced"]
    assert all("difference" in part for part in found["parts"])
    assert command_line([*words, "--agents-own"]) == 0
    out = capsys.readouterr().out
    assert "the same by relation" in out
    assert "exact McNemar p" in out
    assert "not the same, from w:bm25 to w:rag(memory=bm25): `reader` was" in out


def test_the_calibration_table_is_one_command_and_asks_the_oracle_alone(inside: Path, capsys: Printed) -> None:
    words = "ablate subtlememory --data people --arm oracle --over preset=soft,standard --over reader=rules --cross"
    made = said(capsys, *words.split(), "--by", "subtype", "--name", "cal")["ablation"]
    assert (made["over"], made["crossed"]) == ("preset", ["reader"])
    plots = {plot["name"]: plot for plot in made["plots"]}
    assert {"overall", "overall: subtype K>1", "overall: subtype contradictory"} <= set(plots)
    assert [line["row"] for line in plots["overall"]["lines"]] == ["oracle(reader=rules)"]
    points = plots["overall: subtype K>1"]["lines"][0]["points"]
    assert [point["value"] for point in points] == ["soft", "standard"]
    assert all("low" in point["score"] for point in points)


def test_a_label_that_no_question_has_is_told_before_anything_runs(inside: Path, capsys: Printed) -> None:
    words = "ablate subtlememory --data people --arm oracle --over preset=soft --by sub_type --name never"
    assert command_line(words.split()) == 2
    assert "Did you mean `subtype`" in capsys.readouterr().err
    assert not (inside / "runs" / "never-preset=soft").exists()


def test_a_sheet_of_answers_goes_out_and_comes_back_with_kappa(inside: Path, capsys: Printed) -> None:
    """One person agrees with the judge but in one item, the other always; some of these data have too few answers."""
    assert command_line(["sheets", "write", "subtlememory", "--run", "w", "--out", "s"]) == 0
    assert "questions have fewer than 5 distinct answers" in capsys.readouterr().err
    file = inside / "s" / "judge.csv"
    key = {row["id"]: row for row in rows_of(inside / "s" / "judge.key.csv")}
    groups = Counter(row["group"] for row in key.values())
    assert (len(groups), max(groups.values())) == (8, 5)
    assert {row["stratum"] for row in key.values()} == {"complementary", "contradictory", "nuanced"}
    from_data = [row for row in key.values() if row["origin"].startswith("the data")]
    assert from_data
    assert any(row["judge"] for row in from_data), "the judge weighs what stands in, too"
    doubtful = next(name for name, row in key.items() if row["judge"] == "1")

    def label(row: Mapping[str, str]) -> Mapping[str, str]:
        verdict = key[row["id"]]["judge"] or "0"
        return {"rater_1": verdict, "rater_2": "0" if row["id"] == doubtful else verdict}

    fill(file, label)
    read = said(capsys, "sheets", "read", "s/judge.csv")
    pairs = {tuple(pair["raters"]): pair for pair in read["pairs"]}
    assert pairs["rater_1", "judge"]["kappa"]["coefficient"] == 1.0
    other = pairs["rater_2", "judge"]["kappa"]
    assert 0 < other["low"] < other["coefficient"] < 1
    assert pairs["rater_2", "judge"]["ac1"]["coefficient"] < 1
    assert ["most people", "judge"] in [one["raters"] for one in read["majority"]]
    assert command_line(["sheets", "read", "s/judge.csv"]) == 0
    out = capsys.readouterr().out
    assert "Cohen's kappa" in out
    assert "rater_2 and judge" in out


def test_relations_have_the_same_share_of_a_smaller_sheet(inside: Path, capsys: Printed) -> None:
    """Of nuanced there is one question alone."""
    words = ["sheets", "write", "subtlememory", "--run", "w:bm25", "--out", "t", "--sample", "5"]
    assert said(capsys, *words)["sheets"][0]["drawn"] == 5
    rows = rows_of(inside / "t" / "judge.key.csv")
    groups = Counter(stratum for stratum, _ in {(row["stratum"], row["group"]) for row in rows})
    assert groups == {"complementary": 2, "contradictory": 2, "nuanced": 1}
    first = {row["id"]: row["text"] for row in rows_of(inside / "t" / "judge.csv")}
    assert said(capsys, *words)["sheets"][0]["drawn"] == 5
    assert {row["id"]: row["text"] for row in rows_of(inside / "t" / "judge.csv")} == first


def test_without_a_run_the_way_to_a_sheet_is_told(inside: Path, capsys: Printed) -> None:
    assert command_line(["sheets", "write", "subtlememory", "--data", "people", "--out", "u"]) == 2
    assert "Name a run with `--run`" in capsys.readouterr().err

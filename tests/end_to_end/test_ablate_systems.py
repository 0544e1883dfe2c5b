"""Settings of a system, one at a time and crossed: a run for each, nothing twice, tables and plots of every failure."""

from __future__ import annotations

import csv
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.command_line import typed
from tests.fakes.one_user import write_one_user

RECOLLECT = Path(sys.executable).parent / "recollect"
ROWS = "--agent awe:memory=files --agent native --no-references --arm system --arm oracle"
LINE = f"recollect ablate amemgym --data one.json {ROWS} --over awe.freq=2,4 --over awe.topk=1,30 --name k"
PLOTS = ["overall", *(f"overall: {name}" for name in ("memory score", "write failures", "read failures",
         "utilisation failures"))]  # fmt: skip


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    cwd = tmp_path_factory.mktemp("settings")
    write_one_user(cwd / "one.json")
    return cwd, recollect(LINE, cwd).stdout


def records(cwd: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in (cwd / "runs").rglob("records.jsonl")}


def test_each_value_is_a_run_of_the_varied_row_and_the_base_has_the_others(done: tuple[Path, str]) -> None:
    """Runs of crossed values, which another test makes in the same folder, do not matter here."""
    cwd, _ = done
    rows = {
        folder.name: [row["label"] for row in json.loads((folder / "run.json").read_text())["config"]["rows"]]
        for folder in (cwd / "runs").glob("k-*")
        if (folder / "run.json").is_file() and "," not in folder.name
    }
    assert rows == {
        "k-base": ["awe(memory=files)", "native"], "k-awe.freq=4": ["awe"], "k-awe.topk=1": ["awe"],
    }  # fmt: skip


def test_each_setting_has_a_table_of_scores_and_failures_and_one_page_has_all(done: tuple[Path, str]) -> None:
    cwd, told = done
    *table, last = told.splitlines()
    assert last == "runs/k-over-awe.freq+awe.topk/index.html"
    assert [line for line in table if " over " in line] == [
        line for line in table if line.startswith(("k over awe.freq", "k over awe.topk"))
    ]
    for plot in PLOTS:
        assert sum(line.startswith(f"{plot}  ") for line in table) == 4, "two rows in two tables"
    page = (cwd / last).read_text()
    assert page.count("over <code>awe.freq</code></h2>") == page.count("over <code>awe.topk</code></h2>") == len(PLOTS)
    assert page.count('<svg class="chart') >= 2 * len(PLOTS)
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_numbers_are_those_of_the_runs(done: tuple[Path, str]) -> None:
    cwd, _ = done
    with (cwd / "runs/k-over-awe.freq+awe.topk/ablation.csv").open() as file:
        rows = {(one["setting"], one["value"], one["task"], one["row"]): one for one in csv.DictReader(file)}
    assert {name[2] for name in rows} == set(PLOTS)
    for (setting, value), run, label in [
        (("awe.freq", "2"), "k-base", "awe(memory=files)"),
        (("awe.freq", "4"), "k-awe.freq=4", "awe"),
        (("awe.topk", "1"), "k-awe.topk=1", "awe"),
    ]:
        scored = json.loads(recollect(f"recollect score {run} --json", cwd).stdout)
        states = next(one for one in scored["beside"]["states"] if one["row"] == label)["whole"]
        wanted = [
            states["scores"]["overall"], states["scores"]["memory"], states["losses"]["write"],
            states["losses"]["read"], states["losses"]["shares"]["utilisation"],
        ]  # fmt: skip
        mine = [rows[setting, value, plot, "awe"] for plot in PLOTS]
        assert [float(one["estimate"]) for one in mine] == [one["estimate"] for one in wanted]
        assert [one["low"] for one in mine] == ["" if "low" not in one else str(one["low"]) for one in wanted]


def test_a_row_without_the_setting_is_the_same_under_every_value(done: tuple[Path, str]) -> None:
    cwd, _ = done
    made: dict[str, Any] = json.loads((cwd / "runs/k-over-awe.freq+awe.topk/ablation.json").read_text())
    for one in made["ablations"]:
        for plot in one["plots"]:
            (native,) = [line for line in plot["lines"] if line["row"] == "native"]
            first, second = native["points"]
            assert first["score"] == second["score"]


@pytest.mark.full
def test_again_or_crossed_nothing_is_run_twice(done: tuple[Path, str]) -> None:
    cwd, _ = done
    before = records(cwd)
    page = cwd / "runs/k-over-awe.freq+awe.topk/index.html"
    first = page.read_bytes()
    recollect(LINE, cwd)
    assert records(cwd) == before
    assert page.read_bytes() == first
    made = json.loads(recollect(f"{LINE} --cross --json", cwd).stdout)
    after = records(cwd)
    assert {file: after[file] for file in before} == before
    assert {file.relative_to(cwd / "runs").parts[0] for file in after.keys() - before.keys()} == {"k-awe.freq=4,topk=1"}
    assert made["report"] == "runs/k-over-awe.freq-x-awe.topk/index.html"
    assert made["ablation"]["crossed"] == ["awe.topk"]
    (score, *_) = made["ablation"]["plots"]
    assert [line["row"] for line in score["lines"]] == ["awe(topk=1)", "awe(topk=30)", "native"]
    assert [[point["value"] for point in line["points"]] for line in score["lines"]] == [["2", "4"]] * 3
    assert '<svg class="chart heat"' in (cwd / made["report"]).read_text()


def test_a_wrong_value_is_told_before_anything_runs(tmp_path: Path) -> None:
    line = "recollect ablate amemgym --agent awe --over awe.freq=1,2 --over awe.topk=x"
    told = recollect(line, tmp_path, code=2).stderr
    assert "awe.freq=1: freq starts at 2, got 1" in told
    assert "awe.topk=x: " in told
    assert not list(tmp_path.rglob("run.json"))

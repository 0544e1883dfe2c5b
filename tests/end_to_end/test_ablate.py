"""One setting after another: a run for each value, then one table and one page."""

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

RECOLLECT = Path(sys.executable).parent / "recollect"
TASKS = "--task factconsolidation_sh_generated --task factconsolidation_mh_generated"
ROWS = "--memory bm25 --memory none --no-references --arm system --limit 8"
LINE = f"recollect ablate memoryagentbench --over search_limit=1,10 {TASKS} {ROWS} --name k"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    cwd = tmp_path_factory.mktemp("ablate")
    return cwd, recollect(LINE, cwd).stdout


def test_each_value_is_a_run_of_its_own_with_a_report(done: tuple[Path, str]) -> None:
    cwd, _ = done
    for value in (1, 10):
        folder = cwd / f"runs/k-search_limit={value}"
        assert json.loads((folder / "run.json").read_text())["config"]["search_limit"] == value
        assert (folder / "report" / "index.html").is_file()


def test_the_table_has_a_column_for_each_value_and_the_page_is_the_last_line(done: tuple[Path, str]) -> None:
    cwd, told = done
    *table, last = told.splitlines()
    assert last == "runs/k-over-search_limit/index.html"
    assert table[1].split() == ["task", "row", "1", "10"]
    assert sum(line.startswith("all tasks") for line in table) == 2
    page = (cwd / last).read_text()
    assert page.count('<svg class="chart curves"') == 3, "two tasks, and both together"
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page


def test_csv_and_json_hold_the_numbers_of_the_runs(done: tuple[Path, str]) -> None:
    cwd, _ = done
    with (cwd / "runs/k-over-search_limit/ablation.csv").open() as file:
        rows = {(one["task"], one["row"], one["value"]): one for one in csv.DictReader(file)}
    data = json.loads((cwd / "runs/k-over-search_limit/ablation.json").read_text())
    assert [one["value"] for one in data["runs"]][:2] == ["1", "10"]
    for value in ("1", "10"):
        report = json.loads((cwd / f"runs/k-search_limit={value}/report/report.json").read_text())
        for number in report["summary"]["numbers"]:
            mine = rows[number["task"], number["row"], value]
            assert float(mine["estimate"]) == number["score"]["estimate"]
            assert mine["low"] == ("" if number["score"]["low"] is None else str(number["score"]["low"]))
    tasks = [name for name in {task for task, _, _ in rows} if name != "all tasks"]
    for (task, row, value), one in rows.items():
        if task == "all tasks":
            mean = sum(float(rows[name, row, value]["estimate"]) for name in tasks) / 2
            assert float(one["estimate"]) == pytest.approx(mean, abs=1e-8)


@pytest.mark.full
def test_running_again_does_nothing_twice_and_a_new_value_runs_alone(done: tuple[Path, str]) -> None:
    cwd, told = done
    before = {file: file.read_bytes() for file in (cwd / "runs").rglob("records.jsonl")}
    page = (cwd / "runs/k-over-search_limit/index.html").read_bytes()
    again: dict[str, Any] = json.loads(recollect(f"{LINE} --json", cwd).stdout)
    assert again["report"] == told.splitlines()[-1]
    assert (cwd / again["report"]).read_bytes() == page
    more = recollect(LINE.replace("1,10", "1,10,3"), cwd).stdout
    assert more.splitlines()[1].split() == ["task", "row", "1", "10", "3"]
    assert {file: file.read_bytes() for file in before} == before


WRONG = [
    ("search_limit=1,many", "many: `search_limit`: must be a whole number, got 'many'"),
    ("search_limit=0,5", "`search_limit` starts at 1, got 0"),
    ("search_limit=5,5", "`5` is repeated"),
    ("search_limit=", "has no values"),
    ("chunk=5", "Did you mean `chunk_tokens`?"),
    ("chunk_tokens=5 --over search_limit=3", "one setting at a time"),
    ("search_limit=5 --search-limit 3", "`search_limit` is also set in the command"),
    ("task=factconsolidation_sh_7k", "Did you mean `factconsolidation_sh_"),
    ("context_tokens=full,3", "the last message alone has"),
    ("reader=nobody", "reader `nobody` is not known"),
]


@pytest.mark.parametrize(("over", "said"), WRONG, ids=lambda one: one.split(",")[0])
def test_a_wrong_value_is_told_before_anything_runs(over: str, said: str, tmp_path: Path) -> None:
    found = recollect(f"recollect ablate memoryagentbench --over {over} --memory none", tmp_path, code=2)
    assert said in found.stderr
    assert not list(tmp_path.rglob("run.json"))


def test_all_wrong_values_are_told_at_once(tmp_path: Path) -> None:
    found = recollect("recollect ablate memoryagentbench --over search_limit=x,0,5 --memory none", tmp_path, code=2)
    assert "x: " in found.stderr
    assert "0: " in found.stderr


def test_a_benchmark_that_cuts_no_chunks_has_nothing_to_vary(tmp_path: Path) -> None:
    own = Path(__file__).parents[2] / "examples" / "own_data"
    line = f"recollect ablate own --data {own} --over chunk_tokens=64,128 --memory bm25"
    assert "does not split any of these tasks into chunks" in recollect(line, tmp_path, code=2).stderr
    line = f"recollect ablate own --data {own} --over context_tokens=64,full --memory bm25"
    assert "own shows all that there is to remember" in recollect(line, tmp_path, code=2).stderr


def test_less_context_is_said_and_so_is_what_was_cut_away(tmp_path: Path) -> None:
    """Facts stand all over a context, so that half of it holds about half of the evidence."""
    task = "--task factconsolidation_sh_generated"
    line = f"recollect ablate memoryagentbench --over context_tokens=3000,full {task} {ROWS} --name short --json"
    found = json.loads(recollect(line, tmp_path).stdout)["ablation"]
    (plot,) = found["plots"]
    shown = plot["evidence_shown"]["3000"]
    assert 0 < shown < 1
    assert "full" not in plot["evidence_shown"]
    report = json.loads((tmp_path / "runs/short-context_tokens=3000/report/report.json").read_text())["summary"]
    assert report["conditions"]["context_tokens"] == 3_000
    (row,) = [one for one in report["retrieval"] if one["row"] == "bm25"]
    assert row["missing"] == {"evidence of the question was not shown to the system": round(8 * (1 - shown))}


def test_tasks_that_differ_in_their_last_word_share_a_plot(tmp_path: Path) -> None:
    """The validation table of FactConsolidation has this shape, with sizes in the place of `generated`."""
    tasks = "factconsolidation_sh_generated,factconsolidation_mh_generated"
    line = f"recollect ablate memoryagentbench --over task={tasks} {ROWS} --name fc --json"
    found = json.loads(recollect(line, tmp_path).stdout)["ablation"]
    plots = [plot["name"] for plot in found["plots"]]
    assert plots == ["factconsolidation_sh", "factconsolidation_mh", "all tasks"]
    assert {point["value"] for plot in found["plots"] for line in plot["lines"] for point in line["points"]} == {
        "generated"
    }

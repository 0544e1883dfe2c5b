"""How commands end that cannot go on or are told wrong things: with an exit code, the place, and nothing lost."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from recollect.domain.errors import InterruptedRunError
from recollect.offline.embedder.weights import PACKAGE
from recollect.store.locks import hold

from tests.fakes.command_line import typed

ROOT = Path(__file__).parents[2]
OWN = ROOT / "examples" / "own_data"
RECOLLECT = Path(sys.executable).parent / "recollect"
RUN = f"recollect run own --data {OWN}"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`."""
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


def patched(patch: str, line: str, cwd: Path, *, code: int) -> subprocess.CompletedProcess[str]:
    """The same, after some Python that breaks something."""
    program = f"{patch}\nfrom recollect.cli import main\nmain({shlex.split(line)[1:]!r})"
    return checked([sys.executable, "-c", program], cwd, code)


def checked(words: list[str], cwd: Path, code: int) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, f"{words}\n{done.stdout}\n{done.stderr}"
    return done


def said(line: str, cwd: Path) -> Any:
    """The JSON that a command prints."""
    return json.loads(recollect(f"{line} --json", cwd).stdout)


def memory_file(cwd: Path, *changes: tuple[str, str]) -> Path:
    """The memory of the examples with some text changed."""
    text = (ROOT / "examples" / "overlap_memory.py").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = cwd / "mine.py"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one small run is finished."""
    cwd = tmp_path_factory.mktemp("endings")
    recollect(f"{RUN} --memory bm25 --name mine", cwd)
    return cwd


@pytest.fixture
def done(finished: Path, tmp_path: Path) -> Path:
    """The same, to be broken."""
    shutil.copytree(finished / "runs", tmp_path / "runs")
    return tmp_path


# A bug of ours


BUG = "import recollect.diagnose.summary as s\ndef findings(*a): raise KeyError('x')\ns.findings = findings"


def test_a_bug_has_an_exit_code_of_its_own_and_keeps_what_was_recorded(tmp_path: Path) -> None:
    broken = patched(BUG, f"{RUN} --memory window --name mine", tmp_path, code=70)
    *trace, last = broken.stderr.splitlines()
    assert "Traceback (most recent call last):" in trace
    assert "KeyError: 'x'" in trace[-1]
    assert last.startswith("recollect: <string>:2: KeyError. This is a bug in Recollect, not in your input.")
    assert "All records are kept" in last
    assert all(row["state"] == "finished" for row in said("recollect status mine", tmp_path))
    again = recollect(f"{RUN} --memory window --name mine", tmp_path)
    assert "records" not in again.stderr, "nothing was done twice"


def test_an_error_in_a_file_of_yours_is_no_bug_of_ours(tmp_path: Path) -> None:
    file = memory_file(tmp_path, ("traits=lambda config: Traits(", "traits=lambda config: Traits(unit_size=1 // 0, "))
    line = 1 + file.read_text().splitlines().index(
        "    traits=lambda config: Traits(unit_size=1 // 0, can=frozenset({Capability.LISTING, Capability.READBACK})),"
    )
    failed = recollect(f"{RUN} --memory {file} --name x", tmp_path, code=2)
    assert failed.stderr.splitlines()[-1] == (
        f"recollect: {file}:{line}: ZeroDivisionError: integer division or modulo by zero."
    )
    assert "bug" not in failed.stderr


def test_a_reader_of_the_output_that_goes_away_is_no_fault(done: Path) -> None:
    shell = f"set -o pipefail; {RECOLLECT} list | true"
    for _ in range(3):
        assert subprocess.run(["bash", "-c", shell], cwd=done, capture_output=True, check=False).returncode == 0


# Ctrl-C


@pytest.mark.parametrize(
    "module",
    [
        "typer",
        "jinja2",
        *(pytest.param(name, marks=pytest.mark.full) for name in ("recollect.cli.run.launch", "pydantic", "numpy")),
    ],
)
def test_ctrl_c_in_the_middle_of_an_import_shows_no_traceback(module: str, tmp_path: Path) -> None:
    """Some are imported before any command is known, some by the command, one by the report after the work is done."""
    hook = (
        "import os, signal, sys\n"
        "class Hook:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Hook())"
    )
    stopped = patched(hook, f"{RUN} --memory window --name mine", tmp_path, code=130)
    assert "Traceback" not in stopped.stderr
    assert stopped.stderr.splitlines()[-1] == f"recollect: {InterruptedRunError()}"
    recollect(f"{RUN} --memory window --name mine", tmp_path)


# The cache of vectors


@pytest.mark.skipif(find_spec(PACKAGE) is None, reason="without the weights of the embedder there are no vectors")
@pytest.mark.parametrize("broken", ["no folder", "no database"])
def test_a_cache_of_vectors_that_cannot_be_used_stops_no_run(broken: str, done: Path) -> None:
    before = said("recollect score mine", done)["identity"]
    shutil.rmtree(done / "runs")
    cache = done / "runs" / ".cache" / "vectors"
    cache.parent.mkdir(parents=True)
    if broken == "no folder":
        cache.write_text("in the way")
    else:
        cache.mkdir()
        (cache / "vectors.sqlite").write_bytes(b"this is not a database. " * 100)
    run = recollect(f"{RUN} --memory bm25 --name mine", done)
    assert run.stderr.count("vectors are computed without being kept") == 1
    assert "vectors.sqlite" in run.stderr
    assert said("recollect score mine", done)["identity"] == before


# Lists of problems


def test_problems_of_a_config_stand_in_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(f"benchmark: own\ndata: {OWN}\nseed: x\nchunk_tokens: few\nlimit: many\n")
    failed = recollect("recollect run --config run.yaml", tmp_path, code=2)
    head, *problems = failed.stderr.splitlines()
    assert head == "recollect: run.yaml: 3 problems:"
    assert [line.split(":")[0] for line in problems] == ["  `seed`", "  `chunk_tokens`", "  `limit`"]


def test_one_problem_stays_on_one_line_whatever_its_words(tmp_path: Path) -> None:
    """The reader of YAML speaks in several lines."""
    (tmp_path / "run.yaml").write_text("seed: [1\n")
    failed = recollect("recollect run --config run.yaml", tmp_path, code=2)
    assert len(failed.stderr.splitlines()) == 1
    assert failed.stderr.startswith("recollect: run.yaml: cannot be read as YAML (while parsing")


def test_changed_rows_are_told_by_name_and_setting(tmp_path: Path) -> None:
    file = memory_file(tmp_path)
    config = "benchmark: own\ndata: {data}\nmemories:\n- {{name: window, label: w, settings: {{tokens: {tokens}}}}}\n"
    config += "- {{name: {mine}}}\n- {{name: {other}}}\n"
    values = {"data": OWN, "mine": file}
    (tmp_path / "run.yaml").write_text(config.format(tokens=20, other="files", **values))
    recollect("recollect run --config run.yaml --name x --no-references", tmp_path)
    (tmp_path / "run.yaml").write_text(config.format(tokens=30, other="full", **values))
    memory_file(tmp_path, ("min_shared_words: int = 1", "min_shared_words: int = 2"))
    refused = recollect("recollect run --config run.yaml --name x --no-references --seed 4", tmp_path, code=3)
    head, *differences, fix = refused.stderr.splitlines()
    assert head == "recollect: runs/x: this run was made under another config: 5 differences:"
    assert differences == [
        "  `seed` was 0, now 4",
        "  row `w` changed: `config.tokens` was 20, now 30",
        "  row `overlap` changed: its file was edited",
        "  row `files` removed",
        "  row `full` added",
    ]
    assert "--name" in fix


def test_one_difference_stays_on_one_line(done: Path) -> None:
    refused = recollect(f"{RUN} --memory bm25 --memory window:tokens=20 --name mine", done, code=3)
    (line,) = refused.stderr.splitlines()
    assert "another config: row `window(tokens=20)` added. Give the new run another `--name`" in line


def test_rows_in_another_order_are_told_by_name(tmp_path: Path) -> None:
    recollect(f"{RUN} --memory bm25 --memory window --no-references --name x", tmp_path)
    refused = recollect(f"{RUN} --memory window --memory bm25 --no-references --name x", tmp_path, code=3)
    assert "the order of rows changed: was bm25, window, now window, bm25" in refused.stderr


# Data files


def test_every_problem_of_own_data_has_its_line(tmp_path: Path) -> None:
    shutil.copytree(OWN, tmp_path / "mine")
    with (tmp_path / "mine" / "questions.jsonl").open("a") as file:
        file.write('{"question": 7, "answers": "x"}\n{"question": "Q"\n')
    failed = recollect("recollect check-data mine", tmp_path, code=2)
    head, *problems, fix = failed.stderr.splitlines()
    assert head == "recollect: mine: 3 problems:"
    assert problems[0] == "  questions.jsonl:7: `question` must be a text in quotes, got 7"
    assert problems[1] == "  questions.jsonl:7: `answers` must be a list in brackets, got 'x'"
    assert problems[2].startswith("  questions.jsonl:8: not JSON in UTF-8 (")
    assert fix == "docs/own_data.md shows the format."


def test_own_data_without_one_of_the_files_are_known_as_own_data(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(OWN / "questions.jsonl", tmp_path / "mine")
    failed = recollect("recollect check-data mine", tmp_path, code=2)
    assert failed.stderr == (
        "recollect: mine: the file sessions.jsonl is missing. docs/own_data.md shows the format.\n"
    )


def test_a_problem_of_a_data_file_has_its_file_and_line(tmp_path: Path) -> None:
    recollect("recollect generate memoryagentbench --size small --out fine.jsonl", tmp_path)
    rows = (tmp_path / "fine.jsonl").read_text().splitlines()
    rows[1] = rows[1].replace('"context"', '"contxt"', 1)
    (tmp_path / "bad.jsonl").write_text("\n\n".join(rows))
    failed = recollect("recollect check-data bad.jsonl", tmp_path, code=2)
    assert "bad.jsonl:3: `context`: Field required" in failed.stderr


# Status


def test_rows_that_nobody_has_begun_have_their_names_and_a_run_elsewhere_is_told(done: Path) -> None:
    """Trials of a row are taken away, and this process holds the run, as another that runs it would."""
    run = done / "runs" / "mine"
    for trial in list((run / "trials").iterdir()):
        if json.loads((trial / "trial.json").read_text())["row"] == "files":
            shutil.rmtree(trial)
    rows = {row["row"]: row for row in said("recollect status mine", done)}
    assert (rows["files"]["done"], rows["files"]["planned"], rows["files"]["state"]) == (0, 26, "unfinished")
    assert rows["bm25"]["state"] == "finished"
    with hold(run / ".lock-whole", "test"):
        rows = {row["row"]: row for row in said("recollect status mine", done)}
        (line,) = said("recollect status", done)
        table = recollect("recollect status mine", done).stdout
    assert rows["files"]["state"].startswith(f"running: process {os.getpid()} on ")
    assert rows["bm25"]["state"] == "finished"
    assert line["state"].startswith("running: ")
    assert table.splitlines()[-1].startswith(f"mine: running: process {os.getpid()}")
    assert "not started" not in table
    assert recollect("recollect status mine", done).stdout.splitlines()[-1] == "mine: unfinished"


def test_a_plan_of_an_older_version_is_still_read(done: Path) -> None:
    plan = done / "runs" / "mine" / "plan.json"
    old = {trial: planned["records"] for trial, planned in json.loads(plan.read_text()).items()}
    plan.write_text(json.dumps(old))
    assert {row["state"] for row in said("recollect status mine", done)} == {"finished"}
    recollect(f"{RUN} --memory bm25 --name mine", done)


def test_a_finished_part_is_finished_and_a_missing_one_is_named(tmp_path: Path) -> None:
    for part in (1, 3):
        recollect(f"{RUN} --memory bm25 --name p{part} --shard {part}/3", tmp_path)
    assert {row["state"] for row in said("recollect status p1", tmp_path)} == {"finished"}
    assert [run["state"] for run in said("recollect status", tmp_path)] == ["part 1/3 finished", "part 3/3 finished"]
    merged = recollect("recollect merge p1 p3 --name whole", tmp_path, code=1)
    assert "whole is incomplete: part 2/3 is missing: 4 trials\n" in merged.stderr
    assert "recollect merge p1 p3 PART --name whole" in merged.stderr
    assert "unfinished" in recollect("recollect status whole", tmp_path).stdout
    recollect(f"{RUN} --memory bm25 --name p2 --shard 2/3", tmp_path)
    recollect("recollect merge p1 p2 p3 --name whole", tmp_path)
    assert "whole: finished" in recollect("recollect status whole", tmp_path).stdout


def test_a_part_that_stopped_is_named_as_such(tmp_path: Path) -> None:
    for part in (1, 2):
        recollect(f"{RUN} --memory bm25 --name p{part} --shard {part}/2", tmp_path)
    trial = sorted((tmp_path / "runs" / "p2" / "trials").iterdir())[0]
    (trial / "records.jsonl").unlink()
    merged = recollect("recollect merge p1 p2 --name whole", tmp_path, code=1)
    assert "part 2/2 in runs/p2 is not finished: 1 of its trials" in merged.stderr
    assert "missing" not in merged.stderr.splitlines()[1]


def test_parts_of_different_runs_leave_no_half_merged_run(tmp_path: Path) -> None:
    recollect(f"{RUN} --memory bm25 --name a --shard 1/2", tmp_path)
    recollect(f"{RUN} --memory bm25 --seed 3 --name b --shard 2/2", tmp_path)
    refused = recollect("recollect merge a b --name whole", tmp_path, code=3)
    assert "runs/b beside runs/a: " in refused.stderr
    assert "`seed` was 0, now 3" in refused.stderr
    assert "Merge the parts of one run only." in refused.stderr
    assert not (tmp_path / "runs" / "whole").exists()


# Help


@pytest.mark.parametrize(
    ("verb", "choices"),
    [
        pytest.param(
            "run", "Size of the generated data: small, medium or large; `recollect show BENCHMARK`", id="size"
        ),
        pytest.param("run", "standard, paper or another of the card", id="preset"),
        pytest.param("run", "system, oracle, readback or readback_pure", id="arm"),
        pytest.param("run", "all by default. `recollect show BENCHMARK` lists them", id="task"),
        pytest.param("generate", "small, medium or large; `recollect show BENCHMARK` lists all", id="generate"),
        pytest.param("build", "all by default. `recollect show BENCHMARK` lists them", id="build"),
    ],
)
def test_help_lists_the_choices_or_the_command_that_does(verb: str, choices: str, tmp_path: Path) -> None:
    assert choices in " ".join(recollect(f"recollect {verb} --help", tmp_path).stdout.split())


def test_show_lists_sizes_tasks_and_presets_and_knows_the_oracle(tmp_path: Path) -> None:
    card = said("recollect show memoryagentbench", tmp_path)
    assert {"small", "medium-held-out"} <= set(card["sizes"])
    assert {"tasks", "standard", "paper"} <= set(card)
    for size in card["sizes"][:2]:
        recollect(f"recollect generate memoryagentbench --size {size} --out {size}.jsonl", tmp_path)
    assert said("recollect show oracle", tmp_path)["row"] == "oracle"
    assert "the reader is given the evidence" in recollect("recollect show oracle", tmp_path).stdout


def test_diagnose_has_no_heading_without_a_table(done: Path) -> None:
    out = recollect("recollect diagnose mine", done).stdout
    assert "where right answers get lost" in out
    assert "faults" not in out


# The report


def test_a_table_that_cannot_be_replaced_is_named_and_costs_neither_page_nor_csv(done: Path) -> None:
    report = done / "runs" / "mine" / "report"
    shutil.rmtree(report)
    (report / "cells.parquet").mkdir(parents=True)
    failed = recollect("recollect report mine", done, code=4)
    assert "report/cells.parquet: cannot be" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert {"index.html", "scores.csv", "cells.csv"} <= {path.name for path in report.iterdir()}


# Memories that promise too much


def test_a_memory_without_a_method_that_its_traits_promise_is_refused(tmp_path: Path) -> None:
    can = "Capability.LISTING, Capability.READBACK"
    file = memory_file(tmp_path, (can, f"{can}, Capability.SNAPSHOT"), ("def stored_from", "def stored_form"))
    failed = recollect(f"{RUN} --memory {file} --name x", tmp_path, code=2)
    assert f"{file}: `OverlapMemory` lacks" in failed.stderr
    for method, capability in (("stored_from", "readback"), ("save", "snapshot"), ("load", "snapshot")):
        assert f"the method `{method}`, though its traits say that it can {capability}" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        pytest.param("def search(", "def serach(", "the method `search`, which every memory has", id="method"),
        pytest.param("return OverlapMemory(config)", "OverlapMemory(config)", "`open` returned nothing", id="nothing"),
    ],
)
def test_a_memory_that_is_none_is_refused(old: str, new: str, hint: str, tmp_path: Path) -> None:
    failed = recollect(f"{RUN} --memory {memory_file(tmp_path, (old, new))} --name x", tmp_path, code=2)
    assert hint in failed.stderr

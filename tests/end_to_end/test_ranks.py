"""The same rows on-policy and off-policy: one table of ranks, and no comparison of what was run otherwise."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.command_line import typed
from tests.fakes.one_user import write_one_user

RECOLLECT = Path(sys.executable).parent / "recollect"
LINE = "recollect run amemgym --data one.json --agent native --agent awi --no-references --arm system --arm oracle"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cwd = tmp_path_factory.mktemp("ranks")
    write_one_user(cwd / "one.json")
    recollect(f"{LINE} --name on", cwd)
    recollect(f"{LINE} --agent rag:memory=files --talk on:native --name off", cwd)
    recollect(f"{LINE} --step probes=no --name other", cwd)
    return cwd


def test_each_measure_has_a_table_with_both_scores_and_ranks(runs: Path) -> None:
    made = json.loads(recollect("recollect ranks on off --json", runs).stdout)
    assert [(table["task"], table["measure"]) for table in made["tables"]] == [
        ("overall", "accuracy"), ("overall", "memory score"),
    ]  # fmt: skip
    for run, side in (("on", "first"), ("off", "second")):
        report = json.loads((runs / f"runs/{run}/report/report.json").read_text())
        numbers = {(one["row"], one["arm"], one.get("purpose", "score")): one for one in report["summary"]["numbers"]}
        for row in made["tables"][0]["rows"]:
            assert row[side] == numbers[row["row"], "system", "score"]["score"]
    assert {row["row"] for row in made["tables"][0]["rows"]} == {"native", "awi"}
    assert set(made["knobs"]) == {"rows.rag(memory=files)", "talk_digest", "user_fingerprint"}
    assert made["left_out"] == {"rag(memory=files)": "the first run has no such row"}


def test_the_table_is_printed_with_tau_and_with_what_is_not_ranked(runs: Path) -> None:
    told = recollect("recollect ranks on off", runs).stdout
    assert "overall, accuracy: on (first), off (second)" in told
    assert told.count("Kendall's tau of the scores") == 2
    assert "not ranked: rag(memory=files): the first run has no such row" in told
    assert told.splitlines()[-1] == "knobs that differ: rows.rag(memory=files), talk_digest, user_fingerprint"


def test_runs_that_differ_in_more_than_who_talked_are_refused_with_the_knobs(runs: Path) -> None:
    told = recollect("recollect ranks on other", runs, code=2).stderr
    assert "differ in more than who talked: steps" in told
    assert "talk_digest" not in told


@pytest.mark.full
def test_a_run_against_itself_changes_no_rank(runs: Path) -> None:
    made = json.loads(recollect("recollect ranks on on --json", runs).stdout)
    assert all(row["change"] == 0 for table in made["tables"] for row in table["rows"])
    assert made["knobs"] == []

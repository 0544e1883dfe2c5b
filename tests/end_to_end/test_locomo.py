"""What a user types, on an invented conversation: the format is found out, a run scores, evidence recall is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.command_line import typed
from tests.unit.benchmarks.locomo.talks import saved, talk

RECOLLECT = Path(sys.executable).parent / "recollect"


def recollect(cwd: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = typed(words, cwd)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_check_data_knows_the_format_and_tells_what_is_odd(tmp_path: Path) -> None:
    saved(tmp_path / "data" / "invented.json.gz", talk())
    said: dict[str, Any] = json.loads(recollect(tmp_path, "check-data", "data", "--json").stdout)
    assert [(one["task"], one["questions"]) for one in said["tasks"]] == [("adversarial", 2), ("qa", 6)]
    assert "1 adversarial question with an answer that does not count" in said["origin"]
    assert said["origin"] in recollect(tmp_path, "check-data", "data").stdout


def test_without_data_the_message_says_where_they_are(tmp_path: Path) -> None:
    told = recollect(tmp_path, "run", "locomo", code=2).stderr
    assert "`--data`" in told
    assert "github.com/snap-research/locomo" in told


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    cwd = tmp_path_factory.mktemp("run")
    flat = talk()
    saved(cwd / "invented.json", {**flat, "qa": flat["qa"] * 2})  # a category needs two questions to be a stratum
    rows = ("--memory", "bm25", "--memory", "none", "--no-references", "--arm", "system")
    words = ("run", "locomo", "--data", "invented.json", *rows, "--name", "lc", "--json")
    found: dict[str, Any] = json.loads(recollect(cwd, *words).stdout)
    return found


@pytest.fixture
def summary(told: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = told["summary"]
    return found


def test_the_papers_columns_are_the_categories_and_the_mean_over_all_questions(told: dict[str, Any]) -> None:
    """Overall is over 12 questions of one task and 4 of the other, and not the mean of two means."""
    (table,) = told["beside"]["tables"]
    columns = {line["row"]: line["columns"] for line in table["lines"]}["bm25"]
    strata = {
        one["stratum"]: one["score"]["estimate"]
        for one in told["summary"]["strata"]
        if (one["row"], one["arm"], one["task"]) == ("bm25", "system", "qa") and one["label"] == "category"
    }
    assert {name: columns[name]["estimate"] for name in strata} == strata
    scores = {
        one["task"]: one["score"]
        for one in told["summary"]["numbers"]
        if (one["row"], one["arm"]) == ("bm25", "system")
    }
    assert columns["adversarial"] == scores["adversarial"]
    together = sum(one["n"] * one["estimate"] for one in scores.values()) / sum(one["n"] for one in scores.values())
    assert columns["overall"]["n"] == 16
    assert columns["overall"]["estimate"] == pytest.approx(together, abs=1e-8)


def test_scores_break_down_by_category(summary: dict[str, Any]) -> None:
    found = {one["stratum"] for one in summary["strata"] if (one["task"], one["label"]) == ("qa", "category")}
    assert found == {"multi_hop", "temporal", "open_domain", "single_hop"}


def test_what_keeps_nothing_declines_all_and_knows_nothing(summary: dict[str, Any]) -> None:
    scores = {
        one["task"]: one["score"]["estimate"]
        for one in summary["numbers"]
        if one["row"] == "none" and one["arm"] == "system"
    }
    assert scores == {"adversarial": 1.0, "qa": 0.0}


def test_evidence_recall_is_measured(summary: dict[str, Any]) -> None:
    """Nine turns: whatever shares a word with the question is among the first twenty, so recall is high."""
    (row,) = [one for one in summary["retrieval"] if (one["task"], one["row"]) == ("qa", "bm25")]
    everything = {point["at"]: point["recall"]["estimate"] for point in row["points"]}
    assert row["questions"] == 12
    assert everything["all"] > 0.5

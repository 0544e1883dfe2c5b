"""`recollect generate subtlememory --maker` with seeds of the user's: through a server, to files that load and run."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from recollect import registry
from recollect.benchmarks.subtlememory.items import UNRELATED
from recollect.cli import command_line

from tests.fakes.case_maker import CaseMaker
from tests.fakes.model_server import ModelServer
from tests.unit.benchmarks.subtlememory.make.persona_files import folder_of
from tests.unit.benchmarks.subtlememory.make.world_maker import WorldMaker
from tests.unit.benchmarks.subtlememory.make.world_seeds import write_all

DECIDED = frozenset({"world_session_filter", "world_question_filter", "world_answer_filter"})


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with seeds."""
    write_all(tmp_path / "sources", 2)
    return tmp_path


def generate(folder: Path, server: ModelServer, *more: str, source: str = "sources") -> int:
    maker = f"openai:model=stub-1,base_url={server.url},server=stub,attempts=2,timeout_s=5"
    named = ["--task", "overall", "--from", source, "--maker", maker, "--out", "made", "--work", "work"]
    with chdir(folder):
        return command_line(["generate", "subtlememory", *named, *more])


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "work" / "rejects.jsonl").read_text().splitlines()]


def test_the_log_accounts_for_every_reply_that_was_malformed_or_broke_a_rule(here: Path) -> None:
    """10 % are malformed, 5 % break a rule; where a decision is missing, what it is missing for is dropped."""
    maker = WorldMaker(malformed=0.10, broken=0.05)
    with ModelServer(reply=maker) as server:
        assert generate(here, server) == 0
    lines = log(here)
    tries = [one for line in lines for one in line.get("failed", [])]
    dropped = [line for line in lines if line["outcome"] == "dropped"]
    assert min(maker.said["malformed"], maker.said["broken"]) >= 3
    assert sum(one["checks"][0] in {"not_json", "shape", "empty"} for one in tries) == maker.said["malformed"]
    assert len(tries) + len({line["item"] for line in dropped}) >= maker.said["malformed"] + maker.said["broken"]
    assert all(line["check"] and line["step"] and line["item"] for line in lines)
    summary = json.loads((here / "work" / "summary.json").read_text())
    assert sum(step.get("tries", 0) for step in summary["steps"]) == sum(maker.said.values())
    passed = {step["step"]: step["passed"] for step in summary["steps"] if step["passed"] is not None}
    assert set(passed) >= DECIDED | {"world_plan", "world_session", "world_questions", "world_answers"}
    assert (summary["items"], summary["made"] + summary["rejected"]) == (14, 14)


@pytest.mark.full
def test_seeds_alone_become_data_that_load_and_run(here: Path) -> None:
    with ModelServer(reply=WorldMaker()) as server:
        assert generate(here, server, "--seed", "3") == 0
    dataset = registry.benchmark("subtlememory").load(here / "made")
    assert len(dataset.histories) == 1
    assert "made with seed 3 by" in dataset.origin
    assert "14 of 14 cases about the world" in dataset.origin
    labels = [key.labels for one in dataset.histories for key in one.keys.values() if "form" in key.labels]
    assert {one["source"] for one in labels} == {UNRELATED}
    assert {one["form"] for one in labels} == {"knowledge"}
    with chdir(here):
        assert command_line(["check-data", "made"]) == 0
        more = ["--data", "made", "--memory", "bm25", "--name", "try", "--limit", "6"]
        assert command_line(["run", "subtlememory", *more]) == 0


def test_persons_still_become_cases_about_users(here: Path) -> None:
    """The same recipe with other sources."""
    folder_of(here / "persons", 1, 8)
    with ModelServer(reply=CaseMaker()) as server:
        assert generate(here, server, source="persons") == 0
    dataset = registry.benchmark("subtlememory").load(here / "made")
    assert {
        key.labels["source"] for one in dataset.histories for key in one.keys.values() if "source" in key.labels
    } == {"user-related"}


def test_a_dry_run_sends_nothing_and_says_how_often_each_step_may_ask(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(reply=WorldMaker()) as server:
        assert generate(here, server, "--dry-run") == 0
        assert server.requests == 0
    assert "world_session_filter" in capsys.readouterr().out

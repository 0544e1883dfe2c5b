"""`recollect generate subtlememory --maker`: persons of the user's, through a server, to files that load."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from recollect import registry
from recollect.cli import command_line

from tests.fakes.case_maker import CaseMaker
from tests.fakes.model_server import ModelServer
from tests.unit.benchmarks.subtlememory.make.persona_files import folder_of

RECOLLECT = Path(sys.executable).parent / "recollect"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with two persons of eight preferences."""
    folder_of(tmp_path / "persons", 2, 8)
    return tmp_path


def words(server: ModelServer, *more: str) -> list[str]:
    maker = f"openai:model=stub-1,base_url={server.url},server=stub,attempts=2,timeout_s=5"
    named = ["--task", "overall", "--from", "persons", "--maker", maker, "--out", "made", "--work", "work"]
    return ["generate", "subtlememory", *named, *more]


def generate(folder: Path, server: ModelServer, *more: str) -> int:
    with chdir(folder):
        return command_line(words(server, *more))


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "work" / "rejects.jsonl").read_text().splitlines()]


def written(folder: Path) -> dict[str, bytes]:
    files = [
        *sorted((folder / "made").rglob("*.json")),
        *(folder / "work" / name for name in ("rejects.jsonl", "summary.json")),
    ]
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def test_the_log_accounts_for_every_reply_that_was_malformed_or_broke_a_rule(here: Path) -> None:
    """10 % are malformed and 5 % break a rule; the stub counts them, and so does the log, one by one."""
    maker = CaseMaker(malformed=0.10, broken=0.05)
    with ModelServer(reply=maker) as server:
        assert generate(here, server) == 0
    lines = log(here)
    tries = [one for line in lines for one in line.get("failed", [])]
    bad = {name: maker.said[name] for name in ("malformed", "broken")}
    assert min(bad.values()) >= 3, bad
    assert len(tries) == sum(bad.values())
    assert sum(one["checks"][0] in {"not_json", "shape", "empty"} for one in tries) == bad["malformed"]
    summary = json.loads((here / "work" / "summary.json").read_text())
    assert sum(step.get("tries", 0) for step in summary["steps"]) == sum(maker.said.values())
    assert (summary["items"], summary["made"]) == (2, 2)
    passed = {step["step"]: step["passed"] for step in summary["steps"] if step["passed"] is not None}
    assert all(0.8 <= share <= 1 for share in passed.values())
    assert set(passed) >= {"case", "case_filter", "session_1", "session_filter", "questions", "question_filter"}


def test_what_is_made_is_what_the_benchmark_loads_and_runs_on(here: Path) -> None:
    with ModelServer(reply=CaseMaker()) as server:
        assert generate(here, server, "--seed", "3") == 0
    dataset = registry.benchmark("subtlememory").load(here / "made")
    assert len(dataset.histories) == 2
    assert "made with seed 3 by" in dataset.origin
    labels = [key.labels for one in dataset.histories for key in one.keys.values() if "form" in key.labels]
    assert {one["form"] for one in labels} == {"structured_form", "resource_arrangement"}
    with chdir(here):
        more = ["--data", "made", "--memory", "bm25", "--name", "try", "--limit", "4"]
        assert command_line(["run", "subtlememory", *more]) == 0


@pytest.mark.full
def test_killed_at_any_moment_and_begun_again_it_writes_the_same_bytes(here: Path, tmp_path_factory: Any) -> None:
    """kill -9 after 4, 30 and 60 more calls; nothing that was answered is asked again but what was in flight."""
    whole = tmp_path_factory.mktemp("whole")
    (whole / "persons").symlink_to(here / "persons")
    maker = CaseMaker(malformed=0.1, broken=0.05)
    with ModelServer(reply=maker) as server:
        assert generate(whole, server) == 0
        needed = sum(maker.said.values())
        server.delay_s = 0.01
        server.forget()
        for more in (4, 30, 60):
            _killed_after(here, server, more)
        assert generate(here, server) == 0
        again = server.requests - 4  # each start makes one trial call
    assert written(here) == written(whole)
    assert needed <= again <= needed + 3 * 8


def _killed_after(folder: Path, server: ModelServer, calls: int) -> None:
    until = server.requests + calls
    process = subprocess.Popen(
        [str(RECOLLECT), *words(server)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while server.requests < until and process.poll() is None:
        time.sleep(0.005)
    assert process.poll() is None, "it ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait(10)


def test_a_dry_run_sends_nothing_and_says_how_often_each_step_may_ask(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(reply=CaseMaker()) as server:
        assert generate(here, server, "--dry-run") == 0
        assert server.requests == 0
    said = capsys.readouterr().out
    assert all(step in said for step in ("topics", "plan", "case_filter", "session_1", "answers", "question_filter"))


def test_persons_that_cannot_be_read_are_told_before_anything_is_sent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "persons" / "persona9.json").write_text('{"name": "x"}')
    with ModelServer(reply=CaseMaker()) as server:
        assert generate(here, server) == 2
        assert server.requests == 0
    assert "persona9.json: it has none of `stereotypical_preferences`" in capsys.readouterr().err

"""`recollect generate --maker`: the pipeline ends whatever the model says, accounts for all of it, and resumes."""

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
from recollect.domain.questions import AnswerFormat

from tests.fakes.event_maker import EventMaker, novel
from tests.fakes.model_acts import FAULTS, Call
from tests.fakes.model_server import ModelServer

RECOLLECT = Path(sys.executable).parent / "recollect"
TASK = "eventqa_full"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with an invented novel."""
    (tmp_path / "novels").mkdir()
    (tmp_path / "novels" / "quill.txt").write_text(novel(100), encoding="utf-8")
    return tmp_path


def words(server: ModelServer, *more: str, **settings: Any) -> list[str]:
    said = {"model": "stub-1", "base_url": server.url, "server": "stub", "attempts": 2, "timeout_s": 5, **settings}
    maker = "openai:" + ",".join(f"{name}={value}" for name, value in said.items())
    named = ["--task", TASK, "--from", "novels", "--maker", maker, "--out", "made.jsonl", "--work", "work"]
    return ["generate", "memoryagentbench", *named, *more]


def generate(folder: Path, server: ModelServer, *more: str, **settings: Any) -> int:
    with chdir(folder):
        return command_line(words(server, *more, **settings))


def log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "work" / "rejects.jsonl").read_text().splitlines()]


def written(folder: Path) -> dict[str, bytes]:
    names = ("made.jsonl", "work/rejects.jsonl", "work/summary.json")
    return {name: (folder / name).read_bytes() for name in names}


def test_the_log_accounts_for_every_reply_that_was_malformed_or_broke_a_rule(here: Path) -> None:
    """10 % are malformed and 5 % break a rule; the stub counts them, and so does the log, one by one."""
    maker = EventMaker(malformed=0.10, broken=0.05)
    with ModelServer(reply=maker) as server:
        assert generate(here, server) == 0
    lines = log(here)
    tries = [one for line in lines for one in line.get("failed", [])]
    bad = {name: maker.said[name] for name in ("malformed", "broken")}
    assert min(bad.values()) >= 3, bad
    assert len(tries) == sum(bad.values())
    by_shape = sum(one["checks"][0] in {"not_json", "shape", "empty"} for one in tries)
    assert by_shape == bad["malformed"]
    assert {line["outcome"] for line in lines} >= {"repaired", "dropped"}
    assert all(line["check"] and line["step"] and line["item"] == f"{TASK}:quill" for line in lines)
    summary = json.loads((here / "work" / "summary.json").read_text())
    assert sum(step.get("tries", 0) for step in summary["steps"]) == sum(maker.said.values())
    assert (summary["items"], summary["made"]) == (1, 1)


def test_a_model_that_is_mostly_wrong_costs_parts_and_each_is_accounted_for(here: Path) -> None:
    """Half of the replies cannot be used: some parts are rejected after all their tries, and the rest is written."""
    with ModelServer(reply=EventMaker(malformed=0.3, broken=0.2)) as server:
        assert generate(here, server) == 0
    rejected = [line for line in log(here) if line["outcome"] == "rejected"]
    assert rejected
    assert all(line["tries"] == 4 == len(line["failed"]) for line in rejected)
    summary = {step["step"]: step for step in json.loads((here / "work" / "summary.json").read_text())["steps"]}
    assert sum(step.get("rejected", 0) for step in summary.values()) == len(rejected)
    (made,) = registry.benchmark("memoryagentbench").load(here / "made.jsonl").histories
    held = summary["verified"]
    assert len(made.history.questions) == held.get("first_try", 0) + held.get("repaired", 0)


def test_what_is_made_is_what_the_benchmark_loads(here: Path) -> None:
    """Six options, one right, five others of the maker; evidence holds the sentence; the origin says how far."""
    with ModelServer(reply=EventMaker(malformed=0.1, broken=0.05)) as server:
        assert generate(here, server) == 0
    dataset = registry.benchmark("memoryagentbench").load(here / "made.jsonl")
    (made,) = dataset.histories
    texts = {message.message_id: message.text for message in made.history.messages()}
    assert "".join(texts.values()) == novel(100).strip()
    for question in made.history.questions:
        key = made.keys[question.question_id]
        assert question.answer_format is AnswerFormat.LETTER
        assert len(question.options) == len({option.text for option in question.options}) == 6
        assert any(key.gold[1] in texts[one] for one in key.evidence)
    letters = [made.keys[question.question_id].gold[0] for question in made.history.questions]
    assert max(map(letters.count, "ABCDEF")) - min(map(letters.count, "ABCDEF")) <= 1
    assert f"{len(letters)} of 100 questions" in dataset.origin


@pytest.mark.full
def test_killed_at_any_moment_and_begun_again_it_writes_the_same_bytes(here: Path, tmp_path_factory: Any) -> None:
    """kill -9 after 3, 20 and 45 more calls; nothing that was answered is asked again but what was in flight."""
    whole = tmp_path_factory.mktemp("whole")
    (whole / "novels").symlink_to(here / "novels")
    maker = EventMaker(malformed=0.1, broken=0.05)
    with ModelServer(reply=maker) as server:
        assert generate(whole, server) == 0
        needed = sum(maker.said.values())
        server.delay_s = 0.01
        server.forget()
        for more in (3, 20, 45):
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


def test_ctrl_c_ends_it_with_words_and_it_goes_on(here: Path) -> None:
    with ModelServer(reply=EventMaker(), delay_s=0.02) as server:
        process = subprocess.Popen(
            [str(RECOLLECT), *words(server)], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while server.requests < 12:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 130, said
        assert "Run the same command again to go on" in said
        assert not (here / "made.jsonl").exists()
        assert generate(here, server) == 0


def test_calls_that_fail_leave_it_unfinished_and_the_same_command_ends_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No data are written as long as a part may still come."""
    maker, broken = EventMaker(), [True]

    def reply(call: Call) -> Any:
        asked = call.body["messages"][0]["content"]
        return (
            FAULTS["server_error"] if broken[0] and '"verdicts":' in asked and "Mara" in asked[-900:] else maker(call)
        )

    with ModelServer(reply=reply) as server:
        assert generate(here, server, attempts=1) == 1
        assert "Run it again" in capsys.readouterr().err
        assert not (here / "made.jsonl").exists()
        assert any(line["outcome"] == "unfinished" for line in log(here))
        broken[0] = False
        assert generate(here, server) == 0
    assert not any(line["outcome"] == "unfinished" for line in log(here))


def test_a_budget_ends_it_before_it_is_passed_and_a_higher_one_goes_on(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = "prices:\n  - {model: stub-1, input: 10, output: 20, date: 2026-01-01, source: made up for a test}\n"
    (here / "prices.yaml").write_text(prices)
    with ModelServer(reply=EventMaker()) as server:
        assert generate(here, server, "--max-cost", "0.2", "--prices", "prices.yaml", "--calls", "1") == 3
        assert "--max-cost" in capsys.readouterr().err
        asked = server.requests
        assert generate(here, server, "--max-cost", "50") == 0
        assert asked > 2


def test_the_same_command_again_asks_nothing_but_the_trial_call(here: Path) -> None:
    with ModelServer(reply=EventMaker(malformed=0.1)) as server:
        assert generate(here, server) == 0
        before, asked = written(here), server.requests
        assert generate(here, server) == 0
        assert server.requests == asked + 1
    assert written(here) == before


def test_a_dry_run_sends_nothing_and_says_how_often_each_step_may_ask(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(reply=EventMaker()) as server:
        assert generate(here, server, "--dry-run") == 0
        assert server.requests == 0
    said = capsys.readouterr().out
    assert all(step in said for step in ("events", "duplicates", "distractors", "verify", "replace"))
    assert not (here / "work").exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param(["--task", "eventqa_9"], "task that a model makes `eventqa_9` is not known", id="task"),
        pytest.param(["--from", "nowhere"], "no such file or folder", id="source"),
        pytest.param(["--maker", "rules"], "name a model", id="maker"),
        pytest.param(["--maker", "openai:model=m,base_url=x"], "base_url", id="settings"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_sent(
    here: Path, capsys: pytest.CaptureFixture[str], more: list[str], told: str
) -> None:
    with ModelServer(reply=EventMaker()) as server:
        assert generate(here, server, *more) == 2
        assert server.requests == 0
    assert told in capsys.readouterr().err


def test_flags_of_a_maker_without_one_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with chdir(tmp_path):
        assert command_line(["generate", "memoryagentbench", "--out", "x.jsonl", "--task", TASK]) == 2
        assert command_line(["generate", "own", "--out", "x", "--maker", "openai:model=m", "--from", "."]) == 2
    said = capsys.readouterr().err
    assert "need `--maker`" in said
    assert "has no tasks that a model makes" in said

"""The gateway as a user meets it: as a command of its own, and under a memory that calls models over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect.contracts.memory import Access
from recollect.store.measures import calls_of
from recollect.store.run_folder import RunFolder

from tests.fakes.gateway_calls import call, chat
from tests.fakes.model_acts import Act, Call, fail
from tests.fakes.model_runs import OWN, ledger, of, recollect
from tests.fakes.model_server import ModelServer

ROOT = Path(__file__).parents[2]
RECOLLECT = Path(sys.executable).parent / "recollect"
MEMORY = ROOT / "examples" / "gateway_memory.py"
PRICES = "prices: [{model: stub-1, input: 1000, output: 2000, date: 2026-01-01, source: made up for a test}]\n"


@contextmanager
def serving(cwd: Path, *words: str) -> Iterator[tuple[Access, subprocess.Popen[str]]]:
    """`recollect gateway` as a process, and the access that it prints."""
    line = [str(RECOLLECT), "gateway", *words]
    with subprocess.Popen(line, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url, token = (process.stdout.readline().strip().partition("=")[2] for _ in range(2))
            yield Access(base_url=url, token=token), process
        finally:
            process.kill()


def model(server: ModelServer, **settings: object) -> str:
    """The model on *server* as a user names it."""
    said = {"attempts": 2, "timeout_s": 5, "server": "stub", **settings}
    return f"openai:model=stub-1,base_url={server.url}," + ",".join(f"{key}={value}" for key, value in said.items())


def facts_of(one: Call) -> Act | str:
    """A model that finds one fact in everything: the text itself."""
    if "Text:" not in one.last:
        return "ready"
    return json.dumps({"facts": [one.last.partition("Text:\n")[2]]})


def run_facts(cwd: Path, server: ModelServer | None, *more: str, name: str = "r") -> int:
    """A run with the memory that calls models over HTTP."""
    words = ["run", "own", "--data", str(OWN), "--memory", str(MEMORY), "--no-references", "--arm", "system"]
    asked = ["--memory-model", model(server)] if server else []
    return recollect(cwd, *words, *asked, "--name", name, *more)


def test_recollect_gateway_serves_rules_until_it_is_interrupted(tmp_path: Path) -> None:
    """No key, no network, no run: chat, JSON, vectors; then exit code 0."""
    with serving(tmp_path) as (access, process):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", access.base_url)
        wanted = {"type": "json_schema", "json_schema": {"schema": {"properties": {"facts": {"type": "array"}}}}}
        said = chat(access, "Text: I moved to Lisbon in May.", response_format=wanted).text
        assert json.loads(said)["facts"] == ["I moved to Lisbon in May."]
        assert len(call(access, "/embeddings", {"input": "a"}).body["data"][0]["embedding"]) == 384
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_recollect_gateway_pays_once_and_keeps_a_ledger(tmp_path: Path) -> None:
    """Also over a restart; and says what was spent."""
    (tmp_path / "p.yaml").write_text(PRICES)
    with ModelServer(reply="yes") as server:
        line = ("--model", model(server), "--prices", "p.yaml")
        for _ in range(2):
            with serving(tmp_path, *line) as (access, process):
                assert chat(access, "Hello").text == chat(access, "Hello").text == "yes"
                process.send_signal(signal.SIGINT)
                assert process.wait(20) == 0
                told = process.stderr.read() if process.stderr else ""
        assert [one.last for one in server.calls].count("Hello") == 1
    lines = [line for line in calls_of(RunFolder(tmp_path / "runs/.cache/gateway")) if line.stage == "gateway"]
    assert Counter(line.status for line in lines) == {"paid": 1, "cached": 3}
    assert "3 cached, 3 paid" in told, "two of them were trial calls"


def test_recollect_gateway_says_its_address_as_json_too(tmp_path: Path) -> None:
    """For scripts."""
    line = [str(RECOLLECT), "gateway", "--json"]
    with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        said = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
        access = Access(base_url=said["base_url"], token=said["token"])
        assert chat(access, "Hello").status == 200
        assert said["dimensions"] == 384
        process.kill()


def test_a_memory_over_http_runs_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rules answer its prompts well enough that it stores and finds, and the same again gives the same."""
    for name in ("a", "b"):
        assert run_facts(tmp_path, None, name=name) == 0
    _, found = of(tmp_path, "a")
    (number,) = (number for number in found.summary.numbers if number.label is None and number.stratum is None)
    assert number.row == "facts"
    assert (number.score.estimate or 0) > 0
    capsys.readouterr()
    identities = []
    for name in ("a", "b"):
        recollect(tmp_path, "score", name, "--json")
        identities.append(json.loads(capsys.readouterr().out)["identity"])
    assert identities[0] == identities[1]


def test_calls_over_http_are_on_the_ledger_under_their_trial_and_row(tmp_path: Path) -> None:
    """Each with what the memory was doing; a second run finds them all."""
    with ModelServer(reply=facts_of) as server:
        assert run_facts(tmp_path, server, name="first") == 0
        before = server.requests
        assert run_facts(tmp_path, server, name="second") == 0
        assert server.requests == before + 1, "the trial call"
    lines = [line for line in ledger(tmp_path, "first") if line.stage != "probe"]
    trials = {folder.name.replace("-", ":") for folder in (tmp_path / "runs/first/trials").iterdir()}
    assert {line.trial for line in lines} == trials
    assert {(line.role, line.stage, line.row, line.status) for line in lines} == {
        ("memory", "observe", "facts", "paid")
    }
    again = [line for line in ledger(tmp_path, "second") if line.stage != "probe"]
    assert {line.status for line in again} == {"cached"}
    assert len(again) == len(lines) == 6


def test_calls_over_http_count_in_the_budget(tmp_path: Path) -> None:
    """The run ends, refused; nobody calls it a fault of the memory, and with more money it goes on."""
    (tmp_path / "p.yaml").write_text(PRICES)
    with ModelServer(reply=facts_of) as server:
        assert run_facts(tmp_path, server, "--prices", "p.yaml", "--max-cost", "0.1") == 3
        _, found = of(tmp_path)
        assert found.summary.fault_share == 0
        assert not [line for line in ledger(tmp_path) if line.status == "failed"]
        spent = sum(line.money or 0 for line in ledger(tmp_path))
        assert 0 < spent <= 0.1 + 0.2
        assert run_facts(tmp_path, server, "--prices", "p.yaml", "--max-cost", "50") == 0


def test_a_model_that_fails_behind_the_gateway_is_a_fault_and_never_a_wrong_answer(tmp_path: Path) -> None:
    """By the cause of the call, though the memory saw nothing but an HTTP error; a resume mends it."""
    with ModelServer(reply=lambda one: fail(500) if "Vela Mini" in one.last else facts_of(one)) as server:
        assert run_facts(tmp_path, server) == 1
        _, found = of(tmp_path)
        assert {fault.cause for fault in found.summary.faults} == {"server_error"}
        server.reply = facts_of
        assert recollect(tmp_path, "resume", "r") == 0
    _, found = of(tmp_path)
    assert found.summary.fault_share == 0


def test_a_memory_that_swallows_the_error_does_not_hide_it(tmp_path: Path) -> None:
    """What it stored instead would look like the work of a bad memory."""
    text = MEMORY.read_text()
    guarded = text.replace("        said = self._post(", "        try:\n            said = self._post(", 1).replace(
        "        facts: list[str] =",
        "        except OSError:\n            return Receipt.nothing()\n        facts: list[str] =",
        1,
    )
    assert guarded != text
    mine = tmp_path / "swallows.py"
    mine.write_text(guarded)
    with ModelServer(reply=lambda one: fail(500) if "Vela Mini" in one.last else facts_of(one)) as server:
        words = ["run", "own", "--data", str(OWN), "--memory", str(mine), "--no-references", "--arm", "system"]
        assert recollect(tmp_path, *words, "--memory-model", model(server), "--name", "r") == 1
    _, found = of(tmp_path)
    assert {fault.cause for fault in found.summary.faults} == {"server_error"}


def test_no_token_is_written_anywhere(tmp_path: Path) -> None:
    """Not in the run's folder, not in the cache."""
    assert run_facts(tmp_path, None) == 0
    files = [file for file in (tmp_path / "runs").rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if re.search(rb"\bsk-[\w-]{32}\b", file.read_bytes())]


def test_a_row_behind_another_model_is_another_row(tmp_path: Path) -> None:
    """The model behind the gateway is part of what the row is."""
    assert run_facts(tmp_path, None, name="rules") == 0
    with ModelServer(reply=facts_of) as server:
        assert run_facts(tmp_path, server, name="paid") == 0
    systems = [
        json.loads((tmp_path / f"runs/{name}/run.json").read_text())["config"]["rows"] for name in ("rules", "paid")
    ]
    models = [rows[0]["system"]["model"] for rows in systems]
    assert models[0].startswith("rules-gateway-")
    assert models[1].startswith("openai:stub-1@stub")
    assert os.fspath(tmp_path) not in json.dumps(models)

"""`recollect doctor`, as a user types it, and what reports say afterwards."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.command_line import typed

ROOT = Path(__file__).parents[2]
OWN = ROOT / "examples" / "own_data"
TWINS = ROOT / "tests" / "fakes" / "doctor_memories.py"
RECOLLECT = Path(sys.executable).parent / "recollect"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`."""
    done = typed(shlex.split(line)[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(autouse=True)
def _memories_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor's own processes can import them."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def results(card: dict[str, Any]) -> dict[str, str]:
    return {line["name"]: line["result"] for line in card["checks"]}


@pytest.mark.parametrize("memory", ["none", "window", "full", "bm25", "dense", "hybrid", "files"])
def test_no_check_of_a_memory_that_comes_along_fails(memory: str, tmp_path: Path) -> None:
    card = json.loads(recollect(f"recollect doctor {memory} --json --date 2024-05-01", tmp_path).stdout)
    assert set(results(card).values()) <= {"pass", "not available"}
    assert all(line["why"] for line in card["checks"])
    assert card["date"] == "2024-05-01"
    assert {results(card)[name] for name in ("isolation", "reset", "sockets", "files", "clock")} == {"pass"}


def test_the_card_is_printed_kept_and_carried_by_reports(tmp_path: Path) -> None:
    printed = recollect("recollect doctor bm25", tmp_path).stdout
    (kept,) = (tmp_path / "runs" / ".cache" / "cards").glob("*.json")
    card = json.loads(kept.read_text())
    assert printed.startswith(f"card {card['card']}")
    assert "bm25 version 1" in printed
    recollect(f"recollect run own --data {OWN} --memory bm25 --name mine", tmp_path)
    run = json.loads((tmp_path / "runs/mine/run.json").read_text())
    assert run["cards"]["bm25"] == card["card"]
    assert run["cards"]["full"] == "not examined"
    assert "oracle" not in run["cards"]
    assert "cards" not in run["config"]
    assert card["card"] in (tmp_path / "runs/mine/report/index.html").read_text()
    assert f"examined: bm25 {card['card']}" in recollect("recollect score mine", tmp_path).stdout


@pytest.mark.full
def test_the_card_is_no_part_of_what_a_run_is(tmp_path: Path) -> None:
    line = f"recollect run own --data {OWN} --memory bm25 --name mine"
    for name in "ab":
        (tmp_path / name).mkdir()
    recollect(line, tmp_path / "a")
    recollect("recollect doctor bm25", tmp_path / "b")
    recollect(line, tmp_path / "b")
    one, other = (
        json.loads(recollect("recollect score mine --json", tmp_path / name).stdout)["identity"] for name in "ab"
    )
    assert one == other


def test_a_failed_check_is_exit_code_1_and_stands_beside_the_row(tmp_path: Path) -> None:
    broken = f"{TWINS}:twin=PassesTheLimit"
    told = recollect(f"recollect doctor {broken}", tmp_path, code=1).stdout
    assert "fail: limits: the limit of a search means what `limit` says. 2 items were found with a limit of 1" in told
    recollect(f"recollect run own --data {OWN} --memory {broken} --name mine", tmp_path)
    page = (tmp_path / "runs/mine/report/index.html").read_text()
    assert "(fails: limits)" in page
    assert "fails checks" in page


def test_other_settings_are_another_card(tmp_path: Path) -> None:
    recollect("recollect doctor bm25", tmp_path)
    recollect("recollect doctor bm25:previous=true", tmp_path)
    assert len(list((tmp_path / "runs" / ".cache" / "cards").glob("*.json"))) == 2


def test_what_is_not_installed_is_said_with_the_line_that_installs_it(tmp_path: Path) -> None:
    done = recollect("recollect doctor mem0", tmp_path, code=2)
    assert "recollect install mem0" in done.stderr
    assert not list(tmp_path.rglob("cards/*.json"))


def test_a_day_that_is_none_is_refused(tmp_path: Path) -> None:
    done = recollect("recollect doctor bm25 --date tomorrow", tmp_path, code=2)
    assert "2024-03-01" in done.stderr


ADAPTER = """
import datetime, socket

TRAITS = {"keeps": "all"}

class Adapter:
    def __init__(self, config, room):
        self.held, self.config = [], config

    def write(self, batch):
        self.held += batch["messages"]
        return {"status": "stored", "unit_ids": [m["message_id"] for m in batch["messages"]]}

    def settle(self):
        if self.config["home"]:
            try:
                socket.create_connection(("192.0.2.1", 443), timeout=0.1)
            except OSError:
                pass

    def search(self, cue):
        words = set(cue["text"].lower().strip("?").split())
        found = [m for m in self.held if words & set(m["text"].lower().strip(".").split())]
        late = self.config["day"] and datetime.datetime.now().year > 2034
        return [{"message": m} for m in (found[::-1] if late else found)][: cue["limit"]]

    def units(self):
        for m in self.held:
            yield {"unit_id": m["message_id"], "text": m["text"], "sources": [m["message_id"]], "said_at": m["said_at"]}

    def close(self):
        pass
"""


@pytest.mark.full
def test_a_python_worker_is_watched_too(tmp_path: Path) -> None:
    """It reaches out, and goes by the day, in a process that the doctor's own process starts."""
    (tmp_path / "adapter.py").write_text(ADAPTER)
    (tmp_path / "w.yaml").write_text("kind: python\nadapter: adapter.py\nsettings: {home: false, day: false}\n")
    sound = json.loads(recollect("recollect doctor w.yaml --json", tmp_path).stdout)
    assert {results(sound)[name] for name in ("sockets", "files", "clock")} == {"pass"}
    broken = json.loads(recollect("recollect doctor w.yaml:home=true,day=true --json", tmp_path, code=1).stdout)
    failed = {line["name"]: line["why"] for line in broken["checks"] if line["result"] == "fail"}
    assert set(failed) == {"sockets", "clock"}
    assert "192.0.2.1" in failed["sockets"]
    assert "ten years later it lists or finds something else" in failed["clock"]


ASKING = """
import json, urllib.request

TRAITS = {"models_on_write": True, "keeps": "all"}

class Adapter:
    def __init__(self, config, room):
        self.held, self.config, self.access = [], config, room["access"]

    def write(self, batch):
        if not self.wanted(batch["text"]):
            return {"status": "stored"}
        self.held += batch["messages"]
        return {"status": "stored"}

    def wanted(self, text):
        turn = {"role": "user", "content": "Reply in JSON what is worth keeping: " + text}
        said = {"model": "any", "messages": [turn]}
        request = urllib.request.Request(
            self.access["base_url"] + "/chat/completions",
            data=json.dumps({**said, "response_format": {"type": "json_object"}}).encode(),
            headers={"Authorization": "Bearer " + self.access["token"], "Content-Type": "application/json"},
        )
        reply = json.loads(urllib.request.urlopen(request, timeout=60).read())
        try:
            return isinstance(json.loads(reply["choices"][0]["message"]["content"]), dict)
        except ValueError:
            if self.config["swallow"]:
                return False
            raise

    def settle(self):
        pass

    def search(self, cue):
        words = set(cue["text"].lower().strip("?").split())
        found = [m for m in self.held if words & set(m["text"].lower().strip(".").split())]
        return [{"message": m} for m in found][: cue["limit"]]

    def units(self):
        for m in self.held:
            yield {"unit_id": m["message_id"], "text": m["text"], "sources": [m["message_id"]], "said_at": m["said_at"]}

    def close(self):
        pass
"""


@pytest.mark.full
def test_models_of_a_worker_are_counted_and_made_ill_over_http(tmp_path: Path) -> None:
    """Its calls go through the gateway; prose that it takes for nothing to keep fails the check."""
    (tmp_path / "asking.py").write_text(ASKING)
    (tmp_path / "a.yaml").write_text("kind: python\nadapter: asking.py\nneeds: [gateway]\nsettings: {swallow: false}\n")
    sound = json.loads(recollect("recollect doctor a.yaml --json", tmp_path).stdout)
    told = {line["name"]: line["why"] for line in sound["checks"]}
    assert (sound["ran"], sound["model"]) == ("ran", "rules")
    assert {results(sound)[name] for name in ("models_on_write", "paid_once", "server_errors", "prose")} == {"pass"}
    assert told["models_on_write"] == "12 prompts or texts were sent while writing"
    broken = json.loads(recollect("recollect doctor a.yaml:swallow=true --json", tmp_path, code=1).stdout)
    failed = {line["name"]: line["why"] for line in broken["checks"] if line["result"] == "fail"}
    assert set(failed) == {"prose"}
    assert "12 bad replies, no error, and 0 instead of 12 planted words are found" in failed["prose"]

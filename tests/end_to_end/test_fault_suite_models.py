"""Everything that can break between us and a model, injected over the wire into a run as a user starts it.

Each breakage hits every call of one question: it must end as a fault with its cause, never as a wrong answer; the run
ends with exit code 1 and no headline; and once the server works again, `resume` asks for that question alone.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.model_acts import FAULTS, Act
from tests.fakes.model_runs import QUESTIONS, answers, ledger, of, recollect, run_own
from tests.fakes.model_server import ModelServer

ASKED = "Where is Ann's office?"
CAUSES = {
    "rate_limited": "rate_limited",
    "server_error": "server_error",
    "overloaded": "overloaded",
    "connection_closed": "connection_closed",
    "closed_midway": "connection_closed",
    "slow_trickle": "slow_trickle",
    "timeout": "timeout",
    "not_json": "not_json",
    "error_in_reply": "error_in_reply",
    "rate_limit_in_reply": "rate_limited",
    "truncated_json": "truncated_json",
    "wrong_schema": "wrong_schema",
    "empty_choice": "empty_choice",
    "no_choice": "empty_choice",
    "wrong_model": "wrong_model",
    "usage_missing": "usage_missing",
    "filtered": "filtered",
}


def broken(act: Act, text: str = ASKED) -> ModelServer:
    """A server that breaks on one question."""
    return ModelServer(reply=answers(lambda question: act if question["question"] == text else None))


def test_every_breakage_that_the_server_knows_has_its_cause_here() -> None:
    """A fault that is added must be added to the suite."""
    assert set(FAULTS) == set(CAUSES)


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_breakage_is_a_fault_with_its_cause_and_never_a_wrong_answer(name: str, tmp_path: Path) -> None:
    """The other answers are scored; resumed with a sound server, one call makes the run whole."""
    with broken(FAULTS[name]) as server:
        code = run_own(tmp_path, server, timeout_s=1)
        _, found = of(tmp_path)
        faults = [cell for cell in found.cells if cell.status == "fault"]
        assert code == 1
        assert len(faults) == 1
        assert all(cell.status == "scored" for cell in found.cells if cell not in faults)
        assert {group.cause for group in found.summary.faults} == {CAUSES[name]}
        assert all(head.withheld for head in found.summary.headlines)
        server.reply = answers()
        server.forget()
        assert recollect(tmp_path, "resume", "r") == 0
        assert server.requests == 2  # the trial call, and the one question
    _, whole = of(tmp_path)
    assert all(cell.status == "scored" for cell in whole.cells)


def test_a_storm_of_refusals_that_ends_leaves_no_trace_in_the_scores(tmp_path: Path) -> None:
    """Twenty 429 in a row, then answers: everything is answered, and the ledger says how long was waited."""
    with ModelServer(reply=answers()) as server:
        server.then("ready", *[FAULTS["rate_limited"]] * 20)
        assert run_own(tmp_path, server, attempts=12) == 0
    _, found = of(tmp_path)
    assert all(cell.status == "scored" for cell in found.cells)
    lines = ledger(tmp_path)
    assert sum(len(line.causes) for line in lines if line.status == "paid") == 20
    assert sum(line.waited for line in lines) > 1


def test_a_model_that_does_not_answer_at_all_stops_the_run_before_it_begins(tmp_path: Path) -> None:
    """The trial call fails: exit code 4, no record, nothing scored."""
    with ModelServer(reply=FAULTS["not_json"]) as server:
        assert run_own(tmp_path, server) == 4
        assert server.requests == 2
    assert not list((tmp_path / "runs" / "r").glob("trials/*/records.jsonl"))


def test_a_wrong_key_stops_the_run_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused for good: it is not tried again."""
    monkeypatch.setenv("STUB_KEY", "not-the-key")
    with ModelServer(reply=answers(), key="the-key") as server:
        assert run_own(tmp_path, server, key_env="STUB_KEY") == 4
        assert server.requests == 1


def test_a_missing_key_is_told_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The variable is named."""
    monkeypatch.delenv("STUB_KEY", raising=False)
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, key_env="STUB_KEY") == 2
        assert server.requests == 0
    assert "environment variable `STUB_KEY` is not set" in capsys.readouterr().err


def test_a_judge_that_writes_prose_leaves_answers_undecided_and_never_wrong(tmp_path: Path) -> None:
    """No verdict is found in prose, even if the prose says that the answer is right."""
    with ModelServer(reply="The answer is right, I would say, or at least not wrong.") as server:
        judge = f"openai:model=stub-1,base_url={server.url},server=stub"
        words = ["run", "own", "--data", str(_own()), "--memory", "bm25", "--no-references", "--arm", "system"]
        recollect(tmp_path, *words, "--judge", judge, "--name", "r")
    _, found = of(tmp_path)
    assert "undecided" in {cell.status for cell in found.cells}
    decided = [cell for cell in found.cells if cell.status != "undecided"]
    assert all(cell.value == 1 for cell in decided if cell.status == "scored")  # word for word: needs no model
    assert found.summary.total.fault == 0


def test_a_full_disk_stops_the_run_and_nothing_that_was_paid_for_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up while answers come in: exit code 4; with room again, no answered question is asked again."""
    write, written = os.write, [0]

    def full(handle: int, data: bytes) -> int:
        if b'"kind":"answer"' in data:
            written[0] += 1
            if written[0] == 3:
                raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data)

    with ModelServer(reply=answers()) as server:
        monkeypatch.setattr(os, "write", full)
        assert run_own(tmp_path, server, "--calls", "1") == 4
        monkeypatch.setattr(os, "write", write)
        before = server.requests
        assert recollect(tmp_path, "resume", "r", "--calls", "1") == 0
        prompts = [
            call.last
            for call in server.calls
            if ASKED in call.last or any(q["question"] in call.last for q in QUESTIONS)
        ]
        assert len(prompts) == len(set(prompts))
        assert server.requests > before
    _, found = of(tmp_path)
    assert all(cell.status == "scored" for cell in found.cells)


def test_a_memory_that_swallows_the_error_of_its_model_is_a_fault_all_the_same(tmp_path: Path) -> None:
    """It catches everything and stores nothing: what follows would look like a bad memory."""
    (tmp_path / "swallows.py").write_text(SWALLOWING, encoding="utf-8")
    with ModelServer(reply=answers()) as server:
        server.then("ready", *[FAULTS["not_json"]] * 200)
        model = f"openai:model=stub-1,base_url={server.url},server=stub,attempts=1"
        words = ["run", "own", "--data", str(_own()), "--memory", str(tmp_path / "swallows.py"), "--no-references"]
        assert recollect(tmp_path, *words, "--arm", "system", "--memory-model", model, "--name", "r") == 1
    _, found = of(tmp_path)
    assert {cell.status for cell in found.cells} == {"fault"}
    assert {group.cause for group in found.summary.faults} == {"not_json"}


SWALLOWING = '''
"""Asks its model what is worth keeping, and keeps nothing where that fails."""
from dataclasses import dataclass
from recollect.contracts.memory import Room
from recollect.contracts.models import Turn
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Recall, Receipt


@dataclass(frozen=True)
class Config:
    pass


class Swallows:
    def __init__(self, room: Room) -> None:
        self.model, self.kept = room.model, []

    def write(self, batch):
        for message in batch.messages:
            try:
                self.model.complete([Turn(role="user", text=message.text)])
                self.kept.append(message)
            except Exception:
                pass
        return Receipt(status="nothing_to_store")

    def settle(self):
        pass

    def search(self, cue):
        return Recall.of_messages(self.kept[-cue.limit:])

    def close(self):
        pass


KIND = MemoryKind(
    name="swallows", version=1, summary="loses what its model cannot weigh", config=Config,
    traits=lambda config: Traits(models_on_write=True), open=lambda config, room: Swallows(room), needs=("model",),
)
'''


def _own() -> Any:
    from tests.fakes.model_runs import OWN

    return OWN

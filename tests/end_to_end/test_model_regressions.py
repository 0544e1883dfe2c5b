"""Ways in which runs with models once broke a promise, as a user meets them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.domain.errors import InterruptedRunError
from recollect.models.settings import ModelSettings
from recollect.records.calls import CallLine
from recollect.store.files import write_once
from recollect.store.measures import Ledgers, calls_of
from recollect.store.run_folder import RunFolder

from tests.fakes.model_acts import Act, Call, fail, rate_limited
from tests.fakes.model_runs import OWN, answers, asked, of, reader, recollect, run_own
from tests.fakes.model_server import ModelServer

RECOLLECT = Path(sys.executable).parent / "recollect"
WORDS = ["run", "own", "--data", str(OWN), "--memory", "bm25", "--no-references", "--arm", "system"]

SWALLOWS = '''
"""Writes in threads of its own that end in `settle`, and says nothing of what breaks there."""

from dataclasses import dataclass
from threading import Thread

from recollect.contracts.models import Turn
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Recall, Receipt


@dataclass(frozen=True)
class Config:
    pass


class Late:
    def __init__(self, room):
        self.room, self.messages, self.threads = room, [], []

    def note(self, text):
        try:
            self.room.model.complete([Turn(role="user", text=text)])
        except Exception:
            pass

    def write(self, batch):
        self.messages += batch.messages
        self.threads.append(Thread(target=self.note, args=(batch.text,)))
        self.threads[-1].start()
        return Receipt.stored(message.message_id for message in batch.messages)

    def settle(self):
        for thread in self.threads:
            thread.join()

    def search(self, cue):
        return Recall.of_messages(self.messages[:1])

    def close(self):
        pass


KIND = MemoryKind(
    name="late", version=1, summary="late", config=Config, traits=lambda _: Traits(models_on_write=True),
    open=lambda _, room: Late(room), needs=("model",),
)
'''


def interrupted(cwd: Path, server: ModelServer, *more: str, calls: int, times: int = 1) -> tuple[float, str]:
    """Seconds from Ctrl-C, given once *calls* came in, to the end of the run; and what it said."""
    process = subprocess.Popen(
        [str(RECOLLECT), *WORDS, *more, "--name", "r"], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    while server.requests < calls and process.poll() is None:
        time.sleep(0.02)
    time.sleep(0.3)
    began = time.monotonic()
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    return time.monotonic() - began, said.decode()


def slow(call: Call) -> Act | str:
    """A question is never answered."""
    return Act(text="x", delay_s=3600.0) if asked(call) else "ready"


def refusing(call: Call) -> Act | str:
    """Come back in five minutes."""
    return rate_limited("300") if asked(call) else "ready"


@pytest.mark.parametrize("settings", [{"attempts": 50}, {"per_minute": 1}])
def test_ctrl_c_ends_a_run_that_waits_for_its_turn(settings: dict[str, int], tmp_path: Path) -> None:
    """However long the endpoint asked to wait, or its limit makes one wait."""
    with ModelServer(reply=refusing) as server:
        took, said = interrupted(tmp_path, server, "--reader", reader(server, **settings), calls=1)
    assert took < 5
    assert "Ctrl-C again" in said


def test_a_second_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    """The first one waits for the calls in flight, which may take as long as `timeout_s`; nothing recorded is lost."""
    with ModelServer(reply=slow) as server:
        took, _ = interrupted(tmp_path, server, "--reader", reader(server, timeout_s=50), calls=3, times=2)
        assert took < 5
        server.reply = answers()
        assert recollect(tmp_path, "resume", "r") == 0
    assert all(cell.status == "scored" for cell in of(tmp_path)[1].cells)


def test_a_call_that_breaks_in_a_thread_of_the_memory_is_a_fault(tmp_path: Path) -> None:
    """Begun while it was fed, broken when it settled, swallowed: what it finds then must not be scored."""
    (tmp_path / "late.py").write_text(SWALLOWS, encoding="utf-8")

    def reply(call: Call) -> Act:
        return Act(text="ready") if call.number == 0 else replace(fail(400), delay_s=0.3)

    with ModelServer(reply=reply) as server:
        words = ["run", "own", "--data", str(OWN), "--memory", "late.py", "--no-references", "--arm", "system"]
        assert recollect(tmp_path, *words, "--memory-model", reader(server), "--name", "r") == 1
    assert {cell.status for cell in of(tmp_path)[1].cells} == {"fault"}


def test_a_run_goes_on_with_more_patience_and_at_a_server_that_moved(tmp_path: Path) -> None:
    """As the errors advise; `resume` then uses the new settings, and both ways come to the same run."""
    with ModelServer(reply=answers(lambda _: fail(400))) as server:
        assert run_own(tmp_path, server, attempts=1, timeout_s=1) == 1
    with ModelServer(reply=answers()) as server:
        assert run_own(tmp_path, server, attempts=3, timeout_s=4) == 0
        assert recollect(tmp_path, "resume", "r") == 0
        assert run_own(tmp_path, server, name="other") == 0
        assert run_own(tmp_path, server, temperature=0.5) == 3
        asked_now = RunFolder(tmp_path / "runs" / "r").settings()["asked"]["reader"]["settings"]
    assert (asked_now["timeout_s"], asked_now["base_url"]) == (4, server.url)
    one, other = (RunFolder(tmp_path / "runs" / name).settings()["config"] for name in ("r", "other"))
    assert one == other


@pytest.mark.parametrize(
    "choice",
    ["key_env=sk-proj-0123456789abcdef", "headers={Authorization: Bearer sk-0123}", "base_url=http://h/v1?k=sk-0"],
)
def test_a_key_where_the_name_of_a_variable_belongs_is_refused_and_not_repeated(
    choice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither on the terminal nor in a file."""
    name, _, value = choice.partition("=")
    said = {"model": "m", "base_url": "http://127.0.0.1:9/v1", name: value}
    if name == "headers":
        said[name] = {"Authorization": "Bearer sk-0123"}  # type: ignore[assignment]
    config = {"benchmark": "own", "data": str(OWN), "reader": {"name": "openai", "settings": said}}
    (tmp_path / "c.yaml").write_text(json.dumps(config), encoding="utf-8")
    assert recollect(tmp_path, "run", "--config", "c.yaml", "--name", "r") == 2
    assert "sk-" not in capsys.readouterr().err
    assert not (tmp_path / "runs" / "r").exists()


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--reader", "openai"], "openai:model=NAME"),
        (["--reader", "opnai:model=x"], "Did you mean `openai`"),
        (["--judge", "openai:model=x,votes=two"], "`votes`"),
        (["--judge", "openai:model=x,votes=0"], "`votes` starts at 1"),
        (["--embedder", "bundeld"], "Did you mean `bundled`"),
        (["--embedder", "none", "--memory", "dense"], "`dense` needs an embedder"),
    ],
)
def test_a_choice_that_cannot_be_is_a_mistake_of_the_user(
    words: list[str], hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 with the way out; nothing is passed over in silence."""
    assert recollect(tmp_path, *WORDS, *words, "--name", "r") == 2
    assert hint in capsys.readouterr().err


def test_parts_in_one_folder_that_share_a_reply_count_it_once(tmp_path: Path) -> None:
    """One part finds what the other has yet to note, and takes it for lost: the ledger still has it once."""
    folder = RunFolder(tmp_path)
    line = {"call": "r1:a", "kind": "chat", "role": "reader", "model": "m", "money": 0.5, "priced": "2026-01-01"}
    ledgers = Ledgers(folder)
    for status, trial in (("recovered", "t-1"), ("paid", "t-2"), ("recovered", "t-3"), ("recovered", "t-4")):
        call = "r1:b" if trial in {"t-3", "t-4"} else "r1:a"
        ledgers.write(CallLine(**{**line, "call": call, "status": status, "trial": trial}))  # type: ignore[arg-type]
    ledgers.close()
    found = list(calls_of(folder))
    assert Counter((one.call, one.status) for one in found) == Counter(
        {("r1:a", "paid"): 1, ("r1:a", "cached"): 1, ("r1:b", "recovered"): 1, ("r1:b", "cached"): 1}
    )
    assert sum(one.money or 0 for one in found) == 1.0


def test_what_is_written_once_is_what_the_first_process_wrote(tmp_path: Path) -> None:
    """Two parts that begin at once agree on the name of their run: what either pays for is the same run's."""
    file = tmp_path / "run_id"
    write_once(file, b"first")
    write_once(file, b"second")
    assert file.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [file]


def test_the_check_of_one_judge_does_not_use_up_the_budget_of_another(tmp_path: Path) -> None:
    """Each has a ledger of its own, beside its check."""
    price = {"model": "stub-1", "input": 1, "output": 1, "date": "2026-01-01", "source": "made up for a test"}
    (tmp_path / "prices.yaml").write_text(json.dumps({"prices": [price]}), encoding="utf-8")
    said = json.dumps({"verdict": "right", "reason": "so"})
    with ModelServer(reply=lambda call: "ready" if call.number == 0 else said) as server:
        for temperature in (0, 0.5):
            judge = ["--judge", reader(server, temperature=temperature), "--prices", "prices.yaml"]
            assert recollect(tmp_path, "judge", "check", *judge) == 0
    checks = tmp_path / "runs" / ".cache" / "judge_checks"
    ledgers = [list(calls_of(RunFolder(folder))) for folder in checks.iterdir() if folder.is_dir()]
    assert len(ledgers) == 2
    assert all(sum(line.status == "paid" for line in lines) > 100 for lines in ledgers)


def test_settings_name_what_is_wrong_without_the_value_of_a_key() -> None:
    """Both problems at once."""
    with pytest.raises(ValueError, match="`key_env` is not the name") as caught:
        ModelSettings(model="m", key_env="sk-0123-abc", base_url="http://h/v1#x")
    assert "sk-0123" not in str(caught.value)
    assert "`base_url` goes on" in str(caught.value)


def test_an_error_that_a_system_wraps_keeps_its_meaning() -> None:
    """Ctrl-C inside a memory that says `my model failed` is no fault of the memory."""
    from recollect.contracts.call_context import CallContext
    from recollect.engine.systems.call_context import run_in_context

    occasion = CallContext(stage="observe")

    def wrapping() -> None:
        occasion.note("prompt", InterruptedRunError())
        raise RuntimeError("my model failed")

    with pytest.raises(InterruptedRunError):
        run_in_context(occasion, wrapping)


def test_without_an_embedder_an_agent_answers_by_words_and_is_another_system(tmp_path: Path) -> None:
    """No vector is made, and the row's key says none."""
    words = ["run", "amemgym", "--size", "small", "--memory", "bm25", "--limit", "6", "--no-references"]
    systems = {}
    for name in ("none", "bundled"):
        assert recollect(tmp_path, *words, "--arm", "system", "--embedder", name, "--name", name) == 0
        said = json.loads((tmp_path / "runs" / name / "run.json").read_text(encoding="utf-8"))["config"]
        systems[name] = said["rows"][0]["system"]
        assert ("embedder" in systems[name]) == ("+" in said["reader_fingerprint"])
    assert "embedder" not in systems["none"]
    assert systems["none"] == {key: value for key, value in systems["bundled"].items() if key != "embedder"}

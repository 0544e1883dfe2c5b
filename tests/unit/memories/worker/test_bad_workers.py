"""Whatever a worker does, it ends as a fault with a name, or does no harm."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.domain.errors import CallError, MalformedError, RetryableError, UsageError
from recollect.domain.exchange import Cue

from tests.fakes.workers import bad, overlap, room
from tests.unit.memories.small_history import HISTORY, batch

CUE = Cue(text="the cat", limit=5)


@pytest.mark.parametrize(
    ("how", "cause", "says"),
    [
        pytest.param("kill", "worker_died", "signal SIGKILL", id="killed"),
        pytest.param("exit", "worker_died", "exit code 3", id="exits"),
        pytest.param("orphan", "worker_died", "exit code 4", id="its child holds the output open"),
        pytest.param("wrong_id", "worker_protocol", "answered request 4 when 3 was asked", id="answers another"),
        pytest.param("neither", "worker_protocol", "neither", id="neither ok nor error"),
        pytest.param("garbage", "worker_protocol", "10000 lines and no answer", id="garbage without end"),
    ],
)
def test_what_breaks_the_protocol_is_a_named_fault(how: str, cause: str, says: str, tmp_path: Path) -> None:
    memory = bad(tmp_path / "room", how)
    with pytest.raises(CallError, match=says) as caught:
        memory.search(CUE)
    assert caught.value.cause == cause
    memory.close()


def test_a_dead_worker_stays_dead(tmp_path: Path) -> None:
    """What it held is gone: a new process would look like a memory that forgot."""
    memory = bad(tmp_path / "room", "kill")
    for _ in range(2):
        with pytest.raises(CallError) as caught:
            memory.search(CUE)
        assert caught.value.cause == "worker_died"
    with pytest.raises(CallError, match="in an earlier request"):
        memory.settle()
    memory.close()


def test_a_worker_that_hangs_is_ended_in_time(tmp_path: Path) -> None:
    memory, started = bad(tmp_path / "room", "hang", request_s=0.3), time.monotonic()
    with pytest.raises(RetryableError, match=r"silent for 0\.3 s") as caught:
        memory.search(CUE)
    assert caught.value.cause == "worker_timeout"
    memory.close()
    assert time.monotonic() - started < 10


def test_a_worker_that_talks_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.memories.worker.process.MAX_LINE", 3_000_000)
    memory = bad(tmp_path / "room", "endless")
    with pytest.raises(MalformedError, match="a line of over 3000000 bytes"):
        memory.search(CUE)
    memory.close()


def test_noise_between_answers_does_no_harm(tmp_path: Path) -> None:
    memory = bad(tmp_path / "room", "noise")
    assert len(memory.search(CUE).items) == 1
    assert len(memory.search(CUE).items) == 1
    memory.close()


def test_five_megabytes_of_complaints_block_nothing(tmp_path: Path) -> None:
    """Standard error is always listened to, or the worker would wait for somebody to read it."""
    memory = bad(tmp_path / "room", "stderr", request_s=20)
    assert memory.search(CUE).items
    memory.close()


def test_a_huge_answer_arrives_whole(tmp_path: Path) -> None:
    memory = bad(tmp_path / "room", "huge")
    assert len(memory.search(CUE).items[0].text) == 20_000_000
    memory.close()


def test_a_huge_request_arrives_whole(tmp_path: Path) -> None:
    """Far more than a pipe holds, to a worker that answers only at its end."""
    memory, text = overlap(tmp_path / "room"), "word " * 4_000_000
    memory.write(batch(replace(HISTORY[0], text=text)))
    assert next(memory.units()).text == text
    memory.close()


def test_a_number_that_is_none_is_taken_for_noise(tmp_path: Path) -> None:
    """NaN is no JSON; the sound answer behind it counts."""
    memory = bad(tmp_path / "room", "nan")
    assert memory.search(CUE).items[0].score is None
    memory.close()


def test_only_named_variables_reach_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_SECRET", "canary-1")
    monkeypatch.setenv("MY_TOKEN", "token-2")
    memory = bad(tmp_path / "room", "env", env=("MY_TOKEN", "NOT_SET"))
    seen = json.loads(memory.search(CUE).items[0].text)
    memory.close()
    assert "canary-1" not in seen.values()
    assert seen["MY_TOKEN"] == "token-2"
    assert seen["HOME"] == seen["TMPDIR"] == str(tmp_path / "room")
    own = {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "MY_TOKEN"}
    assert set(seen) - own <= {"LC_CTYPE", "PWD", "SHLVL", "_"}


def test_what_was_handed_on_stands_in_no_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "token-that-nobody-may-see")
    memory = bad(tmp_path / "room", "exit", env=("MY_TOKEN",))
    with pytest.raises(CallError, match=r"my token is \*\*\*") as caught:
        memory.search(CUE)
    memory.close()
    assert "nobody-may-see" not in str(caught.value)


def test_a_worker_of_another_protocol_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="speaks protocol 99"):
        bad(tmp_path / "room", "protocol")


@pytest.mark.skipif(not hasattr(__import__("resource"), "prlimit"), reason="no such limit on this system")
def test_a_worker_that_takes_too_much_memory_breaks(tmp_path: Path) -> None:
    memory = bad(tmp_path / "room", "memory", memory_mb=400)
    with pytest.raises(CallError, match="MemoryError") as caught:
        memory.search(CUE)
    assert caught.value.cause == "worker_died"
    memory.close()


def test_a_worker_that_does_not_go_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.memories.worker.links.CLOSE_S", 0.3)
    memory = bad(tmp_path / "room", "slow_exit")
    pid = memory.link.pipe.pid  # type: ignore[union-attr]
    memory.close()
    with pytest.raises(ProcessLookupError):
        os.killpg(pid, 0)


def test_a_killed_worker_leaves_no_process_behind(tmp_path: Path) -> None:
    """Also not those that it started."""
    memory = bad(tmp_path / "room", "orphan")
    pid = memory.link.pipe.pid  # type: ignore[union-attr]
    with pytest.raises(CallError):
        memory.search(CUE)
    memory.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _runs(pid):
        time.sleep(0.02)
    assert not _runs(pid)


def _runs(group: int) -> bool:
    """Whether a process of *group* is alive; one that is dead and not yet collected does not count."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, in_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(in_group) == group and state not in "ZX":
            return True
    return False


def test_a_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """Nobody is left to read its answer, so it goes, even from the middle of a call."""
    import subprocess
    import sys

    code = (
        "import os, sys; from pathlib import Path; from tests.fakes.workers import overlap;"
        "m = overlap(Path(sys.argv[1])); print(m.link.pipe.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "room")],
        cwd=Path(__file__).parents[4], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _runs(int(done.stdout)):
        time.sleep(0.05)
    assert not _runs(int(done.stdout))


def test_a_command_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    from recollect.memories.worker.process import Pipe, Start

    with pytest.raises(UsageError, match="`no-such-program` cannot be started"):
        Pipe(Start(command=("no-such-program",), folder=room(tmp_path / "r").folder), "the worker")

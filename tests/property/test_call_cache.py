"""`kill -9` of writing processes, and many of them at once: nothing acknowledged is missing, torn or mixed up."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from recollect.models.cache.calls import CallCache
from recollect.models.cache.database import FILE

from tests.fakes.cache_victim import key_of, value

ROOT = Path(__file__).parents[2]
Process = subprocess.Popen[str]


class Told(NamedTuple):
    """What a process was told when its put returned."""

    key: str
    number: int
    payer: str


def start(folder: Path, name: str, *, calls: int, threads: int = 1, point: int = 0, shared: int = 0) -> Process:
    """A process that fills the cache."""
    words = [str(folder), name, str(calls), str(threads), str(point), str(shared)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.cache_victim", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(output: str) -> list[Told]:
    """The acknowledged puts; a line cut off by the kill is none."""
    lines = [line.split() for line in output.split("\n")[:-1]]
    return [Told(key, int(number), payer) for key, number, payer in lines]


def check(folder: Path, acknowledged: Iterable[Told]) -> None:
    """Every acknowledged reply and prompt is there, the file is whole, and it takes more."""
    with CallCache(folder) as cache:
        for key, number, payer in acknowledged:
            found = cache.get(key)
            assert found is not None, f"call {number} of {payer} was acknowledged and is gone"
            assert found.reply == value(payer, number).reply
            assert cache.prompt(key) == value(payer, number).prompt
        cache.put(key_of("check", 0, 0), value("check", 0))
    base = sqlite3.connect(folder / FILE)
    assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    keys = [key for (key,) in base.execute("SELECT key FROM response")]
    base.close()
    with CallCache(folder) as cache:
        assert all(cache.prompt(key) for key in keys), "no call without all its texts"


@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("lives", [pytest.param(5, id="ci"), pytest.param(60, id="full", marks=pytest.mark.slow)])
def test_a_kill_at_any_time_loses_nothing_acknowledged(threads: int, lives: int, tmp_path: Path) -> None:
    """The parent kills: after some acknowledgements and a little while, so also inside a commit."""
    rng = random.Random(f"{threads}-{lives}")
    acknowledged: list[Told] = []
    for life in range(lives):
        process = start(tmp_path, f"life{life}", calls=5000, threads=threads)
        assert process.stdout is not None
        read = [process.stdout.readline() for _ in range(rng.randrange(1, 150))]
        time.sleep(rng.random() * 0.004)
        process.kill()
        rest, errors = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL, errors
        acknowledged += told("".join(read) + rest)
    assert len(acknowledged) >= lives
    check(tmp_path, acknowledged)


@pytest.mark.parametrize("lives", [pytest.param(10, id="ci"), pytest.param(200, id="full", marks=pytest.mark.slow)])
def test_a_kill_at_any_statement_leaves_a_file_that_opens(lives: int, tmp_path: Path) -> None:
    """The process kills itself at a statement: while it makes the file, inside a commit, between two."""
    rng = random.Random(lives)
    points = [*range(1, lives // 2 + 1), *(rng.randrange(lives // 2, 400) for _ in range(lives - lives // 2))]
    for point in points:
        folder = tmp_path / str(point)
        process = start(folder, "one", calls=2000, point=point)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL, errors
        check(folder, told(output))


def test_processes_that_write_at_once_agree_and_lose_nothing(tmp_path: Path) -> None:
    """They make the file at once, pay for the same calls at once, and all go on with the same replies."""
    running = [start(tmp_path, f"p{number}", calls=120, threads=4, shared=40, point=-1) for number in range(4)]
    time.sleep(1)  # all have started and wait
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = []
    for process in running:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        outputs.append(told(output))
    assert [len(output) for output in outputs] == [120] * 4
    check(tmp_path, [one for output in outputs for one in output])
    payers = {key: {one.payer for output in outputs for one in output if one.key == key} for key, _, _ in outputs[0]}
    assert all(len(payer) == 1 for payer in payers.values())


def test_a_kill_of_one_process_leaves_the_others_writing(tmp_path: Path) -> None:
    """A dead process holds no lock."""
    victim, other = start(tmp_path, "victim", calls=5000, threads=4), start(tmp_path, "other", calls=300, threads=4)
    assert victim.stdout is not None
    first = [victim.stdout.readline() for _ in range(20)]
    victim.kill()
    rest, _ = victim.communicate(timeout=60)
    output, errors = other.communicate(timeout=60)
    assert other.returncode == 0, errors
    assert len(told(output)) == 300
    check(tmp_path, [*told("".join(first) + rest), *told(output)])

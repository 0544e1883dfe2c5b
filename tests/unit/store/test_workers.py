"""Who works on a run: told by those who hold its locks, never by what they left behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.store.locks import hold, workers
from recollect.store.run_folder import RunFolder

HERE = socket.gethostname()


def test_a_process_that_holds_a_part_is_named_with_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with hold(folder.lock((2, 3)), "test"):
        assert workers(folder) == [f"process {os.getpid()} on {HERE} (part 2/3)"]
    assert workers(folder) == []


def test_looking_never_keeps_a_starter_from_its_lock(tmp_path: Path) -> None:
    """A free lock that names a dead process is not even tried."""
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    folder = RunFolder(tmp_path)
    folder.lock(None).write_text(f"process {gone.stdout.strip()} on {HERE}")
    with hold(folder.lock(None), "test"):
        folder.lock(None).write_text(f"process {gone.stdout.strip()} on {HERE}")
        assert workers(folder) == []


@pytest.mark.parametrize(
    "left",
    [
        pytest.param("", id="nothing yet"),
        pytest.param(f"process 1 on not-{HERE}", id="another machine"),
        pytest.param(f"process {os.getpid()} on {HERE}", id="a number used again"),
        pytest.param(f"process {10**30} on {HERE}", id="no process"),
        pytest.param("\x00\xff", id="junk"),
    ],
)
def test_what_a_process_left_behind_says_nothing(left: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.lock(None).write_text(left)
    assert workers(folder) == []

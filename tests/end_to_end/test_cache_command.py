"""`recollect cache`, as a user types it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recollect.contracts.models import Usage
from recollect.models.cache.calls import CallCache
from recollect.models.cache.entries import Stored
from recollect.records.digests import digest

from tests.fakes.command_line import typed

RECOLLECT = Path(sys.executable).parent / "recollect"


def recollect(line: str, cwd: Path, *, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a shell line that starts with `recollect`."""
    words = shlex.split(line)
    done = typed(words[1:], cwd)
    assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
    return done


def said(line: str, cwd: Path) -> Any:
    """The JSON that a command prints."""
    return json.loads(recollect(f"{line} --json", cwd).stdout)


def pay(folder: Path, count: int, text: str = "the mill") -> None:
    """Put so many calls into the cache of the runs in *folder*."""
    with CallCache(folder / "runs" / ".cache" / "calls") as cache:
        for number in range(count):
            stored = Stored(
                reply=json.dumps({"text": text}).encode(),
                prompt=f"question {number}",
                model="m-1",
                usage=Usage(input=10, output=2),
            )
            cache.put(digest(number), stored)


def test_show_counts_calls_and_tokens(tmp_path: Path) -> None:
    """As a table and as JSON."""
    pay(tmp_path, 3)
    table = recollect("recollect cache show", tmp_path).stdout
    assert "m-1" in table
    assert "3 calls" in table
    found = said("recollect cache show", tmp_path)
    assert found["calls"] == 3
    assert found["models"] == [{"kind": "chat", "model": "m-1", "calls": 3, "input": 30, "output": 6}]
    assert found["texts"] == 3
    assert found["bytes"] > 0


def test_looking_where_nothing_is_makes_nothing(tmp_path: Path) -> None:
    """No empty cache is left behind, and an export says where it looked."""
    assert said("recollect cache show", tmp_path)["calls"] == 0
    assert "runs/.cache/calls" in recollect("recollect cache export x.gz", tmp_path, code=2).stderr
    assert not list(tmp_path.iterdir())


def test_what_is_exported_here_is_merged_there(tmp_path: Path) -> None:
    """By way of one file; the second time all is known."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    pay(here, 5)
    pay(there, 2)
    done = recollect("recollect cache export ../calls.jsonl.gz", here)
    assert done.stdout == "../calls.jsonl.gz\n"
    assert said("recollect cache merge ../calls.jsonl.gz", there) == {"added": 3, "known": 2, "kept": 0}
    assert "0 calls added, 5 were here" in recollect("recollect cache merge ../calls.jsonl.gz", there).stdout
    assert said("recollect cache show", there)["calls"] == 5
    assert said("recollect cache export ../again.gz", there) == {"calls": 5, "file": "../again.gz"}


def test_a_merge_makes_the_cache_that_is_not_there(tmp_path: Path) -> None:
    """Under the folder of runs that was named."""
    pay(tmp_path, 2)
    recollect("recollect cache export calls.gz", tmp_path)
    recollect("recollect cache merge calls.gz --runs-dir other", tmp_path)
    assert said("recollect cache show --runs-dir other", tmp_path)["calls"] == 2


def test_contradictions_are_refused_unless_ours_are_to_be_kept(tmp_path: Path) -> None:
    """Exit code 3, with the flag to use in the message."""
    here, there = tmp_path / "here", tmp_path / "there"
    pay(here, 2)
    pay(there, 1, "the station")
    recollect("recollect cache export ../calls.gz", here)
    refused = recollect("recollect cache merge ../calls.gz", there, code=3)
    assert "1 call with another reply" in refused.stderr
    assert "--keep-ours" in refused.stderr
    assert said("recollect cache merge ../calls.gz --keep-ours", there) == {"added": 1, "known": 0, "kept": 1}


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        pytest.param("recollect cache merge nowhere.gz", "recollect cache export", id="no-file"),
        pytest.param("recollect cache merge text.txt", "not an export", id="no-export"),
        pytest.param("recollect cache merge", "Missing argument", id="no-name"),
        pytest.param("recollect cache wander", "No such command", id="no-command"),
    ],
)
def test_wrong_input_is_named(line: str, hint: str, tmp_path: Path) -> None:
    """Exit code 2, no traceback."""
    (tmp_path / "text.txt").write_text("hello")
    failed = recollect(line, tmp_path, code=2)
    assert hint in failed.stderr
    assert "Traceback" not in failed.stderr


def test_an_export_to_where_nothing_can_be_written_ends_with_4(tmp_path: Path) -> None:
    """The disk's fault has its own exit code."""
    pay(tmp_path, 1)
    assert "name another file" in recollect("recollect cache export nowhere/x.gz", tmp_path, code=4).stderr

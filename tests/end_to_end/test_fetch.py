"""`recollect fetch` through the shell line, from a server on this machine."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from recollect.benchmarks.memoryagentbench.card import SPLITS

RECOLLECT = Path(sys.executable).parent / "recollect"


class Hub(BaseHTTPRequestHandler):
    """Answers each file with its own path; the revision `short` breaks off, and `none` is not there."""

    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        if "/none/" in self.path:
            self.send_error(404)
            return
        body = self.path.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + (7 if "/short/" in self.path else 0)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def fetch(hub: str, cwd: Path, rest: str = "") -> subprocess.CompletedProcess[str]:
    line = f"{RECOLLECT} fetch memoryagentbench --out published --hub {hub} {rest}"
    return subprocess.run(shlex.split(line), cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def test_all_splits_come_at_the_revision_of_the_card_and_are_got_once(hub: str, tmp_path: Path) -> None:
    first = fetch(hub, tmp_path, "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert told["revision"] == "7ea0669"
    names = {f"{split}-00000-of-00001.parquet" for split in SPLITS}
    assert set(told["bytes"]) == names == {file.name for file in (tmp_path / "published").iterdir()}
    assert all("/datasets/ai-hyz/MemoryAgentBench/resolve/7ea0669/data/" in path for path in Hub.asked)
    again = fetch(hub, tmp_path)
    assert again.returncode == 0
    assert len(Hub.asked) == len(SPLITS)
    assert "--data published" in again.stdout


@pytest.mark.parametrize(("revision", "said"), [("none", "404"), ("short", "connection closed")])
def test_what_does_not_come_whole_is_not_there(revision: str, said: str, hub: str, tmp_path: Path) -> None:
    done = fetch(hub, tmp_path, f"--revision {revision}")
    assert done.returncode == 4
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "published").iterdir()) == []


def test_a_benchmark_whose_data_stay_with_the_user_says_so(tmp_path: Path) -> None:
    line = [str(RECOLLECT), "fetch", "locomo", "--out", "x"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "recollect show locomo" in done.stderr

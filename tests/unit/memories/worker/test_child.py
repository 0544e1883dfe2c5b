"""The file that serves an adapter: forgiving towards what an adapter returns, exact towards the protocol."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from recollect.memories.worker.adapter import CHILD

from tests.fakes.workers import OVERLAP

SCHEMAS = Path(__file__).parents[4] / "schemas" / "worker"
MESSAGE = {
    "message_id": "m1", "session_id": "s1", "text": "a cat", "speaker": "Ann", "role": "user",
    "said_at": None, "channel": "",
}  # fmt: skip
OPEN: dict[str, Any] = {"do": "open", "config": {}, "folder": ".", "namespace": "n", "seed": 0, "access": None}
WRITE = {"do": "write", "batch": {"text": "a cat", "messages": [MESSAGE]}}
SEARCH = {"do": "search", "cue": {"text": "cat", "limit": 3, "asked_at": None}}
PYTHONS = [
    Path(path)
    for path in ("/usr/bin/python3", *map(str, Path.home().glob(".pyenv/versions/3.*/bin/python")))
    if Path(path).is_file()
]


def talk(adapter: str | Path, tmp_path: Path, *requests: dict[str, Any], python: str = sys.executable) -> list[Any]:
    """The answers to *requests*; *adapter* is a file, or what one says."""
    file = adapter if isinstance(adapter, Path) else tmp_path / "adapter.py"
    if isinstance(adapter, str):
        file.write_text(adapter)
    lines = [json.dumps({"id": number, **request}) for number, request in enumerate(requests, start=1)]
    done = subprocess.run(
        [python, str(CHILD), str(file)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in answers] == list(range(1, len(requests) + 1)), done.stderr
    return answers


def with_search(body: str, more: str = "") -> str:
    """An adapter whose search does *body*."""
    return (
        f"import datetime, os, sys\n{more}\nclass Adapter:\n    def __init__(self, config, room): ...\n"
        "    def write(self, batch): ...\n    def settle(self): ...\n    def close(self): ...\n"
        f"    def search(self, cue):\n        {body}\n"
    )


def found(body: str, tmp_path: Path, more: str = "") -> Any:
    """The answer to a search."""
    return talk(with_search(body, more), tmp_path, OPEN, SEARCH)[1]


def test_every_request_and_answer_obeys_its_schema(tmp_path: Path) -> None:
    """Of the overlap adapter, which can everything."""
    saved = tmp_path / "saved"
    saved.mkdir()
    requests: list[dict[str, Any]] = [
        {"do": "hello", "protocol": 1}, OPEN, WRITE, {"do": "settle"}, SEARCH, {"do": "units"},
        {"do": "stored_from", "sources": ["m1"]}, {"do": "save", "folder": str(saved)},
        {"do": "forget", "sources": ["m1"]},
        {"do": "load", "folder": str(saved)}, {"do": "units"}, {"do": "no such thing"}, {"do": "close"},
    ]  # fmt: skip
    answers = talk(OVERLAP, tmp_path, *requests)
    request, answer = (json.loads((SCHEMAS / f"{name}.json").read_text()) for name in ("request", "answer"))
    for number, (asked, told) in enumerate(zip(requests, answers, strict=True), start=1):
        jsonschema.validate(told, answer)
        if asked["do"] != "no such thing":
            jsonschema.validate({"id": number, **asked}, request)
            assert "ok" in told, told
    assert answers[10] == {**answers[5], "id": 11}
    assert answers[11]["error"]["kind"] == "malformed"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": 1, "do": "no such thing"}, request)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": 1, "ok": {"items": [{"text": 7}]}}, answer)


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="only Linux tells it of one process alone")
def test_settling_tells_the_most_memory_that_the_process_has_taken(tmp_path: Path) -> None:
    """64 MiB that are written to and let go again count: it is a peak, and not what is held."""
    grown = "block = bytearray(b'x') * (64 << 20)\ndel block"
    small, large = (
        talk(with_search("return []", more), tmp_path, OPEN, {"do": "settle"})[1]["ok"]["peak_bytes"]
        for more in ("", grown)
    )
    assert 1 << 20 < small < 64 << 20, "not that of the process which started it"
    assert large - small > 60 << 20


def test_hello_tells_what_the_methods_and_the_module_say(tmp_path: Path) -> None:
    more = "NAME = 'mine'\nPACKAGES = ('pip', 'no-such-package')\nTRAITS = {'score': 'distance'}"
    (told,) = talk(with_search("return []", more), tmp_path, {"do": "hello", "protocol": 1})
    assert (told["ok"]["adapter"], told["ok"]["can"], told["ok"]["traits"]) == ("mine", [], {"score": "distance"})
    assert told["ok"]["versions"]["no-such-package"] == "not installed"
    (told,) = talk(OVERLAP, tmp_path, {"do": "hello", "protocol": 1})
    assert told["ok"]["can"] == ["listing", "readback", "snapshot", "forget"]


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("return None", []),
        ("return ({'text': str(n)} for n in range(2))", [{"text": "0"}, {"text": "1"}]),
        ("return [{'text': 't', 'sources': {'b', 'a'}}]", [{"text": "t", "sources": ["a", "b"]}]),
        (
            "return [{'text': 't', 'said_at': datetime.date(2024, 3, 1)}]",
            [{"text": "t", "said_at": "2024-03-01"}],
        ),
        ("return [{'text': 't', 'score': N(7)}]", [{"text": "t", "score": 7}]),
        ("print('noise', flush=True); os.write(1, b'noise'); return []", []),
        ("return [{'text': sys.stdin.read()}]", [{"text": ""}]),
        ("sys.stdout = sys.__stdout__; print('x', flush=True); return []", []),
    ],
)
def test_what_an_adapter_may_return(body: str, items: list[Any], tmp_path: Path) -> None:
    told = found(body, tmp_path, "class N:\n    def __init__(self, n): self.n = n\n    def item(self): return self.n")
    assert told["ok"]["items"] == items


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        ("return [{'score': 1}]", "malformed", "lacks `text`"),
        ("return ['text']", "malformed", "a dict was expected, got str"),
        ("return [{'text': 't', 'score': float('nan')}]", "malformed", "not finite"),
        ("return [{'text': b'bytes'}]", "malformed", "bytes, which is no JSON"),
        ("raise NotImplementedError('no search')", "not_available", "no search"),
        ("raise TimeoutError('slow')", "retryable", "TimeoutError: slow"),
        ("raise ConnectionResetError('gone')", "retryable", "gone"),
        ("raise KeyError('x')", "raised", "KeyError: 'x'"),
        ("sys.exit(3)", "raised", "SystemExit: 3"),
        ("raise Own('odd')", "refused", "odd"),
        ("raise Mute", "raised", "cannot be read"),
    ],
)
def test_each_error_has_its_kind(body: str, kind: str, says: str, tmp_path: Path) -> None:
    more = (
        "class Own(Exception):\n    recollect_kind = 'refused'\n"
        "class Mute(Exception):\n    def __str__(self): raise ValueError"
    )
    told = found(body, tmp_path, more)
    assert told["error"]["kind"] == kind
    assert says in told["error"]["message"]


def test_coroutines_share_one_event_loop(tmp_path: Path) -> None:
    body = "import asyncio; loop = asyncio.get_running_loop(); self.seen = getattr(self, 'seen', loop)"
    adapter = with_search(f"{body}; return [{{'text': str(loop is self.seen)}}]").replace(
        "def search", "async def search"
    )
    told = talk(adapter, tmp_path, OPEN, SEARCH, SEARCH)
    assert told[2]["ok"]["items"] == [{"text": "True"}]


def test_what_stands_beside_an_adapter_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("WORD = 'found'")
    assert found("return [{'text': beside.WORD}]", tmp_path, "import beside")["ok"]["items"] == [{"text": "found"}]


@pytest.mark.parametrize(
    ("adapter", "says"),
    [
        ("", "has no class `Adapter`"),
        ("class Adapter: ...", "lacks `write`, `settle`, `search`, `close`"),
        ("1 +", "SyntaxError"),
    ],
)
def test_an_adapter_that_cannot_be_served_is_said_so(adapter: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(adapter)
    done = subprocess.run(
        [sys.executable, str(CHILD), str(tmp_path / "a.py")], input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert says in done.stderr


def test_the_child_is_python_3_9_and_needs_the_standard_library_alone() -> None:
    """It runs where nothing of ours is."""
    tree = ast.parse(CHILD.read_text(), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])
def test_it_runs_in_every_python_that_is_here(python: Path, tmp_path: Path) -> None:
    version = subprocess.run(
        [str(python), "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=True
    ).stdout.split()
    if (int(version[0]), int(version[1])) < (3, 9):
        pytest.skip("older than 3.9")
    told = talk(OVERLAP, tmp_path, OPEN, WRITE, SEARCH, {"do": "close"}, python=str(python))
    assert told[2]["ok"]["items"][0]["message"] == MESSAGE

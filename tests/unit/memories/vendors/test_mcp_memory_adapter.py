"""The adapter of MCP's memory server, over a small server of the same tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.vendor_packages import GRAPH_SERVER
from tests.unit.memories.vendors.adapters import batch, cue, loaded, message, room


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """With a `node` that is this Python, and an environment that holds the server."""
    node = tmp_path / "bin" / "node"
    node.parent.mkdir()
    node.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin:/bin")
    monkeypatch.setenv("RECOLLECT_ENV", str(tmp_path / "env"))
    server = tmp_path / "env" / "node_modules" / "@modelcontextprotocol" / "server-memory"
    (server / "dist").mkdir(parents=True)
    (server / "dist" / "index.js").write_text(GRAPH_SERVER)
    (server / "package.json").write_text('{"version": "2026.8.31"}')
    with loaded("mcp_memory", {}, {}) as made:
        yield made


@pytest.fixture
def opened(adapter: Any, tmp_path: Path) -> Iterator[list[Any]]:
    """A way to make memories that are closed in the end."""
    made: list[Any] = []
    yield made
    for memory in made:
        memory.close()


def memory_in(adapter: Any, opened: list[Any], folder: Path, **config: Any) -> Any:
    opened.append(adapter.Adapter(config, room(folder, access=None)))
    return opened[-1]


def test_entities_are_ranked_by_the_words_that_find_them(adapter: Any, opened: list[Any], tmp_path: Path) -> None:
    """A rare word counts more than one that finds many."""
    memory = memory_in(adapter, opened, tmp_path / "room")
    memory.write(batch(message("m1", "The cat sleeps."), message("m2", "The dog sleeps.", said_at=None)))
    found = memory.search(cue("the dog", 5))
    assert [item["unit_id"] for item in found] == ["m2", "m1"]
    assert found[0]["score"] > found[1]["score"]
    assert memory.search(cue("the dog", 1)) == found[:1]
    assert [(unit["text"], unit["said_at"]) for unit in memory.units()] == [
        ("The cat sleeps.", "2024-03-01T09:30"),
        ("The dog sleeps.", None),
    ]


def test_a_phrase_is_looked_for_letter_for_letter(adapter: Any, opened: list[Any], tmp_path: Path) -> None:
    """As the server does it by itself; a question then finds nothing."""
    memory = memory_in(adapter, opened, tmp_path / "room", search="phrase")
    memory.write(batch(message("m1", "The cat sleeps.")))
    assert memory.search(cue("where is the cat?")) == []
    assert [item["unit_id"] for item in memory.search(cue("the cat"))] == ["m1"]


def test_a_tool_that_fails_is_an_error(adapter: Any, opened: list[Any], tmp_path: Path) -> None:
    """An error inside a sound answer of the protocol."""
    memory = memory_in(adapter, opened, tmp_path / "room")
    with pytest.raises(Exception, match="search_nodes") as caught:
        memory.search(cue("broken"))
    assert caught.value.recollect_cause == "tool_failed"  # type: ignore[attr-defined]


def test_a_server_that_ends_is_an_error(adapter: Any, opened: list[Any], tmp_path: Path) -> None:
    """What it says about its death is told."""
    memory = memory_in(adapter, opened, tmp_path / "room")
    memory.server._process.kill()
    with pytest.raises(Exception, match=r"ended|pipe") as caught:
        memory.units()
    assert caught.value.recollect_cause == "worker_died"  # type: ignore[attr-defined]


def test_saved_loaded_and_forgotten(adapter: Any, opened: list[Any], tmp_path: Path) -> None:
    """A graph is one file."""
    one = memory_in(adapter, opened, tmp_path / "one")
    one.write(batch(message("m1", "a cat"), message("m2", "a dog")))
    (tmp_path / "saved").mkdir()
    one.save(str(tmp_path / "saved"))
    other = memory_in(adapter, opened, tmp_path / "other")
    other.load(str(tmp_path / "saved"))
    assert other.units() == one.units()
    other.forget({"m1"})
    assert [unit["unit_id"] for unit in other.units()] == ["m2"]
    assert len(one.units()) == 2


@pytest.mark.parametrize("version", ["2025.11.25", "2027.1.1", None])
def test_another_server_is_refused(adapter: Any, tmp_path: Path, version: str | None) -> None:
    """By the version in its package, or by its absence."""
    about = next(tmp_path.rglob("package.json"))
    about.unlink()
    if version is not None:
        about.write_text(json.dumps({"version": version}))
    with pytest.raises(Exception, match="server") as caught:
        adapter.Adapter({}, room(tmp_path / "room", access=None))
    assert caught.value.recollect_kind == "not_available"  # type: ignore[attr-defined]

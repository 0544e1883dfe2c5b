"""The same requests go over HTTP, and what breaks there has a name."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from recollect.domain.errors import CallError, UsageError
from recollect.domain.exchange import Cue
from recollect.memories.worker.links import HttpLink
from recollect.memories.worker.memory import Patience, WorkerMemory, open_worker

from tests.fakes.http_worker import Server, serving
from tests.fakes.workers import OVERLAP_TRAITS, room
from tests.unit.memories.memory_checks import (
    check_a_snapshot_is_the_unbroken_instance,
    check_forgetting_is_complete,
    check_hostile_texts_pass_unchanged,
    check_items_are_messages_as_shown,
    check_two_never_meet,
)
from tests.unit.memories.small_history import BuiltIn, Maker

PATIENCE = Patience(open_s=20, request_s=20)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def opened(server: Server, folder: Path, patience: Patience = PATIENCE) -> WorkerMemory:
    """A memory in a namespace of its own, as the engine gives one."""
    here = room(folder)
    there = type(here)(folder=here.folder, namespace=folder.name, seed=1)
    return open_worker(HttpLink(server.url, "the server", {"X-Key": "k"}), OVERLAP_TRAITS, patience, {}, there)


@pytest.mark.parametrize(
    "check",
    [
        check_items_are_messages_as_shown,
        check_two_never_meet,
        check_forgetting_is_complete,
        check_a_snapshot_is_the_unbroken_instance,
        check_hostile_texts_pass_unchanged,
    ],
    ids=lambda check: check.__name__.removeprefix("check_"),
)
def test_it_keeps_its_promises(server: Server, check: Callable[[Maker, Path], None], tmp_path: Path) -> None:
    def make(folder: Path) -> BuiltIn:
        return cast("BuiltIn", opened(server, folder))

    check(Maker(name="http", open=make, traits=OVERLAP_TRAITS, lexical=True), tmp_path)


def test_each_request_names_its_namespace_and_carries_the_headers(server: Server, tmp_path: Path) -> None:
    opened(server, tmp_path / "mine").close()
    assert [one["do"] for one in server.seen] == ["hello", "open", "close"]
    assert [one["namespace"] for one in server.seen] == [None, "mine", "mine"]
    assert all(one["headers"]["X-Key"] == "k" for one in server.seen)


@pytest.mark.parametrize(
    ("status", "body", "cause"),
    [
        (503, b"full", "server_error"),
        (429, b"slow", "server_error"),
        (404, b"where", "bad_request"),
        (200, b"<html>", "worker_protocol"),
        (200, b'{"id": 99, "ok": {}}', "worker_protocol"),
        (200, b'{"id": 3, "ok": {"items": 7}}', ""),
    ],
)
def test_what_breaks_is_named(server: Server, status: int, body: bytes, cause: str, tmp_path: Path) -> None:
    memory = opened(server, tmp_path / "mine")
    server.breaks["search"] = (status, body)
    with pytest.raises(CallError) as caught:
        memory.search(Cue(text="x", limit=1))
    assert caught.value.cause == cause
    server.breaks.clear()
    memory.search(Cue(text="x", limit=1))
    memory.close()


def test_a_server_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="nobody listens") as caught:
        HttpLink("http://127.0.0.1:9/x", "the server").ask("hello", 5, protocol=1)
    assert caught.value.cause == "connection_refused"


def test_a_server_that_is_silent_is_left_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link = HttpLink(f"http://127.0.0.1:{silent.getsockname()[1]}", "the server")
        with pytest.raises(CallError, match=r"silent for 0\.2 s") as caught:
            link.ask("hello", 0.2, protocol=1)
    assert caught.value.cause == "worker_timeout"


@pytest.mark.parametrize("url", ["my-server", "ftp://x/y", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        HttpLink(url, "the server")

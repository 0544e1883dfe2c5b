"""The adapters of LangGraph's store and of LangMem, over stand-ins of the packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fakes.vendor_packages import Manager, Store, module
from tests.unit.memories.vendors.adapters import batch, cue, loaded, message, room

VERSIONS = {"langgraph": "1.2.22", "langgraph-checkpoint": "4.3.2", "langmem": "0.0.30"}
MODULES = {
    "langgraph": module("langgraph"),
    "langgraph.store": module("langgraph.store"),
    "langgraph.store.memory": module("langgraph.store.memory", InMemoryStore=Store),
}
LANGMEM = {
    **MODULES,
    "langmem": module("langmem", create_memory_store_manager=lambda model, store, **_: Manager(store)),
    "langchain_openai": module("langchain_openai", ChatOpenAI=SimpleNamespace),
    "langchain_core": module("langchain_core"),
    "langchain_core.callbacks": module("langchain_core.callbacks", BaseCallbackHandler=object),
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Any]:
    with loaded("langgraph_store", MODULES, VERSIONS) as made:
        yield made.Adapter({}, room(tmp_path))


@pytest.fixture
def langmem(tmp_path: Path) -> Iterator[Any]:
    with loaded("langmem", LANGMEM, VERSIONS) as made:
        yield made.Adapter({}, room(tmp_path))


def texts(memory: Any) -> list[tuple[str, list[str]]]:
    return [(unit["text"], unit["sources"]) for unit in memory.units()]


def reply(*calls: Mapping[str, str], broken: tuple[str, ...] = ()) -> SimpleNamespace:
    return SimpleNamespace(tool_calls=[{"args": call} for call in calls], invalid_tool_calls=list(broken))


def test_the_store_gives_messages_back_as_they_were_shown(store: Any) -> None:
    """So that the harness words them like any other message."""
    shown = [message("m1", "a cat"), message("m2", "a dog"), message("m3", "")]
    assert store.write(batch(*shown)) == {"status": "stored", "unit_ids": ["m1", "m2", "m3"]}
    assert store.search(cue("the dog", 1)) == [{"message": shown[1], "score": 1.0}]
    assert texts(store) == [("a cat", ["m1"]), ("a dog", ["m2"]), ("", ["m3"])]


def test_the_store_forgets_and_reads_back_by_message(store: Any) -> None:
    """A key is a message's id."""
    store.write(batch(message("m1", "a cat"), message("m2", "a dog")))
    store.forget({"m1"})
    assert store.stored_from({"m1", "m2"}) == store.units()
    assert texts(store) == [("a dog", ["m2"])]


def test_a_loaded_store_holds_and_ranks_the_same(store: Any, tmp_path: Path) -> None:
    """The order of what is alike is that in which it came."""
    store.write(batch(*(message(f"m{n}", "a cat") for n in range(5))))
    (tmp_path / "saved").mkdir()
    store.save(str(tmp_path / "saved"))
    with loaded("langgraph_store", MODULES, VERSIONS) as made:
        other = made.Adapter({}, room(tmp_path / "other", namespace="else"))
        other.load(str(tmp_path / "saved"))
        assert other.units() == store.units()
        assert other.search(cue("cat", 5)) == store.search(cue("cat", 5))


def test_a_memory_that_is_rewritten_came_from_both_writes(langmem: Any) -> None:
    """What differs after a write came from it, beside what it came from before."""
    langmem.write(batch(message("m1", "The cat is grey.")))
    langmem.write(batch(message("m2", "Now the cat is white.")))
    assert texts(langmem) == [("Now the cat is white.", ["m1", "m2"])]


def test_a_write_that_changes_nothing_says_so(langmem: Any) -> None:
    """Dropping a memory stores nothing either."""
    langmem.write(batch(message("m1", "The cat is grey.")))
    assert langmem.write(batch(message("m2", "Drop")))["status"] == "nothing_to_store"
    assert texts(langmem) == []


def test_langmem_finds_what_it_lists(langmem: Any) -> None:
    """Found memories carry text and sources, though the manager gives objects of its own."""
    langmem.write(batch(message("m1", "The cat is grey."), message("m2", "The dog is old.")))
    (found,) = langmem.search(cue("an old dog", 1))
    assert found == {**langmem.units()[1], "score": found["score"]}


@pytest.mark.parametrize(
    ("must", "said", "wrong"),
    [
        (True, reply(), True),
        (False, reply(), False),
        (True, reply({"content": "x"}), False),
        (True, reply({}), True),
        (False, reply({"content": "x"}, broken=("bad",)), True),
    ],
)
def test_a_reply_without_a_sound_call_is_an_error_where_one_was_due(
    langmem: Any, must: bool, said: Any, wrong: bool
) -> None:
    """LangMem alone would take it for no change."""
    langmem.manager.replies = [(must, said)]
    if not wrong:
        langmem.write(batch(message("m1", "a cat")))
        return
    with pytest.raises(Exception, match="sound call") as caught:
        langmem.write(batch(message("m1", "a cat")))
    assert caught.value.recollect_kind == "malformed"  # type: ignore[attr-defined]


def test_a_reply_that_was_mended_is_no_error(langmem: Any) -> None:
    """The system asks again by itself."""
    langmem.manager.replies = [(True, reply({})), (True, reply({"content": "x"}))]
    assert langmem.write(batch(message("m1", "a cat")))["status"] == "stored"


def test_a_loaded_langmem_keeps_sources_and_names(langmem: Any, tmp_path: Path) -> None:
    """It goes on as the one that was saved."""
    langmem.write(batch(message("m1", "The cat is grey.")))
    (tmp_path / "saved").mkdir()
    langmem.save(str(tmp_path / "saved"))
    later = batch(message("m2", "The dog is old."))
    langmem.write(later)
    with loaded("langmem", LANGMEM, VERSIONS) as made:
        other = made.Adapter({}, room(tmp_path / "other"))
        other.load(str(tmp_path / "saved"))
        other.write(later)
        assert other.units() == langmem.units()

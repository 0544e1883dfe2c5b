"""A small history, and how the tests open, feed and look into a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from recollect.contracts.memory import Forget, Listing, Memory, Readback, Snapshot
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Unit
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message


class BuiltIn(Memory, Listing, Readback, Snapshot, Forget, Protocol):
    """All that a built-in memory can do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """A memory under test."""

    name: str
    open: Callable[[Path], BuiltIn]
    traits: Traits
    shows_all: bool = False
    """Whatever is asked, all that is held is shown."""
    lexical: bool = False
    """Finds only messages that share a word with the cue."""


def message(number: int, text: str, *, session: int = 0, speaker: str = "Ana") -> Message:
    """The message with a number."""
    return Message(
        message_id=MessageId(f"m{number:04}"),
        session_id=SessionId(f"s{session}"),
        text=text,
        speaker=speaker,
        said_at=f"2024-03-{1 + session % 28:02}T{number % 24:02}:30",
    )


HISTORY = (
    message(0, "My sister Vera moved to Lisbon in spring."),
    message(1, "How does she like the city?", speaker="Ben"),
    message(2, "She loves the trams and hates the hills."),
    message(3, "I adopted a grey cat called Pebble.", session=1),
    message(4, "Pebble sleeps on the piano all day.", session=1),
    message(5, "Does the cat mind the music?", session=1, speaker="Ben"),
    message(6, "The piano tuner comes on Friday.", session=2),
    message(7, "Friday is also when Vera visits from Lisbon.", session=2),
)
MORE = (
    message(8, "Vera brought the cat a toy tram.", session=3),
    message(9, "Pebble ignored the tram and slept on the piano.", session=3),
)
CUES = ("Where does Vera live?", "What is the cat called?", "piano", "the tram in Lisbon", "")
UNHEARD = "xylophone zeppelin quokka"
"""Words that no message has."""


def batch(*messages: Message) -> Batch:
    """One write."""
    return Batch(messages=messages, text="\n".join(m.text for m in messages))


def feed(memory: Memory, messages: Sequence[Message]) -> None:
    """Write one by one, and settle."""
    for one in messages:
        memory.write(batch(one))
    memory.settle()


def opened(maker: Maker, place: Path, name: str, messages: Sequence[Message] = HISTORY) -> BuiltIn:
    """A memory in a room of its own that has seen *messages*."""
    room = place / name
    room.mkdir(parents=True)
    memory = maker.open(room)
    feed(memory, messages)
    return memory


def look(memory: BuiltIn, limit: int = 5) -> list[Recall]:
    """What it finds for all cues, scores rounded as the harness stores them."""
    return [rounded(memory.search(Cue(text=cue, limit=limit))) for cue in CUES]


def rounded(recall: Recall) -> Recall:
    """The recall with its scores rounded."""
    return replace(recall, items=tuple(_rounded(item) for item in recall.items))


def _rounded(item: RecallItem) -> RecallItem:
    return item if item.score is None else replace(item, score=round(item.score, 6))


def ids(recall: Recall) -> list[MessageId]:
    """Sources of the items, in order."""
    return [source for item in recall.items for source in item.sources]


def held(memory: BuiltIn) -> list[Unit]:
    """All it lists."""
    return list(memory.units())


def close_all(*memories: Memory) -> None:
    """Let go of all of them."""
    for memory in memories:
        memory.close()


def empty_folders(place: Path, *names: str) -> list[Path]:
    """New folders in *place*."""
    folders = [place / name for name in names]
    for folder in folders:
        folder.mkdir()
    return folders


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything below *folder*."""
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}

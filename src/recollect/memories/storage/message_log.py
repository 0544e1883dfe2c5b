"""The messages that a memory keeps, in the order of writing: in memory, and as JSON lines on disk.

A line holds every field of one message as JSON in ASCII, so that no character of a text can break it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.contracts.traits import Capability, Traits
from recollect.domain.errors import DataError
from recollect.domain.exchange import Batch, Recall, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message

if TYPE_CHECKING:
    from recollect.memories.storage.dense_index import DenseLogIndex

FILE_NAME = "messages.jsonl"
KEEPS = frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET})
"""Capabilities of every memory that keeps messages unchanged."""
WITH_MODELS = Traits(can=KEEPS, keeps="all", models_on_write=True, models_on_search=True, snapshot_deterministic=True)
"""Traits of those that embed messages and cues, or call a chat model."""
_FIELDS = tuple(field.name for field in fields(Message))
_PENDING = 256


class MessageLog:
    """Messages by position and by id. Grows at the end; shrinks only by `forget`."""

    def __init__(self, room: Path) -> None:
        self._file = room / FILE_NAME
        self._messages: list[Message] = []
        self._places: dict[MessageId, int] = {}
        self._pending: list[Message] = []

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def __getitem__(self, place: int) -> Message:
        return self._messages[place]

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._places

    def place(self, message_id: MessageId) -> int:
        """Its position in the order of writing, from 0."""
        return self._places[message_id]

    def append(self, messages: Iterable[Message]) -> None:
        """Keep *messages* after all others."""
        for message in messages:
            if message.message_id in self._places:
                raise ValueError(f"message {message.message_id!r} was written twice; a history shows each message once")
            self._places[message.message_id] = len(self._messages)
            self._messages.append(message)
            self._pending.append(message)
        if len(self._pending) >= _PENDING:
            self.flush()

    def flush(self) -> None:
        pending, self._pending = self._pending, []
        with self._file.open("a", encoding="ascii", newline="\n") as out:
            out.writelines(map(_line, pending))

    def forget(self, sources: Set[MessageId]) -> bool:
        """Drop the messages in *sources*; whether there were any."""
        kept = [message for message in self._messages if message.message_id not in sources]
        if len(kept) == len(self._messages):
            return False
        self._become(kept)
        write_messages(self._file, kept)
        return True

    def save(self, folder: Path) -> None:
        self.flush()
        shutil.copyfile(self._file, folder / FILE_NAME)

    def load(self, folder: Path) -> None:
        self._become(read_messages(folder / FILE_NAME))
        shutil.copyfile(folder / FILE_NAME, self._file)

    def _become(self, messages: list[Message]) -> None:
        self._messages, self._pending = messages, []
        self._places = {message.message_id: place for place, message in enumerate(messages)}


@dataclass
class LoggedMemory:
    """Base of memories with a log; the search is their own."""

    log: MessageLog

    def write(self, batch: Batch) -> Receipt:
        self.log.append(batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        self.log.flush()

    def ranked(self, found: Iterable[tuple[int, float]]) -> Recall:
        """A recall of messages, from places of the log and scores, best first."""
        hits = list(found)
        return Recall.of_messages((self.log[place] for place, _ in hits), scores=[score for _, score in hits])

    def units(self) -> Iterator[Unit]:
        return units_of(self.log)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The messages of *sources* in the order of writing."""
        places = sorted(self.log.place(source) for source in sources if source in self.log)
        return Recall.of_messages((self.log[place] for place in places), order="time")

    def save(self, folder: Path) -> None:
        self.log.save(folder)

    def load(self, folder: Path) -> None:
        self.log.load(folder)

    def forget(self, sources: Set[MessageId]) -> None:
        self.log.forget(sources)

    def close(self) -> None:
        """Nothing to close."""


def stored(messages: Sequence[Message]) -> Receipt:
    """The receipt for unchanged messages, whose ids are also those of the units."""
    return Receipt.stored(message.message_id for message in messages)


def turn_of_agent(message: Message, reply_id: MessageId, text: str) -> Message:
    """An agent's reply to *message* as a message."""
    return Message(
        message_id=reply_id,
        session_id=message.session_id,
        text=text,
        speaker="assistant",
        role="assistant",
        said_at=message.said_at,
        channel=message.channel,
    )


def units_of(messages: Iterable[Message]) -> Iterator[Unit]:
    """Each message as a unit of its own."""
    for message in messages:
        yield Unit(
            unit_id=UnitId(message.message_id),
            text=message.text,
            sources=(message.message_id,),
            said_at=message.said_at,
        )


def write_messages(file: Path, messages: Iterable[Message]) -> None:
    with file.open("w", encoding="ascii", newline="\n") as out:
        out.writelines(map(_line, messages))


def read_messages(file: Path) -> list[Message]:
    with file.open(encoding="ascii", newline="\n") as lines:
        messages = []
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                if not isinstance(row, Mapping):
                    raise TypeError("the line is no JSON object")
                messages.append(Message(**row))
            except (TypeError, ValueError) as error:
                fix = "Delete the snapshot's folder; it is made again when the run is resumed."
                raise DataError(f"not a message: {error}", file, line=number, fix=fix) from None
        return messages


def _line(message: Message) -> str:
    return json.dumps({name: getattr(message, name) for name in _FIELDS}) + "\n"


@dataclass
class EmbeddedMemory(LoggedMemory):
    """Base of memories with a log and its vectors."""

    dense: DenseLogIndex

    def settle(self) -> None:
        super().settle()
        self.dense.add(enumerate(self.log))

    def save(self, folder: Path) -> None:
        self.settle()
        super().save(folder)
        self.dense.save(folder)

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.dense.load(folder, self.log)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources* and embed the rest again, so that no trace of them stays."""
        if self.log.forget(sources):
            self.clear()
            self.settle()

    def clear(self) -> None:
        self.dense.clear()

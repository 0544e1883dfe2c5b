"""The messages that a memory keeps, in the order of writing: in the working set, and as JSON lines on the disk.

Several memories share it. A line holds every field of one message as plain JSON, in ASCII, so that no character of a
text can break it.
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
from recollect.domain.exchange import Recall, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message

if TYPE_CHECKING:
    from recollect.memories.storage.dense_index import DenseLogIndex

FILE_NAME = "messages.jsonl"
KEEPS = frozenset({Capability.LISTING, Capability.READBACK, Capability.SNAPSHOT, Capability.FORGET})
"""What every memory that keeps messages as they were shown can do."""
WITH_MODELS = Traits(can=KEEPS, keeps="all", models_on_write=True, models_on_search=True, snapshot_deterministic=True)
"""Of those among them that embed messages and cues, or ask a chat model about them."""
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
        """Where the message stands in the order of writing, counted from 0."""
        return self._places[message_id]

    def append(self, messages: Iterable[Message]) -> None:
        """Keep *messages* after all others.

        Raises:
            ValueError: One of them is kept already, so its id would name two things.
        """
        for message in messages:
            if message.message_id in self._places:
                raise ValueError(f"message {message.message_id!r} was written twice; a history shows each message once")
            self._places[message.message_id] = len(self._messages)
            self._messages.append(message)
            self._pending.append(message)
        if len(self._pending) >= _PENDING:
            self.flush()

    def flush(self) -> None:
        """Bring the file up to date."""
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
        """Copy the file into *folder*."""
        self.flush()
        shutil.copyfile(self._file, folder / FILE_NAME)

    def load(self, folder: Path) -> None:
        """Become what was saved in *folder*."""
        self._become(read_messages(folder / FILE_NAME))
        shutil.copyfile(folder / FILE_NAME, self._file)

    def _become(self, messages: list[Message]) -> None:
        self._messages, self._pending = messages, []
        self._places = {message.message_id: place for place, message in enumerate(messages)}


@dataclass
class LoggedMemory:
    """What memories with a log have in common; what they find is their own."""

    log: MessageLog

    def units(self) -> Iterator[Unit]:
        """Every message kept, in the order of writing."""
        return units_of(self.log)

    def stored_from(self, sources: Set[MessageId]) -> Recall:
        """The messages of *sources* that are kept, in the order of writing."""
        places = sorted(self.log.place(source) for source in sources if source in self.log)
        return Recall.of_messages((self.log[place] for place in places), order="time")

    def close(self) -> None:
        """Nothing is held open."""


def stored(messages: Sequence[Message]) -> Receipt:
    """The receipt for messages that are kept as they were shown: a unit bears its message's id."""
    return Receipt.stored(message.message_id for message in messages)


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
    """Write *messages* as the lines of *file*."""
    with file.open("w", encoding="ascii", newline="\n") as out:
        out.writelines(map(_line, messages))


def read_messages(file: Path) -> list[Message]:
    """The messages in *file*.

    Raises:
        DataError: A line is not a message.
    """
    with file.open(encoding="ascii", newline="\n") as lines:
        return [_message(line, file, number) for number, line in enumerate(lines, start=1)]


def _line(message: Message) -> str:
    return json.dumps({name: getattr(message, name) for name in _FIELDS}) + "\n"


def _message(line: str, file: Path, number: int) -> Message:
    try:
        row = json.loads(line)
        if not isinstance(row, Mapping):
            raise TypeError("the line is no JSON object")
        return Message(**row)
    except (TypeError, ValueError) as error:
        fix = "Delete the snapshot's folder; it is made again when the run is resumed."
        raise DataError(f"not a message: {error}", file, line=number, fix=fix) from None


@dataclass
class EmbeddedMemory(LoggedMemory):
    """Messages and their vectors; how they are searched is a memory's own."""

    dense: DenseLogIndex

    def settle(self) -> None:
        """Embed what is new."""
        self.log.flush()
        self.dense.add(enumerate(self.log))

    def save(self, folder: Path) -> None:
        """Copy log and vectors."""
        self.settle()
        self.log.save(folder)
        self.dense.save(folder)

    def load(self, folder: Path) -> None:
        """Take over copies of log and vectors."""
        self.log.load(folder)
        self.dense.load(folder, self.log)

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources* and embed the rest anew, so that no trace of them stays."""
        if self.log.forget(sources):
            self.dense.clear()
            self.settle()

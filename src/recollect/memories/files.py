"""Keeps each session as a text file and searches by fixed steps of grep: what an agent with a shell would try first.

The steps of a search:

1. Take the words of the cue without stop words. A message matches a word if it has one that begins with it or with
   its stem. Words that nothing matches are dropped; if none is left, nothing is found.
2. Order the words by the number of messages that match, fewest first: the most specific word leads.
3. Narrow: take what matches the first word, of that what matches the second too, and so on to the last.
4. Widen: undo the last narrowing, then the one before, and so on down to messages that match a single word. So a
   message stands before another if it matches the most specific word in which they differ; equals stand in the
   order of writing.
5. Each message found is followed by its neighbours in the same file.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId
from recollect.memories.message_log import KEEPS, LoggedMemory, MessageLog, stored
from recollect.memories.session_files import SessionFiles
from recollect.text.normal import search_tokens, stem

FOLDER = "sessions"


@dataclass(frozen=True, slots=True)
class FilesConfig:
    """How much is shown around a match."""

    neighbours: int = 1
    """Messages before and after each match that are shown with it; they count within the limit."""

    def __post_init__(self) -> None:
        if self.neighbours < 0:
            raise ValueError(f"neighbours starts at 0, got {self.neighbours}")


@dataclass
class FilesMemory(LoggedMemory):
    """Finds by words alone; knows nothing of their frequency but how many messages match."""

    config: FilesConfig
    files: SessionFiles

    def write(self, batch: Batch) -> Receipt:
        """Append the batch to its session's file."""
        self.log.append(batch.messages)
        self.files.append(batch.messages)
        return stored(batch.messages)

    def settle(self) -> None:
        """A written line can be found at once."""
        self.log.flush()

    def search(self, cue: Cue) -> Recall:
        """The messages found by the steps above, the narrowest first."""
        places = dict.fromkeys(self._with_neighbours(self._ranked(cue.text)))
        return Recall.of_messages(self.log[place] for place in islice(places, max(cue.limit, 0)))

    def save(self, folder: Path) -> None:
        """Copy the log; the files follow from it."""
        self.log.save(folder)

    def load(self, folder: Path) -> None:
        """Take over a copy of the log, and write the files anew."""
        self.log.load(folder)
        self.files.become(list(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        """Drop the messages of *sources*, and write the files anew."""
        if self.log.forget(sources):
            self.files.become(list(self.log))

    def _ranked(self, cue: str) -> list[int]:
        found = [self.files.grep(starts) for starts in dict.fromkeys(map(_starts, _words(cue)))]
        leading = sorted(found, key=len)
        matched: dict[int, int] = {}
        for weight, places in enumerate(reversed(leading)):
            for place in places:
                matched[place] = matched.get(place, 0) | 1 << weight
        return sorted(matched, key=lambda place: (-matched[place], place))

    def _with_neighbours(self, ranked: list[int]) -> Iterator[int]:
        for place in ranked:
            yield place
            yield from self.files.beside(place, self.config.neighbours)


def _words(cue: str) -> list[str]:
    return search_tokens(cue, stemmed=False)


def _starts(word: str) -> tuple[str, ...]:
    """What a matching word may begin with: the word or its stem, whose final i may stand for a y."""
    root = stem(word)
    starts = dict.fromkeys([root, word, f"{root[:-1]}y" if root.endswith("i") else root])
    return tuple(s for s in starts if not any(s != shorter and s.startswith(shorter) for shorter in starts))


def _traits(_: FilesConfig) -> Traits:
    return Traits(can=KEEPS, keeps="all", snapshot_deterministic=True)


def _open(config: FilesConfig, room: Room) -> Memory:
    return FilesMemory(MessageLog(room.folder), config, SessionFiles(room.folder / FOLDER))


KIND = MemoryKind(
    name="files",
    version=1,
    summary="each session a text file, searched by fixed steps of grep",
    config=FilesConfig,
    traits=_traits,
    open=_open,
)

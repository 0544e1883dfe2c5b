"""Keeps each session as a text file and searches by fixed steps of grep: what an agent with a shell would try first."""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from pathlib import Path

from recollect.contracts.memory import Memory, Room
from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog, stored
from recollect.text.normal import fold, search_tokens, stem

_ODD = "surrogatepass"
"""Half a surrogate pair is no text, but may stand in one."""
_FIRST_JOINED = "\u2e80"
"""From here on scripts are written without spaces, so a word may begin anywhere."""


@dataclass
class _Page:
    """One session's file and where its messages stand in it."""

    file: Path
    places: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    folded: str | None = None
    starts: list[int] = field(default_factory=list)

    def append(self, place: int, entry: str) -> None:
        self.places.append(place)
        self.sizes.append(len(entry))
        self.folded = None

    def with_word(self, start: str) -> Iterator[int]:
        """Places of the messages that have a word beginning with *start*."""
        text = self._read()
        at = text.find(start)
        while at >= 0:
            beyond = at + 1
            if at == 0 or start >= _FIRST_JOINED or not text[at - 1].isalnum():
                line = bisect_right(self.starts, at) - 1
                yield self.places[line]
                beyond = self.starts[line + 1]
            at = text.find(start, beyond)

    def _read(self) -> str:
        if self.folded is None:
            with self.file.open(encoding="utf-8", errors=_ODD, newline="") as file:
                text = file.read()
            entries = [fold(text[a:b]) for a, b in pairwise(accumulate(self.sizes, initial=0))]
            self.starts = list(accumulate(map(len, entries), initial=0))
            self.folded = "".join(entries)
        return self.folded


class SessionFiles:
    """The files of one history. A message is known by its place in the order of writing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages: dict[SessionId, _Page] = {}
        self._homes: list[tuple[_Page, int]] = []

    def append(self, messages: Sequence[Message]) -> None:
        """Write *messages*, each at the end of its session's file."""
        grown: dict[SessionId, list[str]] = {}
        for message in messages:
            page, entry = self._page(message.session_id), _entry(message)
            self._homes.append((page, len(page.places)))
            page.append(len(self._homes) - 1, entry)
            grown.setdefault(message.session_id, []).append(entry)
        for session_id, entries in grown.items():
            with self._pages[session_id].file.open("a", encoding="utf-8", errors=_ODD, newline="") as file:
                file.writelines(entries)

    def become(self, messages: Sequence[Message]) -> None:
        """Hold *messages* and nothing else."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._pages, self._homes = {}, []
        self.append(messages)

    def grep(self, starts: Iterable[str]) -> set[int]:
        """Places of the messages that have a word beginning with any of *starts*, which must be folded."""
        return {place for start in starts for page in self._pages.values() for place in page.with_word(start)}

    def beside(self, place: int, width: int) -> list[int]:
        """Places of up to *width* messages before and after the one at *place*, in the same file, in order."""
        page, line = self._homes[place]
        return [p for p in page.places[max(0, line - width) : line + width + 1] if p != place]

    def _page(self, session_id: SessionId) -> _Page:
        if session_id not in self._pages:
            self._folder.mkdir(exist_ok=True)
            self._pages[session_id] = _Page(self._folder / f"{len(self._pages) + 1:06}.txt")
        return self._pages[session_id]


def _entry(message: Message) -> str:
    """A message as it stands in its file: time, channel and speaker in front, where there is one."""
    time = f"[{message.said_at}] " if message.said_at else ""
    room = f"#{message.channel} " if message.channel else ""
    name = f"{message.speaker}: " if message.speaker else ""
    return f"{time}{room}{name}{message.text}\n"


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

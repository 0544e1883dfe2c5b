"""Keeps each session as a text file and searches by fixed steps of grep, as an agent with a shell would at first."""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from pathlib import Path

from recollect.contracts.systems import MemoryKind
from recollect.contracts.traits import Traits
from recollect.domain.exchange import Batch, Cue, Recall, Receipt
from recollect.domain.ids import MessageId, SessionId
from recollect.domain.messages import Message
from recollect.memories.prompt_files import check_counts
from recollect.memories.storage.message_log import KEEPS, LoggedMemory, MessageLog
from recollect.text.normal import fold, search_tokens, stem

_ODD = "surrogatepass"
"""Half a surrogate pair is no text, but may stand in one."""
_FIRST_JOINED = "\u2e80"
"""From here on scripts are written without spaces, so a word may begin anywhere."""


@dataclass
class _Page:
    """One session's file and the positions of its messages."""

    file: Path
    places: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    folded: str | None = None
    starts: list[int] = field(default_factory=list)

    def with_word(self, start: str) -> Iterator[int]:
        """Places of the messages that have a word beginning with *start*."""
        if self.folded is None:
            with self.file.open(encoding="utf-8", errors=_ODD, newline="") as file:
                content = file.read()
            entries = [fold(content[a:b]) for a, b in pairwise(accumulate(self.sizes, initial=0))]
            self.starts = list(accumulate(map(len, entries), initial=0))
            self.folded = "".join(entries)
        text = self.folded
        at = text.find(start)
        while at >= 0:
            beyond = at + 1
            if at == 0 or start >= _FIRST_JOINED or not text[at - 1].isalnum():
                line = bisect_right(self.starts, at) - 1
                yield self.places[line]
                beyond = self.starts[line + 1]
            at = text.find(start, beyond)


class SessionFiles:
    """The files of one history. A message is known by its place in the order of writing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages: dict[SessionId, _Page] = {}
        self._homes: list[tuple[_Page, int]] = []

    def append(self, messages: Sequence[Message]) -> None:
        """Write *messages*, each at the end of its session's file."""
        new: dict[SessionId, list[str]] = {}
        for message in messages:
            if message.session_id not in self._pages:
                self._folder.mkdir(exist_ok=True)
                self._pages[message.session_id] = _Page(self._folder / f"{len(self._pages) + 1:06}.txt")
            page, entry = self._pages[message.session_id], _entry(message)
            self._homes.append((page, len(page.places)))
            page.places.append(len(self._homes) - 1)
            page.sizes.append(len(entry))
            page.folded = None
            new.setdefault(message.session_id, []).append(entry)
        for session_id, entries in new.items():
            with self._pages[session_id].file.open("a", encoding="utf-8", errors=_ODD, newline="") as file:
                file.writelines(entries)

    def become(self, messages: Sequence[Message]) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._pages, self._homes = {}, []
        self.append(messages)

    def grep(self, starts: Iterable[str]) -> set[int]:
        """Places of the messages that have a word beginning with any of *starts*, which must be folded."""
        return {place for start in starts for page in self._pages.values() for place in page.with_word(start)}

    def neighbours(self, place: int, width: int) -> list[int]:
        """Places of up to *width* messages before and after the one at *place*, in the same file, in order."""
        page, line = self._homes[place]
        return [p for p in page.places[max(0, line - width) : line + width + 1] if p != place]


def _entry(message: Message) -> str:
    """A message in its file: after its time, channel and speaker."""
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
        check_counts(self, "neighbours", least=0)


@dataclass
class FilesMemory(LoggedMemory):
    """Searches by words alone; a word in fewer messages weighs more than all that are in more."""

    config: FilesConfig
    files: SessionFiles

    def write(self, batch: Batch) -> Receipt:
        receipt = super().write(batch)
        self.files.append(batch.messages)
        return receipt

    def search(self, cue: Cue) -> Recall:
        words = dict.fromkeys(map(_starts, search_tokens(cue.text, stemmed=False)))
        rarest_last = sorted((self.files.grep(starts) for starts in words), key=len)[::-1]
        matched: dict[int, int] = {}
        for weight, places in enumerate(rarest_last):
            for place in places:
                matched[place] = matched.get(place, 0) | 1 << weight
        shown: dict[int, None] = {}
        for place in sorted(matched, key=lambda place: (-matched[place], place)):
            if len(shown) >= cue.limit:
                break
            shown |= dict.fromkeys([place, *self.files.neighbours(place, self.config.neighbours)])
        return Recall.of_messages(self.log[place] for place in islice(shown, max(cue.limit, 0)))

    def load(self, folder: Path) -> None:
        super().load(folder)
        self.files.become(list(self.log))

    def forget(self, sources: Set[MessageId]) -> None:
        if self.log.forget(sources):
            self.files.become(list(self.log))


def _starts(word: str) -> tuple[str, ...]:
    """Beginnings of matching words: the word or its stem, whose final i may be a y."""
    root = stem(word)
    starts = dict.fromkeys([root, word, f"{root[:-1]}y" if root.endswith("i") else root])
    return tuple(s for s in starts if not any(s != shorter and s.startswith(shorter) for shorter in starts))


KIND = MemoryKind(
    name="files",
    version=1,
    summary="each session a text file, searched by fixed steps of grep",
    config=FilesConfig,
    traits=lambda _: Traits(can=KEEPS, keeps="all", snapshot_deterministic=True),
    open=lambda config, room: FilesMemory(MessageLog(room.folder), config, SessionFiles(room.folder / FOLDER)),
)

"""A history as text files, one per session, and a grep over them.

The files are named by running number alone, so nothing that a history says becomes a path. What is found is read from
the files; a file is read again only after it has grown.
"""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path

from recollect.domain.ids import SessionId
from recollect.domain.messages import Message
from recollect.text.normal import fold

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

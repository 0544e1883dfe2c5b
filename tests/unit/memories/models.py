"""Plain-Python models of the memories that show all they hold, and random lives to compare them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from hypothesis import strategies as st

from recollect.domain.exchange import Cue, Recall
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message

from tests.unit.memories.small_history import BuiltIn, batch, held, ids, message

Act = tuple[Literal["write"], list[str]] | tuple[Literal["search", "save", "forget"], int]

acts: st.SearchStrategy[list[Act]] = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.lists(st.text(max_size=20), max_size=3)),
        st.tuples(st.sampled_from(["search", "save", "forget"]), st.integers(0, 9)),
    ),
    max_size=20,
)


@dataclass
class Life:
    """A memory and the list that a model says it holds, led through the same acts."""

    place: Path
    open: Callable[[Path], BuiltIn]
    keep: Callable[[list[Message]], list[Message]]
    """What is still held of a list."""
    expected: list[Message] = field(default_factory=list)
    written: int = 0
    rooms: int = 0

    def __post_init__(self) -> None:
        self.memory = self.open(self._folder())

    def _folder(self) -> Path:
        self.rooms += 1
        folder = self.place / str(self.rooms)
        folder.mkdir()
        return folder

    def write(self, texts: list[str]) -> None:
        new = [message(self.written + i, text, session=self.written % 3) for i, text in enumerate(texts)]
        self.written += len(new)
        self.memory.write(batch(*new))
        self.expected = self.keep([*self.expected, *new])

    def search(self, number: int) -> None:
        found = self.memory.search(Cue(text=f"cue {number}", limit=number))
        assert found == Recall.of_messages(self.expected, order="time")

    def forget(self, number: int) -> None:
        gone = {m.message_id for m in self.expected if int(m.message_id[1:]) % 10 == number}
        self.memory.forget(gone)
        self.expected = [m for m in self.expected if m.message_id not in gone]

    def save(self, number: int) -> None:
        """Save, and go on as an instance that has loaded it."""
        self.memory.settle()
        saved = self._folder()
        self.memory.save(saved)
        self.memory.close()
        self.memory = self.open(self._folder())
        self.memory.load(saved)

    def check(self) -> None:
        self.memory.settle()
        names = [m.message_id for m in self.expected]
        assert [MessageId(unit.unit_id) for unit in held(self.memory)] == names
        assert ids(self.memory.search(Cue(text="", limit=1))) == names
        assert ids(self.memory.stored_from(set(names[::2]))) == names[::2]


def live(open_in: Callable[[Path], BuiltIn], keep: Callable[[list[Message]], list[Message]], lived: list[Act]) -> None:
    """Lead a memory and its model through *lived*, comparing after each act."""
    with TemporaryDirectory() as folder:
        life = Life(Path(folder), open_in, keep)
        for name, argument in lived:
            getattr(life, name)(argument)
            life.check()
        life.memory.close()

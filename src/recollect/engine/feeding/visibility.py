"""Which messages a system has seen so far, and which messages of the history stand in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from recollect.domain.histories import History
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Covers, Observe, Step


class VisibleMessages:
    """Shown messages by id, with what each covers. Grows as the episode goes on."""

    def __init__(self) -> None:
        self.messages: dict[MessageId, Message] = {}
        self._covers: dict[MessageId, tuple[MessageId, ...]] = {}
        self._showing: dict[MessageId, list[MessageId]] = {}

    def add(self, session: Session, covers: Covers) -> None:
        """Add a session."""
        for message in session.messages:
            self._put(message, covers.get(message.message_id, (message.message_id,)))

    def add_talk(self, talk: Iterable[Message]) -> None:
        """Add a dialogue; each message covers itself."""
        for message in talk:
            self._put(message, (message.message_id,))

    def add_pieces(self, pieces: Mapping[MessageId, MessageId]) -> None:
        """Add pieces of split messages: a piece covers what its origin covers, and is never counted twice."""
        for piece, origin in pieces.items():
            self._cover(piece, self._covers.get(origin, (origin,)))

    def covered_by(self, sources: Iterable[MessageId]) -> frozenset[MessageId]:
        """Messages of the history that stand in *sources*."""
        return frozenset(m for source in sources for m in self._covers.get(source, (source,)))

    def showing(self, evidence: Iterable[MessageId]) -> frozenset[MessageId]:
        """Shown messages, pieces too, in which any of *evidence* stands."""
        return frozenset(shown for message in evidence for shown in self._showing.get(message, ()))

    def _put(self, message: Message, covered: tuple[MessageId, ...]) -> None:
        self.messages[message.message_id] = message
        self._cover(message.message_id, covered)

    def _cover(self, shown: MessageId, covered: tuple[MessageId, ...]) -> None:
        if shown in self._covers:
            return
        self._covers[shown] = covered
        for message in covered:
            self._showing.setdefault(message, []).append(shown)


def all_visible(steps: Iterable[Step]) -> VisibleMessages:
    """What is shown by all Observe steps of an episode."""
    shown = VisibleMessages()
    for step in steps:
        if isinstance(step, Observe):
            shown.add(step.session, step.covers)
    return shown


def evidence_of(history: History, evidence: Iterable[MessageId]) -> list[Message]:
    """The messages of *evidence*, in the history's order."""
    wanted = set(evidence)
    return [message for message in history.messages() if message.message_id in wanted]

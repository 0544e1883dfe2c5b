"""Which messages a trial has seen, and which messages of the history stand in them; recalls with their provenance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.domain.errors import DataError
from recollect.domain.histories import History
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Observe, Step
from recollect.records.kinds import ContentRecord, StateRecord, StoredItem
from recollect.records.tables.summary import Recalled, RecalledItem


class VisibleHistory:
    """Messages as one trial was shown them, with what each covers."""

    def __init__(self, history: History, steps: Iterable[Step]) -> None:
        self._messages: dict[MessageId, Message] = {m.message_id: m for m in history.messages()}
        self._covers: dict[MessageId, tuple[MessageId, ...]] = {}
        self._origins: dict[MessageId, MessageId] = {}
        self._items: dict[MessageId, RecalledItem] = {}
        self._shown: set[MessageId] = set()
        for step in steps:
            if isinstance(step, Observe):
                self._show(step)
        self.unshown = self._left_out(history)

    def of_trial(self, states: Sequence[StateRecord]) -> VisibleHistory:
        """The same with what one trial alone was shown: its dialogues, and the pieces that its feeder cut."""
        if not any(state.talk or state.pieces for state in states):
            return self
        own = VisibleHistory.__new__(VisibleHistory)
        own._messages = {**self._messages, **{m.message_id: m for state in states for m in state.talk}}
        own._covers = self._covers
        own._origins = {piece: origin for state in states for piece, origin in state.pieces.items()}
        own._items = {}
        own.unshown = self.unshown
        return own

    def covered_by(self, source: MessageId) -> tuple[MessageId, ...]:
        """Messages of the history that stand in one shown message."""
        return self._covers.get(source, (source,))

    def recalled(self, content: ContentRecord, where: str) -> Recalled:
        """A recall with its provenance.

        Raises:
            DataError: It names a message that the steps do not show.
        """
        items = tuple(self._item(item, where) for item in content.items)
        return Recalled(items=items, order=content.order, rendered=content.rendered)

    def _left_out(self, history: History) -> frozenset[MessageId]:
        """Messages of sessions that no step shows, which is so where a setting cuts them away."""
        seen = {covered for shown in self._shown for covered in self.covered_by(shown)}
        sessions = (event for event in history.timeline if isinstance(event, Session))
        return frozenset(said.message_id for one in sessions for said in one.messages if said.message_id not in seen)

    def _show(self, step: Observe) -> None:
        for message in step.session.messages:
            self._shown.add(message.message_id)
            self._messages[message.message_id] = message
            if message.message_id in step.covers:
                self._covers[message.message_id] = step.covers[message.message_id]

    def _item(self, item: StoredItem, where: str) -> RecalledItem:
        if item.message is None:
            return self._worded(item)
        plain = self._plain(item.message, where)
        if item.score is None:
            return plain
        return RecalledItem(
            text=plain.text,
            sources=plain.sources,
            covers=plain.covers,
            raw=True,
            verbatim=True,
            said_at=plain.said_at,
            speaker=plain.speaker,
            channel=plain.channel,
            score=item.score,
        )

    def _plain(self, name: MessageId, where: str) -> RecalledItem:
        """A message as it was shown; made once, for many questions find it."""
        if name not in self._items:
            message = self._messages.get(name)
            if message is None:
                fix = "The run was made with other steps: use the version and the settings that it was made with."
                raise DataError(f"a recall names message `{name}`, which the steps do not show", where, fix=fix)
            self._items[name] = RecalledItem(
                text=message.text,
                sources=(name,),
                covers=self.covered_by(name),
                raw=True,
                verbatim=True,
                said_at=message.said_at,
                speaker=message.speaker,
                channel=message.channel,
            )
        return self._items[name]

    def _worded(self, item: StoredItem) -> RecalledItem:
        text = item.text or ""
        sources = tuple(dict.fromkeys(self._origins.get(source, source) for source in item.sources))
        return RecalledItem(
            text=text,
            sources=sources,
            covers=tuple(dict.fromkeys(m for source in sources for m in self.covered_by(source))),
            verbatim=bool(sources and text) and all(self._stands_in(source, text) for source in item.sources),
            said_at=item.said_at,
            score=item.score,
        )

    def _stands_in(self, source: MessageId, text: str) -> bool:
        """*source* is in *text* unchanged; of a piece only its origin is known, which then holds all of *text*."""
        message = self._messages.get(self._origins.get(source, source))
        if message is None:
            return False
        return text in message.text if source in self._origins else message.text in text


def visible_messages(items: Iterable[RecalledItem]) -> dict[MessageId, None]:
    """The distinct shown messages that items came from, in order of appearance."""
    return dict.fromkeys(source for item in items for source in item.sources)


def history_messages(items: Iterable[RecalledItem]) -> frozenset[MessageId]:
    """The messages of the history that items cover."""
    return frozenset(message for item in items for message in item.covers)

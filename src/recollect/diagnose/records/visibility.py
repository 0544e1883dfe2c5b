"""Which messages a trial has seen, and which messages of the history stand in them; recalls with their provenance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect.domain.errors import DataError
from recollect.domain.histories import History
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.domain.steps import Observe, Step
from recollect.records.kinds import ContentRecord, StateRecord, StoredItem
from recollect.records.tables.cells import Recalled, RecalledItem


class VisibleHistory:
    """Messages as one trial was shown them, with what each covers."""

    def __init__(self, history: History, steps: Iterable[Step]) -> None:
        self._messages: dict[MessageId, Message] = {m.message_id: m for m in history.messages()}
        self._covers: dict[MessageId, tuple[MessageId, ...]] = {}
        self._origins: dict[MessageId, MessageId] = {}
        self._items: dict[MessageId, RecalledItem] = {}
        shown: set[MessageId] = set()
        for step in steps:
            if isinstance(step, Observe):
                for message in step.session.messages:
                    shown.add(message.message_id)
                    self._messages[message.message_id] = message
                    if message.message_id in step.covers:
                        self._covers[message.message_id] = step.covers[message.message_id]
        seen = {covered for name in shown for covered in self.covered_by(name)}
        sessions = (event for event in history.timeline if isinstance(event, Session))
        messages = {message.message_id for session in sessions for message in session.messages}
        self.unshown = frozenset(messages - seen)
        """Messages of sessions that no step shows, because a setting cuts them off."""

    def of_trial(self, states: Sequence[StateRecord]) -> VisibleHistory:
        """The same with what only one trial was shown: its dialogues, and the pieces that its feeder cut."""
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
        """The messages of the history in one shown message."""
        return self._covers.get(source, (source,))

    def recalled(self, content: ContentRecord, where: str) -> Recalled:
        items = []
        for item in content.items:
            if item.message is None:
                items.append(self._worded(item))
            else:
                shown = self._plain(item.message, where)
                items.append(shown if item.score is None else replace(shown, score=item.score))
        return Recalled(items=tuple(items), order=content.order, rendered=content.rendered)

    def _plain(self, name: MessageId, where: str) -> RecalledItem:
        """A message as it was shown, cached."""
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
        verbatim = bool(sources and text)
        for source in item.sources if verbatim else ():
            message = self._messages.get(self._origins.get(source, source))
            if message is None:
                verbatim = False
            elif source in self._origins:  # of a piece only its origin is known, which then holds all of the text
                verbatim = verbatim and text in message.text
            else:
                verbatim = verbatim and message.text in text
        return RecalledItem(
            text=text,
            sources=sources,
            covers=tuple(dict.fromkeys(m for source in sources for m in self.covered_by(source))),
            verbatim=verbatim,
            said_at=item.said_at,
            score=item.score,
        )

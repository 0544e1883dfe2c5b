"""Values between the engine and a system: batches, cues, recalls, replies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The input of one write. The system's traits decide where time, speaker and channel are."""

    messages: tuple[Message, ...]
    text: str
    """The messages as one text."""

    @property
    def sources(self) -> tuple[MessageId, ...]:
        """The ids of its messages, in order."""
        return tuple(m.message_id for m in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The result of a write."""

    status: Literal["stored", "queued", "nothing_to_store"]
    unit_ids: tuple[UnitId, ...] = ()
    """May be left empty."""

    @classmethod
    def stored(cls, unit_ids: Iterable[str] = ()) -> Receipt:
        """The batch can be found at once, or after `settle`."""
        return cls(status="stored", unit_ids=tuple(UnitId(u) for u in unit_ids))

    @classmethod
    def queued(cls) -> Receipt:
        """The system still works on the batch."""
        return cls(status="queued")

    @classmethod
    def nothing(cls) -> Receipt:
        """The system keeps nothing of the batch."""
        return cls(status="nothing_to_store")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What a search may see of a question."""

    text: str
    limit: int
    """Items or tokens, by the system's traits."""
    asked_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallItem:
    """One item that a memory found, with all shown messages that it came from."""

    text: str
    sources: tuple[MessageId, ...]
    """Empty only for provenance `none`."""
    unit_id: UnitId | None = None
    said_at: str | None = None
    score: float | None = None
    message: Message | None = None
    """The message, if the item is one unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What a search found."""

    items: tuple[RecallItem, ...] = ()
    order: Literal["ranked", "time"] = "ranked"
    """`ranked` is cut at the end, `time` at the front."""
    rendered: str | None = None
    """The context in the system's own words, if any."""

    @classmethod
    def of_messages(
        cls,
        messages: Iterable[Message],
        *,
        order: Literal["ranked", "time"] = "ranked",
        scores: Sequence[float] | None = None,
    ) -> Recall:
        """A recall of unchanged messages."""
        listed = list(messages)
        items = [
            RecallItem(
                text=message.text,
                sources=(message.message_id,),
                unit_id=UnitId(message.message_id),
                said_at=message.said_at,
                score=score,
                message=message,
            )
            for message, score in zip(listed, [None] * len(listed) if scores is None else scores, strict=True)
        ]
        return cls(items=tuple(items), order=order)

    def to_read(self) -> tuple[RecallItem, ...]:
        """The items to read; a context in the system's own words is one item, from all sources."""
        if self.rendered is None:
            return self.items
        sources = dict.fromkeys(source for item in self.items for source in item.sources)
        return (RecallItem(text=self.rendered, sources=tuple(sources)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One stored unit of a memory."""

    unit_id: UnitId
    text: str
    sources: tuple[MessageId, ...]
    said_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, or a turn of a dialogue."""

    text: str
    recall: Recall | None = None
    """What an agent found for it, if it reports that."""
    abstained: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One item of a context."""

    text: str
    """As shown or stored, without time and speaker, which `Context.text` has."""
    sources: tuple[MessageId, ...] = ()
    said_at: str | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a reader may read to answer one question."""

    items: tuple[ContextItem, ...]
    text: str
    """The items as one text, exactly as in the prompt."""
    tokens: int
    truncated: bool = False
    """Some of what was found was left out."""

"""What passes between the engine and a system: batches, cues, recalls, replies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one write takes. Time, speaker and channel stand where the system's traits ask for them."""

    messages: tuple[Message, ...]
    text: str
    """The same as one text, as the harness words it."""

    @property
    def sources(self) -> tuple[MessageId, ...]:
        """The shown messages in it, in order."""
        return tuple(m.message_id for m in self.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a system says about a write."""

    status: Literal["stored", "queued", "nothing_to_store"]
    unit_ids: tuple[UnitId, ...] = ()
    """If the system tells them."""

    @classmethod
    def stored(cls, unit_ids: Iterable[str] = ()) -> Receipt:
        """The batch can be found at once, or after `settle`."""
        return cls(status="stored", unit_ids=tuple(UnitId(u) for u in unit_ids))

    @classmethod
    def queued(cls) -> Receipt:
        """The system has taken the batch and works on it."""
        return cls(status="queued")

    @classmethod
    def nothing(cls) -> Receipt:
        """The system decided that nothing in the batch is worth keeping."""
        return cls(status="nothing_to_store")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What a search may see of a question."""

    text: str
    limit: int
    """In what the traits say: items or tokens."""
    asked_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallItem:
    """One thing that a memory found, with all the shown messages it came from."""

    text: str
    sources: tuple[MessageId, ...]
    """Empty only where the system's provenance is `none`."""
    unit_id: UnitId | None = None
    said_at: str | None = None
    score: float | None = None
    message: Message | None = None
    """The message itself, where the item is one unchanged; the harness then words it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What a search found."""

    items: tuple[RecallItem, ...] = ()
    order: Literal["ranked", "time"] = "ranked"
    """Ranked is cut at the end, time at the front."""
    rendered: str | None = None
    """The context in the system's own words, if it has any."""

    @classmethod
    def of_messages(
        cls,
        messages: Iterable[Message],
        *,
        order: Literal["ranked", "time"] = "ranked",
        scores: Sequence[float] | None = None,
    ) -> Recall:
        """A recall whose items are messages as they were shown."""
        listed = list(messages)
        marks: Sequence[float | None] = scores if scores is not None else [None] * len(listed)
        return cls(
            items=tuple(_item_of(message, mark) for message, mark in zip(listed, marks, strict=True)), order=order
        )

    def to_read(self) -> tuple[RecallItem, ...]:
        """What was found as things to read; a context in the system's own words is one thing, from all sources."""
        if self.rendered is None:
            return self.items
        sources = dict.fromkeys(source for item in self.items for source in item.sources)
        return (RecallItem(text=self.rendered, sources=tuple(sources)),)


def _item_of(message: Message, score: float | None) -> RecallItem:
    return RecallItem(
        text=message.text,
        sources=(message.message_id,),
        unit_id=UnitId(message.message_id),
        said_at=message.said_at,
        score=score,
        message=message,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One thing that a memory holds."""

    unit_id: UnitId
    text: str
    sources: tuple[MessageId, ...]
    said_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, or a turn of a dialogue."""

    text: str
    recall: Recall | None = None
    """What an agent searched for it, if it tells."""
    abstained: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One piece of what a reader reads."""

    text: str
    """As it was shown or stored; time and speaker stand beside, and are worded in `Context.text`."""
    sources: tuple[MessageId, ...] = ()
    said_at: str | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a reader may read to answer one question."""

    items: tuple[ContextItem, ...]
    text: str
    """The items as one text, exactly as a model's prompt has it."""
    tokens: int
    truncated: bool = False
    """Something was found and had to be left out."""

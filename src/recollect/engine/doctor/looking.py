"""Small questions that several checks put to what a memory found or lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.domain.exchange import Recall, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.engine.doctor.bench import Subject
from recollect.engine.doctor.told import Planted


def words_of(recall: Recall) -> str:
    """All that a recall shows, in small letters."""
    return "\n".join([*(item.text for item in recall.items), recall.rendered or ""]).casefold()


def sources_of(subject: Subject, things: Iterable[RecallItem | Unit]) -> set[MessageId]:
    """The messages from which *things* came."""
    return {subject.shown(source) for thing in things for source in thing.sources}


def finds(subject: Subject, one: Planted) -> bool:
    """Whether a search for the planted word finds it, or its message under other words."""
    recall = subject.search(one.asks)
    return one.word in words_of(recall) or one.message.message_id in sources_of(subject, recall.items)


def found_of(subject: Subject, told: Sequence[Planted]) -> list[Planted]:
    """Those that are found."""
    return [one for one in told if finds(subject, one)]


def covered_of(subject: Subject, told: Sequence[Planted]) -> list[Planted] | None:
    """Those that some unit comes from or speaks of; `None` where it cannot list."""
    if not subject.can_list:
        return None
    units = subject.units()
    sources, words = sources_of(subject, units), "\n".join(unit.text for unit in units).casefold()
    return [one for one in told if one.message.message_id in sources or one.word in words]


def named(told: Iterable[Planted], most: int = 3) -> str:
    """Their words, for a sentence."""
    listed = [f"`{one.word}`" for one in told]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")

"""What a check returns, and the questions that several checks ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from recollect.domain.exchange import Recall, RecallItem, Unit
from recollect.domain.ids import MessageId
from recollect.engine.doctor.bench import Bench, Subject
from recollect.engine.doctor.story import Planted
from recollect.records.memory_card import Outcome


class Finding(NamedTuple):
    """What came of a check."""

    result: Outcome
    why: str
    number: float | None = None


class Check(NamedTuple):
    """One check of the table."""

    name: str
    proves: str
    how: str
    run: Callable[[Bench], Finding]


def passed(why: str, number: float | None = None) -> Finding:
    """It is as it should be, as far as was looked."""
    return Finding("pass", why, number)


def failed(why: str, number: float | None = None) -> Finding:
    """It is not."""
    return Finding("fail", why, number)


def absent(why: str) -> Finding:
    """It cannot be told of this system, and why."""
    return Finding("not available", why)


HOLDS_NOTHING = absent("it holds nothing, by its traits")


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


def found_of(subject: Subject, planted: Sequence[Planted]) -> list[Planted]:
    """Those that are found."""
    return [one for one in planted if finds(subject, one)]


def covered_of(subject: Subject, planted: Sequence[Planted]) -> list[Planted] | None:
    """Those that some unit comes from or speaks of; `None` where it cannot list."""
    if not subject.can_list:
        return None
    units = subject.units()
    sources, words = sources_of(subject, units), "\n".join(unit.text for unit in units).casefold()
    return [one for one in planted if one.message.message_id in sources or one.word in words]


def named(planted: Iterable[Planted]) -> str:
    """Their words, for a sentence."""
    return quoted(one.word for one in planted)


def quoted(names: Iterable[str], most: int = 3) -> str:
    """The first of *names*, each once, and how many more there are."""
    listed = [f"`{name}`" for name in dict.fromkeys(names)]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")

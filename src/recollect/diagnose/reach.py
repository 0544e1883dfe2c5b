"""How far into a recall a reader could read, and which messages it met on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate

from recollect.domain.ids import MessageId
from recollect.records.summary import CellOutcome, Recalled, RecalledItem

JOINT = "\n"
Count = Callable[[str], int]
CoveredBy = Callable[[MessageId], tuple[MessageId, ...]]


def worded(item: RecalledItem) -> str:
    """An item as a reader gets it: a message with time, channel and speaker, all else as the system worded it.

    The engine words contexts the same way; `tests/unit/diagnose/test_reach.py` holds the two together.
    """
    is_stamped = not item.raw and item.text.startswith("[")
    stamp = f"[{item.said_at}] " if item.said_at and not is_stamped else ""
    room = f"#{item.channel} " if item.channel else ""
    name = f"{item.speaker}: " if item.speaker else ""
    return f"{stamp}{room}{name}{item.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """What a stretch of a recall shows."""

    shown: int
    """Distinct shown messages."""
    showing: Mapping[MessageId, frozenset[MessageId]]
    """Message of the history -> the shown messages found that hold it."""

    def recall(self, evidence: Set[MessageId]) -> float | None:
        """Share of the evidence that was met; `None` without evidence."""
        return sum(message in self.showing for message in evidence) / len(evidence) if evidence else None

    def precision(self, evidence: Set[MessageId]) -> float | None:
        """Share of the shown messages that hold evidence; `None` where nothing was shown or is wanted."""
        hits = {shown for message in evidence for shown in self.showing.get(message, ())}
        return len(hits) / self.shown if evidence and self.shown else None


@dataclass
class Reach:
    """Measures recalls; many questions share one, so each is measured once."""

    count: Count
    _ends: dict[int, list[int]] = field(default_factory=dict)
    _met: dict[tuple[int, int, int], Met] = field(default_factory=dict)
    _kept: list[Recalled] = field(default_factory=list)
    """Recalls are told apart by identity, so those that were measured are held on to."""

    def budget(self, cell: CellOutcome) -> int | None:
        """Items that the reader of a cell got whole; `None` where the harness cannot tell."""
        recall = cell.recall
        if recall is None or cell.context_tokens is None:
            return None
        if not cell.truncated:
            return len(recall.items)
        return None if recall.rendered is not None else bisect_right(self._borders(recall), cell.context_tokens)

    def met(self, recall: Recalled, items: int, covered_by: CoveredBy, *, from_end: bool = False) -> Met:
        """What the first *items* show, or the last ones where the front was cut."""
        first = max(0, len(recall.items) - items) if from_end else 0
        stretch = recall.items[first : first + items]
        name = (id(recall), first, len(stretch))
        if name not in self._met:
            self._kept.append(recall)
            self._met[name] = _met(stretch, covered_by)
        return self._met[name]

    def _borders(self, recall: Recalled) -> list[int]:
        """Tokens up to the end of each item, in the order in which room is given to them."""
        if id(recall) not in self._ends:
            self._kept.append(recall)
            items = reversed(recall.items) if recall.order == "time" else recall.items
            joint = self.count(JOINT)
            self._ends[id(recall)] = list(accumulate(self.count(worded(item)) + joint for item in items))
        return self._ends[id(recall)]


def _met(items: Sequence[RecalledItem], covered_by: CoveredBy) -> Met:
    sources = dict.fromkeys(source for item in items for source in item.sources)
    showing: dict[MessageId, set[MessageId]] = defaultdict(set)
    for source in sources:
        for message in covered_by(source):
            showing[message].add(source)
    return Met(shown=len(sources), showing={message: frozenset(found) for message, found in showing.items()})

"""Which evidence a system was shown, how far into a recall the reader got, and which messages it met before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from recollect.domain.ids import MessageId
from recollect.records.tables.summary import CellOutcome, Recalled, RecalledItem

SEPARATOR = "\n"
Count = Callable[[str], int]
CoveredBy = Callable[[MessageId], tuple[MessageId, ...]]


def worded(item: RecalledItem) -> str:
    """An item as a reader gets it: a message with time, channel and speaker, all else as the system worded it.

    The engine words contexts the same way; `tests/unit/diagnose/waterfall/test_evidence.py` holds the two together.
    """
    stamp = f"[{item.said_at}] " if item.said_at else ""
    room = f"#{item.channel} " if item.channel else ""
    name = f"{item.speaker}: " if item.speaker else ""
    return f"{stamp}{room}{name}{item.text}"


class Met(NamedTuple):
    """What the first so many items of a recall show of some evidence."""

    recall: float | None
    """Share of the evidence that was met; `None` without evidence."""
    precision: float | None
    """Share of the shown messages that hold evidence; `None` where nothing was shown or is wanted."""


class Trail:
    """Where in a recall each message is met first; items come in the order in which room is given to them."""

    def __init__(self, recall: Recalled, covered_by: CoveredBy) -> None:
        self._shown = [0]
        """Distinct shown messages up to the end of each item."""
        self._holders: dict[MessageId, list[tuple[int, MessageId]]] = {}
        """Message of the history -> place and id of each shown message that holds it, by place."""
        seen: set[MessageId] = set()
        for place, item in enumerate(in_order(recall)):
            for source in item.sources:
                if source not in seen:
                    seen.add(source)
                    for message in covered_by(source):
                        self._holders.setdefault(message, []).append((place, source))
            self._shown.append(len(seen))

    def met(self, evidence: Set[MessageId], depths: Iterable[int]) -> list[Met]:
        """What is met of *evidence* among the first items, for each of *depths*."""
        held = [self._holders[message] for message in evidence if message in self._holders]
        firsts = [holders[0][0] for holders in held]
        hits = list({source: place for holders in held for place, source in holders}.values())
        return [self._at(depth, len(evidence), firsts, hits) for depth in depths]

    def _at(self, depth: int, wanted: int, firsts: Sequence[int], hits: Sequence[int]) -> Met:
        shown = self._shown[min(depth, len(self._shown) - 1)]
        return Met(
            recall=sum(place < depth for place in firsts) / wanted if wanted else None,
            precision=sum(place < depth for place in hits) / shown if wanted and shown else None,
        )


def in_order(recall: Recalled) -> tuple[RecalledItem, ...]:
    """The items in the order in which room is given to them: a recall in time is cut at the front."""
    return recall.items[::-1] if recall.order == "time" else recall.items


@dataclass
class ReadDepth:
    """Tells how many items a reader got; neighbouring cells often share a recall, which is then measured once."""

    count: Count
    _last: tuple[Recalled, list[int]] | None = None
    _raw: dict[tuple[str, str | None, str, str], int] = field(default_factory=dict)
    """Tokens of messages as they were shown, by all that is worded."""

    def items(self, cell: CellOutcome) -> int | None:
        """Items that the reader of a cell got whole; `None` where the harness cannot tell."""
        recall = cell.recall
        if recall is None or cell.context_tokens is None:
            return None
        if not cell.truncated:
            return len(recall.items)
        return None if recall.rendered is not None else bisect_right(self._borders(recall), cell.context_tokens)

    def _borders(self, recall: Recalled) -> list[int]:
        """Tokens up to the end of each item."""
        if self._last is None or self._last[0] is not recall:
            self._last = (recall, list(accumulate(self._tokens(item) for item in in_order(recall))))
        return self._last[1]

    def _tokens(self, item: RecalledItem) -> int:
        if not item.raw:
            return self.count(worded(item)) + self.count(SEPARATOR)
        name = (item.text, item.said_at, item.speaker, item.channel)
        if name not in self._raw:
            self._raw[name] = self.count(worded(item)) + self.count(SEPARATOR)
        return self._raw[name]


EVIDENCE_SHOWN = "evidence shown"
"""Label of the questions about a history that was not shown whole; no other question has it."""
ALL, PART, NONE, UNKNOWN = "all", "in part", "none", "not known"
CUT = frozenset({PART, NONE})


def with_label(labels: Mapping[str, str], evidence: Sequence[MessageId], unshown: Set[MessageId]) -> Mapping[str, str]:
    """The labels of a question, with that of its evidence where its history was not shown whole."""
    return {**labels, EVIDENCE_SHOWN: _share_shown(evidence, unshown)} if unshown else labels


def is_cut(cell: CellOutcome) -> bool:
    """The question needs what the system was never shown."""
    return cell.labels.get(EVIDENCE_SHOWN) in CUT


def _share_shown(evidence: Sequence[MessageId], unshown: Set[MessageId]) -> str:
    if not evidence:
        return UNKNOWN
    lost = sum(message in unshown for message in evidence)
    return NONE if lost == len(evidence) else PART if lost else ALL

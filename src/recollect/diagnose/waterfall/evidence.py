"""Which evidence a system was shown, and which messages the first items of a recall contain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from recollect.domain.ids import MessageId
from recollect.records.tables.cells import CellOutcome, Recalled

CoveredBy = Callable[[MessageId], tuple[MessageId, ...]]


class Met(NamedTuple):
    recall: float | None
    """Share of the evidence that was found; `None` without evidence."""
    precision: float | None
    """Share of the shown messages that hold evidence; `None` where either is missing."""


class Trail:
    """The position of each message in a recall, in order of priority."""

    def __init__(self, recall: Recalled, covered_by: CoveredBy) -> None:
        self._shown = [0]
        """Distinct shown messages up to the end of each item."""
        self._holders: dict[MessageId, list[tuple[int, MessageId]]] = {}
        """Message of the history -> place and id of each shown message that holds it, by place."""
        seen: set[MessageId] = set()
        for place, item in enumerate(recall.by_priority()):
            for source in item.sources:
                if source not in seen:
                    seen.add(source)
                    for message in covered_by(source):
                        self._holders.setdefault(message, []).append((place, source))
            self._shown.append(len(seen))

    def met(self, evidence: Set[MessageId], depths: Iterable[int]) -> list[Met]:
        """Recall and precision of *evidence* among the first items, for each of *depths*."""
        holders = [self._holders[message] for message in evidence if message in self._holders]
        firsts = [held_by[0][0] for held_by in holders]
        hits = list({source: place for held_by in holders for place, source in held_by}.values())
        found = []
        for depth in depths:
            shown = self._shown[min(depth, len(self._shown) - 1)]
            recall = sum(place < depth for place in firsts) / len(evidence) if evidence else None
            precision = sum(place < depth for place in hits) / shown if evidence and shown else None
            found.append(Met(recall, precision))
        return found


EVIDENCE_SHOWN = "evidence shown"
"""Label of questions about a history that was not shown whole."""
ALL, PART, NONE, UNKNOWN = "all", "in part", "none", "not known"
CUT = frozenset({PART, NONE})


def with_label(labels: Mapping[str, str], evidence: Sequence[MessageId], unshown: Set[MessageId]) -> Mapping[str, str]:
    """The labels of a question, with that of its evidence where its history was not shown whole."""
    if not unshown:
        return labels
    lost = sum(message in unshown for message in evidence)
    shown = UNKNOWN
    if evidence:
        shown = NONE if lost == len(evidence) else PART if lost else ALL
    return {**labels, EVIDENCE_SHOWN: shown}


def is_cut(cell: CellOutcome) -> bool:
    """The question needs messages that the system was never shown."""
    return cell.labels.get(EVIDENCE_SHOWN) in CUT

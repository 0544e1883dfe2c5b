"""Evidence that a system never saw, because a setting showed it only a part of what there is to remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from recollect.domain.ids import MessageId
from recollect.records.summary import CellOutcome

LABEL = "evidence shown"
"""Label of the questions about a history that was not shown whole; no other question has it."""
ALL, PART, NONE, UNKNOWN = "all", "in part", "none", "not known"
CUT = frozenset({PART, NONE})


def with_label(labels: Mapping[str, str], evidence: Sequence[MessageId], unshown: Set[MessageId]) -> Mapping[str, str]:
    """The labels of a question, with that of its evidence where its history was not shown whole."""
    return {**labels, LABEL: _said(evidence, unshown)} if unshown else labels


def is_cut(cell: CellOutcome) -> bool:
    """The question needs what the system was never shown."""
    return cell.labels.get(LABEL) in CUT


def _said(evidence: Sequence[MessageId], unshown: Set[MessageId]) -> str:
    if not evidence:
        return UNKNOWN
    lost = sum(message in unshown for message in evidence)
    return NONE if lost == len(evidence) else PART if lost else ALL

"""Names for questions as they were asked: one question may be put at several checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from recollect.records.summary import CellOutcome

Asked = tuple[str, str, str]
"""History, checkpoint, question."""


def asked_of(cell: CellOutcome) -> Asked:
    """The question of a cell, as it was asked."""
    return cell.history, cell.checkpoint, cell.question


def question_names(asked: Iterable[Asked]) -> list[str]:
    """A short name for each question as it was asked: its id, with checkpoint and history only where it must be."""
    listed = list(asked)
    ids = Counter(question for _, _, question in listed)
    placed = Counter((question, checkpoint) for _, checkpoint, question in listed)
    names = []
    for history, checkpoint, question in listed:
        if ids[question] == 1:
            names.append(question)
        elif placed[question, checkpoint] == 1:
            names.append(f"{question}@{checkpoint}")
        else:
            names.append(f"{question}@{checkpoint}@{history}")
    return names

"""Cells that ask about states, made by hand: scored questions, probes, and the bounds of both kinds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.domain.ids import CheckpointId, HistoryId, QuestionId, TrialId
from recollect.domain.outcomes import Part
from recollect.domain.steps import Arm
from recollect.records.tables.cells import CellOutcome, CellStatus

OPTIONS = {"1": ["x", "y"], "2": ["x", "z"]}
"""Option -> the values that it is made for."""


def scored(
    user: str, period: int, thread: str, right: bool | None, *, written: Mapping[str, int] | None = None, **changes: Any
) -> CellOutcome:
    """A scored question; *right* is `None` where it has no value, and `choices` is the number of its options."""
    labels = {
        "thread": thread,
        "period": str(period),
        "choices": str(changes.pop("choices", 4)),
        "states": json.dumps(OPTIONS),
        "written": json.dumps(written or {"a": 0}),
    }
    value = None if right is None else float(right)
    parts = (
        () if right is None else (Part(name="hamming", value=1.0 if right else 0.5), Part(name="jaccard", value=value))
    )
    return _cell(user, f"p{period}", thread, labels=labels, value=value, parts=parts, **changes)


def probe(
    user: str, period: int, thread: str, knows: Mapping[str, bool], *, written: Mapping[str, int], **changes: Any
) -> CellOutcome:
    """A probe of the states that a question needs."""
    labels = {"thread": f"{thread}-states", "probe_of": thread, "period": str(period), "written": json.dumps(written)}
    parts = tuple(Part(name=f"state:{name}", value=float(known)) for name, known in knows.items())
    told = {"value": sum(knows.values()) / len(knows), "parts": parts, "purpose": "probe", "labels": labels}
    return _cell(user, f"p{period}", f"{thread}-states", **{**told, **changes})


def oracle(user: str, period: int, thread: str, right: bool | None, **changes: Any) -> CellOutcome:
    """The oracle's answer to the same question."""
    return scored(user, period, thread, right, row="oracle", kind="oracle", reference=True, arm=Arm.ORACLE, **changes)


def bound(user: str, thread: str, letter: str, right: bool | None, **changes: Any) -> CellOutcome:
    """A question that is asked with the states of one choice told outright; its id ends with that choice."""
    labels = {"thread": f"{thread}-bound-{letter}", "bound_of": thread, "choices": "4", "states": json.dumps(OPTIONS)}
    told = {"row": "oracle", "kind": "oracle", "reference": True, "arm": Arm.ORACLE, "labels": labels}
    value, purpose = (None if right is None else float(right)), {"purpose": "bound"}
    return _cell(user, "bound", f"{thread}-bound-{letter}", value=value, **{**told, **purpose, **changes})


def gold_of(cell: CellOutcome) -> str | None:
    """Of bounds the last letter of the question; of all else `1` in even periods and `2` in odd ones."""
    if "bound_of" in cell.labels:
        return cell.question[-1]
    return "12"[int(cell.labels["period"]) % 2]


def _cell(user: str, checkpoint: str, question: str, *, value: float | None, **changes: Any) -> CellOutcome:
    status: CellStatus = "fault" if value is None else "scored"
    told: dict[str, Any] = {
        "row": "mem",
        "kind": "memory",
        "reference": False,
        "task": "overall",
        "trial": TrialId(f"t-{user}"),
        "history": HistoryId(user),
        "question": QuestionId(f"{user}-{checkpoint}-{question}"),
        "checkpoint": CheckpointId(checkpoint),
        "arm": Arm.SYSTEM,
        "replicate": 0,
        "status": status,
        "value": value,
    }
    return CellOutcome(**{**told, **changes})

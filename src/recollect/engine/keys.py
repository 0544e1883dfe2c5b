"""Names every result by all that can change it, and by nothing else.

Worker counts, folders, log levels and clocks stay out. Bump a stage's number when its code may give another result;
`tests/house/test_stages_are_pinned.py` notices when its source changed.
"""

from __future__ import annotations

from typing import Any

from recollect.domain.ids import RecordKey
from recollect.records.digests import digest

STAGES = {
    "trial": 1,
    "observe": 1,
    "converse": 1,
    "evolve": 2,
    "asked": 1,
    "check": 1,
    "recall": 1,
    "answer": 1,
    "judge": 1,
}


def stage_key(stage: str, **inputs: Any) -> RecordKey:
    """The key of a stage's result; *inputs* are JSON values."""
    return RecordKey(digest({"stage": stage, "version": STAGES[stage], "inputs": inputs}))


def snapshot_key(state: RecordKey) -> RecordKey:
    """The key of the record that makes the snapshot of a state valid."""
    return RecordKey(digest({"snapshot": state}))

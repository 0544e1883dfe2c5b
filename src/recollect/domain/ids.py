"""Names of things. Every id that a system sees is opaque: a digest, never a label."""

from typing import NewType

HistoryId = NewType("HistoryId", str)
SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", str)
QuestionId = NewType("QuestionId", str)
CheckpointId = NewType("CheckpointId", str)
UnitId = NewType("UnitId", str)
"""A memory's own name for something that it stored."""
TrialId = NewType("TrialId", str)
RecordKey = NewType("RecordKey", str)
Digest = NewType("Digest", str)

"""Names shared by judge, scorers and reports: parts of a verdict, labels of a key, the check of a run's judge."""

from __future__ import annotations

RIGHT = "right"
F1 = "f1"
FIELD = "field:"
CONFLICT = "conflict"
"""Label of a key whose answer must name all values of `field_gold`: whether they contradict each other (yes, no)."""
MISSED = "missed"
"""Label of a key: whole wrong answers as a JSON list, where `rejected` lists values that must not be named."""
FLUENCY, RECALL, PRECISION, F1_SUMMARY = "fluency", "recall", "precision", "f1_summary"
"""Of a summary."""
UNCALIBRATED = "uncalibrated"
JUDGE_CHECK = "judge_check"
"""Entry of `run.json`: the id of the judge's check when the run was made."""

"""Names of the parts of a verdict, and of the label that marks a conflict."""

from __future__ import annotations

RIGHT = "right"
F1 = "f1"
FIELD = "field:"
CONFLICT = "conflict"
"""Label of a key whose answer must name all values of `field_gold`: `yes` where they contradict each other, `no` where
they do not."""
MISSED = "missed"
"""Label of a key: whole wrong answers as a JSON list, where `rejected` has what must not be named instead."""
FLUENCY, RECALL, PRECISION, F1_SUMMARY = "fluency", "recall", "precision", "f1_summary"
"""Of a summary."""

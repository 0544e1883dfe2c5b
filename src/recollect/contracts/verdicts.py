"""Names that judge, scorers and reports share: parts of a verdict, labels of a key, the check of a run's judge."""

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


UNCALIBRATED = "uncalibrated"
JUDGE_CHECK = "judge_check"
"""Entry of `run.json`, beside the config: the id of the check that the judge had when the run was made."""

"""What a run says of its judge: the check that measured it, or that none did."""

from __future__ import annotations

UNCALIBRATED = "uncalibrated"
JUDGE_CHECK = "judge_check"
"""Entry of `run.json`, beside the config: the id of the check that the judge had when the run was made."""

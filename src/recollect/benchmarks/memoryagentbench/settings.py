"""Settings of steps that only this benchmark has; part of every key, like all of them."""

from __future__ import annotations

WRAPPER = "wrapper"
"""The version of the memorise prompt that is put around each chunk; absent for none."""
CLOCK = "clock"
"""The time that a memorise prompt says, where it says one; the machine's clock is never read."""
OUTPUT = "output_tokens"
"""The longest answer, where it is not the paper's."""

"""The steps that make cases about the world; in the order of the calls: `facts`, `sessions`, `questions`, `case`."""

from __future__ import annotations

from recollect.benchmarks.subtlememory.make.world import case, facts, questions, sessions

STAGES = (*facts.STAGES, *sessions.STAGES, *questions.STAGES, *case.STAGES)

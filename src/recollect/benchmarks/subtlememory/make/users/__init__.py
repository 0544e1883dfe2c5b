"""The steps that make cases about users; in the order of the calls: `plans`, `cases`, `sessions`, `questions`."""

from __future__ import annotations

from recollect.benchmarks.subtlememory.make.users import cases, plans, questions, sessions

STAGES = (*plans.STAGES, *cases.STAGES, *sessions.STAGES, *questions.STAGES)

"""The score of one reply, by the measure of its family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.families import family_named
from recollect.benchmarks.memoryagentbench.families.family import Scored
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The outcome of one reply, by the measure of its family.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes (`post_process` and `calculate_metrics` of its code).
    """
    return family_named(question.prompt).score(Scored(question, key, reply, verdict, shared))

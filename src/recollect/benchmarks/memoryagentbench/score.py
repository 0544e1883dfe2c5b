"""Scores of one reply, and the columns of the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.benchmarks.memoryagentbench.families import family_named
from recollect.benchmarks.memoryagentbench.families.family import Scored
from recollect.benchmarks.memoryagentbench.tables import PAPER
from recollect.contracts.tables import PaperTable
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The outcome of one reply, by the measure of its family.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes (`post_process` and `calculate_metrics` of its code).
    """
    return family_named(question.prompt).score(Scored(question, key, reply, verdict, shared))


def paper_columns(by_task: Mapping[str, float], table: PaperTable = PAPER) -> dict[str, float | None]:
    """The columns of the paper's table 2, from the mean score of each task.

    Args:
        by_task: Task -> mean, a ratio.
        table: `PAPER` for published tasks, `TWINS` for generated ones.

    Returns:
        Each task's column, then AR, TTL, LRU and SF as means of theirs, and `overall` as the mean of these four;
        `None` where a part is missing, never the mean of the others.

    Source:
        MemoryAgentBench, tables 2 and 6; checked against their rows in
        `tests/unit/benchmarks/memoryagentbench/test_tables.py`.
    """
    return table.means(by_task)

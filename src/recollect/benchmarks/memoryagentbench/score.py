"""Scores of one reply, and the columns of the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.benchmarks.memoryagentbench.sources import EXAMPLES, SOURCES, family_named
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Verdict
from recollect.domain.questions import Key, Question


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The outcome of one reply, by the measure of its family.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes (`post_process` and `calculate_metrics` of its code).
    """
    return family_named(question.prompt).score(question, key, reply, verdict, shared)


def paper_columns(by_task: Mapping[str, float]) -> dict[str, float | None]:
    """The columns of the paper's table 2 that these tasks fill, from the mean score of each task.

    Args:
        by_task: Task -> mean, a ratio.

    Returns:
        `MCC` is the mean of the five classification tasks, `FC-SH` and `FC-MH` are those at 262K, `SF` is the mean of
        both; `None` where a task that belongs to it is not there.

    Source:
        MemoryAgentBench, tables 2 and 6.
    """
    single, chained = (by_task.get(f"factconsolidation_{hops}_262k") for hops in ("sh", "mh"))
    published = [task for task, source in SOURCES.items() if source.family is EXAMPLES and source.questions]
    return {
        "MCC": _mean([by_task.get(task) for task in published]),
        "FC-SH": single,
        "FC-MH": chained,
        "SF": _mean([single, chained]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(values) if len(known) == len(values) else None

"""Scores of one reply: the paper's measure, strict and first; kinder readings and what was wrong beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from recollect.benchmarks.memoryagentbench.sources import EXAMPLES, SOURCES, family_named
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Question
from recollect.metrics.parsing import lenient_answer, strict_answer
from recollect.metrics.text_match import exact_match, normalise, substring_match, token_f1, word_match

Match = Callable[[str, str], float]


def score(question: Question, key: Key, reply: Reply, verdict: Verdict | None, shared: Mapping[str, Any]) -> Outcome:
    """The outcome of one reply; an empty one is wrong, a declined one is abstained with 0.

    Facts: whether an accepted answer occurs in the reply as it is, or in what stands behind its `Answer:`.
    Examples: whether what stands there is the label. Both after DrQA's normalisation, over all aliases.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes (`post_process` and `calculate_metrics` of its code).
    """
    said = "" if reply.abstained else reply.text
    judge = _label_parts if family_named(question.prompt) is EXAMPLES else _fact_parts
    parts = tuple(judge(said, [alias for alias in key.gold if normalise(alias)] or key.gold, key.rejected))
    if reply.abstained:
        return Outcome.abstained(0.0, parts=parts, why="declined to answer")
    return Outcome.scored(parts[0].value or 0.0, parts=parts, why="" if said.strip() else "the reply is empty")


def _fact_parts(said: str, gold: Sequence[str], rejected: Sequence[str]) -> Iterable[Part]:
    strict = (said, strict_answer(said))
    lenient = lenient_answer(said)
    right = _best(_holds, strict, gold)
    yield Part(name="substring_exact_match", value=right, weight=1.0)
    yield Part(name="exact_match", value=_best(exact_match, strict, gold))
    yield Part(name="f1", value=_best(_f1, strict, gold))
    yield Part(name="lenient_exact_match", value=_best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    yield Part(name="lenient_word_match", value=_best(word_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    yield _stale(said, rejected, right=bool(right))


def _label_parts(said: str, gold: Sequence[str], _: Sequence[str]) -> Iterable[Part]:
    lenient = lenient_answer(said)
    yield Part(name="exact_match", value=_best(exact_match, (strict_answer(said),), gold), weight=1.0)
    yield Part(name="lenient_exact_match", value=_best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")


def _stale(said: str, rejected: Sequence[str], *, right: bool) -> Part:
    if not rejected:
        return Part(name="stale", value=None, why="no stale answer is known")
    return Part(name="stale", value=float(not right and bool(_best(word_match, (said,), rejected))))


def _holds(said: str, answer: str) -> float:
    """An empty reply holds nothing, and an answer without a letter or figure is in no reply."""
    return float(bool(normalise(said)) and bool(normalise(answer)) and substring_match(said, answer))


def _f1(said: str, answer: str) -> float:
    return token_f1(said, answer).f1


def _best(match: Match, readings: Iterable[str], answers: Iterable[str]) -> float:
    wanted = list(answers)
    return max((float(match(said, answer)) for said in readings if said.strip() for answer in wanted), default=0.0)


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

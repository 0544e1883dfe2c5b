"""Short answers: the paper's strict measure first, then lenient ones and stale answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from recollect.domain.outcomes import Part
from recollect.metrics.parsing import lenient_answer, strict_answer
from recollect.metrics.text_match import exact_match, normalise, substring_match, token_f1, word_match

Match = Callable[[str, str], float]


def fact_parts(said: str, gold: Sequence[str], rejected: Sequence[str]) -> Iterable[Part]:
    """The measures of a short answer, the paper's first."""
    strict = (said, strict_answer(said))
    lenient = lenient_answer(said)
    right = best(holds, strict, gold)
    yield Part(name="substring_exact_match", value=right, weight=1.0)
    yield Part(name="exact_match", value=best(exact_match, strict, gold))
    yield Part(name="f1", value=best(f1, strict, gold))
    yield Part(name="lenient_exact_match", value=best(exact_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    yield Part(name="lenient_word_match", value=best(word_match, (lenient.text,), gold), why=f"read: {lenient.rule}")
    if rejected:
        yield Part(name="stale", value=float(not right and bool(best(word_match, (said,), rejected))))
    else:
        yield Part(name="stale", value=None, why="no stale answer is known")


def holds(said: str, answer: str) -> float:
    """Whether the reply contains the answer; 0 if either has no letter or figure."""
    return float(bool(normalise(said)) and bool(normalise(answer)) and substring_match(said, answer))


def f1(said: str, answer: str) -> float:
    """F1 of the words of both, a ratio."""
    return token_f1(said, answer).f1


def best(match: Match, readings: Iterable[str], answers: Iterable[str]) -> float:
    """The best match of any reading with any answer; 0 where every reading is empty."""
    wanted = list(answers)
    return max((float(match(said, answer)) for said in readings if said.strip() for answer in wanted), default=0.0)

"""Detective questions: which option a reply commits to, and the paper's measures of its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.benchmarks.memoryagentbench.families.detective import answers_accepted, gold_letter, words_of
from recollect.benchmarks.memoryagentbench.scoring.events import commitment
from recollect.benchmarks.memoryagentbench.scoring.short_answers import best, outcome, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Option, Question
from recollect.metrics.parsing import lenient_answer, marked_answer, strict_answer, visible
from recollect.metrics.text_match import exact_match, normalise, substring_match, token_f1


def score_case(
    question: Question,
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001 - a scorer's form
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper beside it.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `exact_match`, the better of raw and parsed. The choice is ours.
    """
    return outcome(reply, _parts(question, answers_accepted(question, key), said_by(reply)))


def _parts(question: Question, answers: Sequence[str], said: str) -> Iterable[Part]:
    readings = (said, strict_answer(said))
    lenient = lenient_answer(said)
    right = gold_letter(question.options, answers)
    chosen, why = chosen_option(said, question.options)
    within = best(_holds, readings, answers)
    yield Part(name="choice", value=within if right is None else float(chosen == right), weight=1.0, why=why)
    yield Part(name="exact_match", value=best(exact_match, readings, answers))
    kinder = (*answers, *filter(str.strip, map(words_of, answers)))
    yield Part(
        name="lenient_exact_match", value=best(exact_match, (lenient.text,), kinder), why=f"read: {lenient.rule}"
    )
    yield Part(name="substring_exact_match", value=within)
    yield Part(name="f1", value=best(lambda one, other: token_f1(one, other).f1, readings, answers))


def chosen_option(said: str, options: Sequence[Option]) -> tuple[str | None, str]:
    """The letter of the option that a reply commits to, and how it was read.

    What the reply sets apart as its answer decides, so that reasons which name other options do not count.
    """
    marked = marked_answer(visible(said), ("answer",))
    if marked is None:
        return commitment(said, options)
    letter, why = commitment(marked.text, options)
    return letter, f"{why}, in {marked.rule}"


def _holds(said: str, answer: str) -> float:
    return float(bool(normalise(answer)) and substring_match(said, answer))

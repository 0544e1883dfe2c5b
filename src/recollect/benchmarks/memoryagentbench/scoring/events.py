"""The next event: which option a reply commits to, and the paper's measures of its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.benchmarks.memoryagentbench.families.events import events_accepted, letter_of
from recollect.benchmarks.memoryagentbench.scoring.short_answers import best, outcome, said_by
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Outcome, Part, Verdict
from recollect.domain.questions import Key, Option, Question
from recollect.metrics.parsing import lenient_answer, option_letter, strict_answer, visible
from recollect.metrics.text_match import exact_match, normalise, substring_match, token_f1

LEAST_WORDS = 5
"""Words of a reply that is taken for the beginning of an option, cut off by the output limit."""


def score_event(
    question: Question,
    key: Key,
    reply: Reply,
    verdict: Verdict | None,  # noqa: ARG001 - a scorer's form
    shared: Mapping[str, Any],  # noqa: ARG001
) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper beside it.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `eventqa_recall` and the parsed measures. The choice is ours.
    """
    return outcome(reply, _parts(question, events_accepted(question, key), said_by(reply)))


def _parts(question: Question, events: Sequence[str], said: str) -> Iterable[Part]:
    parsed = strict_answer(said)
    right = letter_of(question.options, events)
    chosen, why = commitment(said, question.options)
    lowered = said.lower()
    within = best(substring_match, (parsed,), events)
    choice = within if right is None else float(chosen == right)
    yield Part(name="choice", value=choice, weight=1.0, why=why)
    yield Part(name="substring_exact_match", value=within)
    yield Part(name="eventqa_recall", value=float(all(event.lower() in lowered for event in events)))
    yield Part(name="exact_match", value=best(exact_match, (parsed,), events))
    yield Part(name="f1", value=best(lambda one, other: token_f1(one, other).f1, (parsed,), events))


def commitment(said: str, options: Sequence[Option]) -> tuple[str | None, str]:
    """The letter of the one option that a reply commits to, and how it was read.

    The text of exactly one option in the reply decides; else a letter; else a reply that is the beginning of exactly
    one option.
    """
    told = _told(said, options)
    if len(told) == 1:
        return told[0], "read: text"
    letter = option_letter(said, letters="".join(option.letter for option in options)) if options else None
    if letter is not None:
        return letter, "read: letter"
    begun = _begun(said, options)
    if len(begun) == 1:
        return begun[0], "read: beginning of the text"
    return None, "names several options" if told or len(begun) > 1 else "names no option"


def _told(said: str, options: Sequence[Option]) -> list[str]:
    """Letters of the options whose text is in the reply, but for those within another that is."""
    words = _worded(visible(said))
    found = {
        option.letter: wanted for option in options if (wanted := _worded(option.text)).strip() and wanted in words
    }
    return [one for one, text in found.items() if not any(text != other and text in other for other in found.values())]


def _begun(said: str, options: Sequence[Option]) -> list[str]:
    words = normalise(lenient_answer(said).text)
    if len(words.split()) < LEAST_WORDS:
        return []
    return [option.letter for option in options if normalise(option.text).startswith(words)]


def _worded(text: str) -> str:
    """Normalised, with borders, so that no word is found within another."""
    return f" {normalise(text)} "

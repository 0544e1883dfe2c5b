"""EventQA: a novel in paragraphs, and questions that give events in order and ask which of six happens next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from string import ascii_uppercase
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.family import (
    Family,
    Published,
    Scored,
    Source,
    joined,
    plain,
    published,
)
from recollect.benchmarks.memoryagentbench.families.short_answers import best, f1
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Part
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.metrics.parsing import lenient_answer, option_letter, strict_answer, visible
from recollect.metrics.text_match import exact_match, normalise, substring_match

LONGEST = 4_000
"""Characters of a passage; a longer paragraph is split into runs of sentences."""
SHOWN_BEFORE = 5
"""Previous events in a question, at most."""
CHOICES = 6
_GAP = re.compile(r"\n[ \t\r]*\n(?:[ \t\r]*\n)*")
_LIST = re.compile(r"\[\s*['\"]")
_FIRST = re.compile(r"^[ \t]*1[.):]", re.MULTILINE)
_BEFORE = "These events of the book have already happened, in this order:"
_AFTER = "These are possible subsequent events:"
_ASKS = "Which of them happens next in the book? Give that event and nothing else."


def texts_of(context: str) -> list[str]:
    """The paragraphs, each with the blank lines after it; joined they are the context again."""
    blank = len(context) - len(context.lstrip())
    borders = [0, *(gap.end() for gap in _GAP.finditer(context) if gap.end() > blank), len(context)]
    pieces = [context[a:b] for a, b in pairwise(borders) if a < b]
    return [part for piece in pieces for part in ([piece] if len(piece) <= LONGEST else _parted(piece))]


def _parted(paragraph: str) -> Iterator[str]:
    """Runs of whole sentences of at most `LONGEST` characters; a longer sentence is cut there."""
    from recollect.text.sentences import spans

    starts = [0, *(start for start, _ in spans(paragraph)[1:]), len(paragraph)]
    first = 0
    for start, end in pairwise(starts):
        if first < start and end - first > LONGEST:
            yield paragraph[first:start]
            first = start
        while end - first > LONGEST:
            yield paragraph[first : first + LONGEST]
            first += LONGEST
    if first < len(paragraph):
        yield paragraph[first:]


def first_passages(passages: Sequence[str], tokens: int | None) -> tuple[str, ...]:
    """The whole passages from the beginning that fit into *tokens*; all of them where that is `None`."""
    from recollect.text.tokens import count

    if tokens is None:
        return tuple(passages)
    used = accumulate(map(count, passages))
    return tuple(passage for passage, so_far in zip(passages, used, strict=True) if so_far <= tokens)


def context_of(texts: Sequence[str]) -> str:
    """The passages joined."""
    return "".join(texts)


novel_family = partial(Family, chunk_tokens=4096, joint="", passages=plain(texts_of), context=joined(context_of))
"""A family whose context is a novel in paragraphs."""


def numbered(texts: Iterable[str]) -> str:
    """Texts one per line, from 1."""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))


def question_text(previous: Sequence[str], options: Sequence[str]) -> str:
    """A question in the published layout: previous events, a list literal of possible ones, what to do."""
    return f"{_BEFORE}\n{numbered(previous)}\n\n{_AFTER}\n{list(options)!r}\n\n{_ASKS}"


class Parsed(NamedTuple):
    """A parsed question text."""

    head: str
    """The text before the options."""
    options: tuple[str, ...]


def parsed(text: str) -> Parsed:
    """The previous events and the options of a question; `ValueError` if there is no list of strings in it."""
    for opening in _LIST.finditer(text):
        ends = [place + 1 for place, sign in enumerate(text) if sign == "]" and place > opening.start()]
        for end in reversed(ends):
            try:
                value = ast.literal_eval(text[opening.start() : end])
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            strings = isinstance(value, list) and all(isinstance(option, str) for option in value)
            if strings and 2 <= len(value) <= len(ascii_uppercase):
                return Parsed(text[: opening.start()], tuple(value))
    raise ValueError("there is no list of possible events in it, such as `['She wept.', 'He left.']`")


def lettered(options: Sequence[str]) -> tuple[Option, ...]:
    """Options with letters from A."""
    return tuple(Option(letter=letter, text=text) for letter, text in zip(ascii_uppercase, options, strict=False))


def letter_of(options: Sequence[Option], answers: Sequence[str]) -> str | None:
    """The option that is an accepted answer: exactly, or else up to case and white space."""
    for same in (str, lambda text: " ".join(text.casefold().split())):
        wanted = {same(answer) for answer in answers}
        found = next((option.letter for option in options if same(option.text) in wanted), None)
        if found is not None:
            return found
    return None


def _asked(row: Row, place: int) -> Asked:
    head, options = parsed(row.questions[place])
    before = row.metadata.previous_events
    if before is None:  # the numbered events of the head, without the headers around them
        first = _FIRST.search(head)
        lines = head[first.start() if first else 0 :].strip().split("\n")
        if len(lines) > 1 and lines[-1].rstrip().endswith(":"):
            lines.pop()
        previous = "\n".join(lines).strip()
    elif len(before) != len(row.questions):
        raise ValueError(f"`metadata.previous_events` has {len(before)} entries for {len(row.questions)} questions")
    else:
        previous = before[place]
    return asked_of(text=row.questions[place], previous=previous, options=options, answers=row.answers[place])


def asked_of(*, text: str, previous: str, options: Sequence[str], answers: Sequence[str]) -> Asked:
    """A question for a letter; for the event itself where the accepted one is not among the options."""
    choices = lettered(options)
    letter = letter_of(choices, answers)
    return Asked(
        text=text,
        gold=tuple(answers) if letter is None else (letter, *answers),
        cue="\n".join([previous, *options]),  # all events and no instructions, as in the paper
        answer_format=AnswerFormat.TEXT if letter is None else AnswerFormat.LETTER,
        options=choices,
        variables={"previous_events": previous},
        labels={"choice": "none_fits"} if letter is None else {},
    )


def answers_accepted(question: Question, key: Key) -> tuple[str, ...]:
    """The accepted answers as published, without the letter before them."""
    return key.gold[1:] if question.answer_format is AnswerFormat.LETTER else key.gold


def _published(one: Keyed) -> Published:
    previous = tuple(question.variables["previous_events"] for question in one.history.questions)
    return published(one, answers_accepted, {"previous_events": previous})


LEAST_WORDS = 5
"""Words of a reply that may be the beginning of an option, cut off by the output limit."""


def score_event(scored: Scored) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper follow.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `eventqa_recall` and the parsed measures. The choice is ours.
    """
    reply, options = scored.reply_text, scored.question.options
    events = answers_accepted(scored.question, scored.key)
    strict = (strict_answer(reply),)
    right = letter_of(options, events)
    chosen, why = commitment(reply, options)
    within = best(substring_match, strict, events)
    recalled = all(event.lower() in reply.lower() for event in events)
    return scored.outcome(
        [
            Part(name="choice", value=within if right is None else float(chosen == right), weight=1.0, why=why),
            Part(name="substring_exact_match", value=within),
            Part(name="eventqa_recall", value=float(recalled)),
            Part(name="exact_match", value=best(exact_match, strict, events)),
            Part(name="f1", value=best(f1, strict, events)),
        ]
    )


def commitment(reply: str, options: Sequence[Option]) -> tuple[str | None, str]:
    """The letter of the one option that a reply commits to, and how it was read.

    The text of exactly one option in the reply decides; else a letter; else a reply that is the beginning of exactly
    one option. An option that is part of another one in the reply does not count.
    """
    words = f" {normalise(visible(reply))} "  # with borders, so that no word is found within another
    texts = {option.letter: f" {normalise(option.text)} " for option in options}
    found = {letter: text for letter, text in texts.items() if text.strip() and text in words}
    named = [a for a, text in found.items() if not any(text != other and text in other for other in found.values())]
    if len(named) == 1:
        return named[0], "read: text"
    letter = option_letter(reply, letters="".join(texts)) if options else None
    if letter is not None:
        return letter, "read: letter"
    beginning = normalise(lenient_answer(reply).text)
    enough = len(beginning.split()) >= LEAST_WORDS
    begun = [option.letter for option in options if enough and normalise(option.text).startswith(beginning)]
    if len(begun) == 1:
        return begun[0], "read: beginning of the text"
    return None, "names several options" if named or len(begun) > 1 else "names no option"


MADE = "eventqa_generated"
SIZES = {"full": None, "65536": 65_536, "131072": 131_072}
"""Suffix of the source -> tokens of the context; `None` is the whole book."""
ROWS, QUESTIONS_PER_ROW = 5, 100


FAMILY = novel_family(
    name="eventqa",
    split="Accurate_Retrieval",
    output_tokens=40,
    measure="choice",
    chance=lambda _: 1 / CHOICES,
    words=lambda source: {"size": f" cut at {source.context_tokens:,} tokens" if source.context_tokens else ""},
    score=score_event,
    asked=_asked,
    published=_published,
)

SOURCES = (
    *(
        Source(
            name=f"eventqa_{name}",
            family=FAMILY,
            questions=ROWS * QUESTIONS_PER_ROW,
            rows=ROWS,
            context_tokens=tokens,
        )
        for name, tokens in SIZES.items()
    ),
    Source(name=MADE, family=FAMILY, questions=None, rows=None),
)

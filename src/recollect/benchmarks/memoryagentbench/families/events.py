"""EventQA: a novel in paragraphs, and questions that give events in order and six of which one happens next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
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
from recollect.contracts.benchmark import TaskCard
from recollect.domain.histories import Keyed
from recollect.domain.outcomes import Outcome, Part
from recollect.domain.questions import AnswerFormat, Key, Option, Question
from recollect.metrics.parsing import lenient_answer, option_letter, strict_answer, visible
from recollect.metrics.text_match import exact_match, normalise, substring_match

LONGEST = 4_000
"""Characters of a passage; a paragraph that is longer falls into runs of sentences."""
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
    """The paragraphs, each with the blank lines behind it, so that put end to end they are the context again."""
    blank = len(context) - len(context.lstrip())
    borders = [0, *(gap.end() for gap in _GAP.finditer(context) if gap.end() > blank), len(context)]
    pieces = [context[a:b] for a, b in pairwise(borders) if a < b]
    return [part for piece in pieces for part in ([piece] if len(piece) <= LONGEST else _parted(piece))]


def _parted(paragraph: str) -> Iterator[str]:
    """Runs of whole sentences up to the longest; a sentence over it is cut at that length."""
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


def context_of(texts: Sequence[str]) -> str:
    """The passages end to end."""
    return "".join(texts)


novel_family = partial(Family, chunk_tokens=4096, joint="", passages=plain(texts_of), context=joined(context_of))
"""A family whose context is a novel in paragraphs."""


def numbered(events: Sequence[str]) -> str:
    """Previous events as a question shows them, one a line from 1."""
    return "\n".join(f"{number}. {event}" for number, event in enumerate(events, start=1))


def question_text(previous: Sequence[str], options: Sequence[str]) -> str:
    """A question in the published layout: previous events, a list literal of possible ones, what to do."""
    return f"{_BEFORE}\n{numbered(previous)}\n\n{_AFTER}\n{list(options)!r}\n\n{_ASKS}"


def cue_of(previous: str, options: Sequence[str]) -> str:
    """What retrieval sees: all events of the question, none of its instructions, as in the paper."""
    return "\n".join([previous, *options])


class Parsed(NamedTuple):
    """A question text, taken apart."""

    head: str
    """What stands before the list."""
    options: tuple[str, ...]


def parsed(text: str) -> Parsed:
    """The previous events and the options of a question.

    Raises:
        ValueError: There is no list of strings in it.
    """
    for opening in _LIST.finditer(text):
        ends = [place + 1 for place, sign in enumerate(text) if sign == "]" and place > opening.start()]
        for end in reversed(ends):
            options = _strings(text[opening.start() : end])
            if options:
                return Parsed(text[: opening.start()], options)
    raise ValueError("there is no list of possible events in it, such as `['She wept.', 'He left.']`")


def _strings(literal: str) -> tuple[str, ...]:
    """The strings of a list literal of two or more, else none."""
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ()
    fits = (
        isinstance(value, list) and 2 <= len(value) <= len(ascii_uppercase) and all(isinstance(v, str) for v in value)
    )
    return tuple(value) if fits else ()


def _shown_before(head: str) -> str:
    """The numbered events of a question's head, without the headers around them."""
    first = _FIRST.search(head)
    lines = head[first.start() if first else 0 :].strip().split("\n")
    if len(lines) > 1 and lines[-1].rstrip().endswith(":"):
        lines.pop()
    return "\n".join(lines).strip()


def lettered(options: Sequence[str]) -> tuple[Option, ...]:
    """Options with letters from A."""
    return tuple(Option(letter=letter, text=text) for letter, text in zip(ascii_uppercase, options, strict=False))


def letter_of(options: Sequence[Option], answers: Sequence[str]) -> str | None:
    """The option that is an accepted answer: to the letter, else but for case and white space."""
    for same in (str, _plain):
        wanted = {same(answer) for answer in answers}
        found = next((option.letter for option in options if same(option.text) in wanted), None)
        if found is not None:
            return found
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _asked(row: Row, place: int) -> Asked:
    head, texts = parsed(row.questions[place])
    before = row.metadata.previous_events
    if before is not None and len(before) != len(row.questions):
        raise ValueError(f"`metadata.previous_events` has {len(before)} entries for {len(row.questions)} questions")
    return asked_of(
        text=row.questions[place],
        previous=_shown_before(head) if before is None else before[place],
        options=texts,
        answers=row.answers[place],
    )


def asked_of(*, text: str, previous: str, options: Sequence[str], answers: Sequence[str]) -> Asked:
    """A question for a letter; for the event itself where the accepted one is none of the options."""
    choices = lettered(options)
    letter = letter_of(choices, answers)
    return Asked(
        text=text,
        gold=tuple(answers) if letter is None else (letter, *answers),
        cue=cue_of(previous, options),
        answer_format=AnswerFormat.TEXT if letter is None else AnswerFormat.LETTER,
        options=choices,
        variables={"previous_events": previous},
        labels={"choice": "none_fits"} if letter is None else {},
    )


def answers_accepted(question: Question, key: Key) -> tuple[str, ...]:
    """The accepted answers as published, without the letter that stands before them."""
    return key.gold[1:] if question.answer_format is AnswerFormat.LETTER else key.gold


def _published(one: Keyed) -> Published:
    previous = tuple(question.variables["previous_events"] for question in one.history.questions)
    return published(one, answers_accepted, {"previous_events": previous})


LEAST_WORDS = 5
"""Words of a reply that is taken for the beginning of an option, cut off by the output limit."""


def score_event(given: Scored) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper beside it.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `eventqa_recall` and the parsed measures. The choice is ours.
    """
    return given.outcome(_parts(given.question, answers_accepted(given.question, given.key), given.said))


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
    yield Part(name="f1", value=best(f1, (parsed,), events))


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


MADE = "eventqa_generated"
SIZES = {"full": None, "65536": 65_536, "131072": 131_072}
"""Suffix of the source -> tokens of the context; `None` is the whole book."""
ROWS, QUESTIONS_PER_ROW = 5, 100

LABELS = {
    "choice": "events: `none_fits` where the accepted event is none of the options, so only its text is right",
    "character": "events: who acts in the right option",
    "distance": "events: passages between the last previous event and the right option",
    "kind": "generated events: what is done in the right option, such as `find` or `sell`",
    "altered": "events: how many of the wrong options tell what happens nowhere in the book; the others happen at "
    "another time",
}
LICENCES = {"novels (eventqa)": "public domain in the USA: Project Gutenberg texts of Hugo, Dickens and Doyle"}
DEVIATION = (
    "Built by rule from three novels in the public domain, 3 of 5 rows; the paper takes five of at least 390K tokens "
    "and has a model write events and wrong options. Events are sentences of 12 to 30 words (8 if there are too few) "
    "with one of the ten most mentioned people as subject; wrong options are sentences from another time of the book, "
    "and such sentences with another person in them. Where a book, or its beginning, has fewer than 101 such events, "
    "fewer questions are asked, and the data set's origin says how many."
)
_PARTS = {
    "choice": "the one option that the reply commits to, by its text or its letter, is the right one; the primary "
    "measure, where the paper asks for the text alone",
    "substring_exact_match": "the text of the right event occurs in the parsed answer; the paper's measure, which no "
    "letter meets",
    "eventqa_recall": "it occurs in the raw reply, but for case",
    "exact_match": "it is the parsed answer",
    "f1": "words that the parsed answer shares with it",
}


def _task(source: Source) -> TaskCard:
    what = "a generated story" if source.made else "a novel"
    size = f" cut at {source.context_tokens:,} tokens" if source.context_tokens else ""
    differs = "" if source.made else f" {DEVIATION}"
    return TaskCard(
        name=source.name,
        meaning=f"Say which of six events of {what}{size} comes next after up to five that are given in order. "
        f"Evidence is the passage of the last given event and that of the next.{differs}",
        measure="choice",
        chance=1 / CHOICES,
        parts=_PARTS,
    )


FAMILY = novel_family(
    name="eventqa",
    split="Accurate_Retrieval",
    output_tokens=40,
    task=_task,
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

"""Detective stories: a novel in paragraphs, and questions with lettered options that want one line of JSON."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from recollect.benchmarks.memoryagentbench.families.events import (
    answers_accepted,
    commitment,
    letter_of,
    lettered,
    novel_family,
)
from recollect.benchmarks.memoryagentbench.families.family import Scored, Source, published
from recollect.benchmarks.memoryagentbench.families.short_answers import best, f1, holds
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.benchmarks.memoryagentbench.rows import Row
from recollect.contracts.benchmark import TaskCard
from recollect.domain.outcomes import Outcome, Part
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.metrics.parsing import lenient_answer, marked_answer, strict_answer, visible
from recollect.metrics.text_match import exact_match

CHOICES = 4
LEAST_OPTIONS = 2
_LINE = re.compile(r"^[ \t]*[(\[]?([A-Z])[.):\]][ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_INLINE = re.compile(r"(?<![\w'.])[(\[]?([A-Z])[.):\]][ \t]+")
_LITERAL = re.compile(r"\{[^{}]*\}")
_MARKED = re.compile(r"\s*[(\[]?([A-Z])(?:[.):\]]\s*|\s*\Z)")
_INSTRUCTION = re.compile(r"json|[{}]", re.IGNORECASE)
_OPENING = re.compile(r"\s*(?:options|choices)\s*:?\s*\Z", re.IGNORECASE)
_FORM = (
    "Answer with one line of JSON that gives the letter and the words of one option and your reasons in brief: "
    '{"answer": "<letter>. <words>", "reasoning": "<reasons>"}'
)


class Parsed(NamedTuple):
    """A question text, taken apart."""

    head: str
    """What stands before the options, without instructions on form."""
    options: tuple[str, ...]
    """Texts, the first is that of A; none where none are found."""


class Found(NamedTuple):
    """Options and where they begin."""

    start: int
    texts: tuple[str, ...]


def question_text(ask: str, options: Sequence[str]) -> str:
    """A question in the published layout: what is asked, one option a line, the form of the answer."""
    return "\n".join(
        [ask, *(f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False)), _FORM]
    )


def parsed(text: str) -> Parsed:
    """The bare question and its options: one a line, one behind the other in a line, or a literal by letter."""
    found = _by_line(text) or _by_literal(text) or _inline(text)
    if found is None:
        return Parsed(_bare(text), ())
    return Parsed(_bare(text[: found.start]) or _bare(text), found.texts)


def _bare(head: str) -> str:
    lines = [line for line in head.splitlines() if not _INSTRUCTION.search(line)]
    return _OPENING.sub("", "\n".join(lines)).strip()


def _by_line(text: str) -> Found | None:
    return _run([(found[1], found.start(), found[2]) for found in _LINE.finditer(text)])


def _inline(text: str) -> Found | None:
    """Options that follow each other in one line, which ends the last of them."""
    for line in re.finditer(r"[^\n]+", text):
        marks = list(_INLINE.finditer(line[0]))
        ends = [*(mark.start() for mark in marks[1:]), len(line[0])]
        told = [
            (mark[1], line.start() + mark.start(), line[0][mark.end() : end].strip(" \t;,"))
            for mark, end in zip(marks, ends, strict=False)
        ]
        found = _run(told)
        if found is not None:
            return found
    return None


def _run(told: Sequence[tuple[str, int, str]]) -> Found | None:
    """The last run of letters from A on."""
    for first in reversed([place for place, (letter, _, _) in enumerate(told) if letter == "A"]):
        texts: list[str] = []
        for wanted, (letter, _, text) in zip(ascii_uppercase, told[first:], strict=False):
            if letter != wanted or not text:
                break
            texts.append(text)
        if len(texts) >= LEAST_OPTIONS:
            return Found(told[first][1], tuple(texts))
    return None


def _by_literal(text: str) -> Found | None:
    for place in _LITERAL.finditer(text):
        try:
            value = ast.literal_eval(place[0])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict) and all(isinstance(part, str) for part in (*value, *value.values())):
            texts = tuple(text for name, text in value.items() if name in ascii_uppercase and text.strip())
            if len(texts) >= LEAST_OPTIONS and list(value) == list(ascii_uppercase[: len(texts)]):
                return Found(place.start(), texts)
    return None


def gold_letter(options: Sequence[Option], answers: Sequence[str]) -> str | None:
    """The option that the accepted answers mean: by the letter that one opens with, else by its words."""
    letters = {option.letter for option in options}
    marked = [found[1] for answer in answers if (found := _MARKED.match(answer)) and found[1] in letters]
    return marked[0] if marked else letter_of(options, answers)


def words_of(answer: str) -> str:
    """An accepted answer without the letter before it."""
    found = _MARKED.match(answer)
    return answer[found.end() :] if found else answer


def asked_of(text: str, answers: Sequence[str]) -> Asked:
    """A question for a letter; for the words of the answer where no option can be told to be the right one."""
    head, texts = parsed(text)
    options = lettered(texts)
    letter = gold_letter(options, answers)
    return Asked(
        text=text,
        gold=tuple(answers) if letter is None else (letter, *answers),
        cue=head,
        answer_format=AnswerFormat.TEXT if letter is None else AnswerFormat.LETTER,
        options=options,
        variables={"asked": head},
        labels=dict(_doubts(options, letter, answers)),
    )


def _doubts(options: Sequence[Option], letter: str | None, answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    if letter is None:
        yield "fit", "none_fits" if options else "no_options"
        return
    spoken = [words for answer in answers if (words := words_of(answer)).strip()]
    if spoken and letter_of(options, spoken) != letter:
        yield "fit", "words_differ"


def _asked(row: Row, place: int) -> Asked:
    return asked_of(row.questions[place], row.answers[place])


def score_case(given: Scored) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper beside it.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `exact_match`, the better of raw and parsed. The choice is ours.
    """
    return given.outcome(_parts(given.question, answers_accepted(given.question, given.key), given.said))


def _parts(question: Question, answers: Sequence[str], said: str) -> Iterable[Part]:
    readings = (said, strict_answer(said))
    lenient = lenient_answer(said)
    right = gold_letter(question.options, answers)
    chosen, why = chosen_option(said, question.options)
    within = best(holds, readings, answers)
    yield Part(name="choice", value=within if right is None else float(chosen == right), weight=1.0, why=why)
    yield Part(name="exact_match", value=best(exact_match, readings, answers))
    kinder = (*answers, *filter(str.strip, map(words_of, answers)))
    yield Part(
        name="lenient_exact_match", value=best(exact_match, (lenient.text,), kinder), why=f"read: {lenient.rule}"
    )
    yield Part(name="substring_exact_match", value=within)
    yield Part(name="f1", value=best(f1, readings, answers))


def chosen_option(said: str, options: Sequence[Option]) -> tuple[str | None, str]:
    """The letter of the option that a reply commits to, and how it was read.

    What the reply sets apart as its answer decides, so that reasons which name other options do not count.
    """
    marked = marked_answer(visible(said), ("answer",))
    if marked is None:
        return commitment(said, options)
    letter, why = commitment(marked.text, options)
    return letter, f"{why}, in {marked.rule}"


TASK, MADE = "detective_qa", "detective_generated"
ROWS, QUESTIONS, CONTEXT_TOKENS = 10, 71, 124_000

LABELS = {
    "fit": "detectives: `none_fits` where the accepted answer is none of the options, so only its text is right; "
    "`no_options` where none could be read; `words_differ` where its letter and its words do not go together, and the "
    "letter counts",
    "clues": "generated cases: passages that are needed, `1`, `2` or `3+`",
    "reasoning": "generated cases: `stated` in one passage, a `chain` from passage to passage, or `elimination` of all "
    "options but one",
    "asks": "generated cases: `who`, `where`, `when` or `what`",
}
LICENCES = {
    "detective novels": "the published rows are the user's own copy; the text of their books is not ours to give"
}
_PARTS = {
    "choice": "the one option that the reply commits to, by the `answer` field of its JSON, its words or its letter, "
    "is the right one; the primary measure, where the paper wants letter and words to the letter",
    "exact_match": "the raw or the parsed reply is the accepted answer, letter and words; the paper's measure, which a "
    "line of JSON does not meet",
    "lenient_exact_match": "the answer is that or its words where it is read from JSON, boxes, bold or behind a label",
    "substring_exact_match": "it occurs in the raw or the parsed reply",
    "f1": "words that the raw or the parsed reply shares with it",
}


def _task(source: Source) -> TaskCard:
    if source.made:
        meaning = (
            "Solve a generated case: who took it, where it lies, when it went, who was where with what. Evidence is "
            "the passages without which more than one option fits, which a solver has checked. One passage answers "
            "some questions, others need two to six. The rule reader looks for what is said of an option and cannot "
            "eliminate, so its oracle fails where `reasoning` is `elimination`."
        )
    else:
        meaning = (
            f"Answer hard questions about a detective novel of about {CONTEXT_TOKENS:,} tokens. The rows are the "
            "user's own, in the published layout, and nothing is built from sources. They name no evidence, so there "
            f"is no oracle. Chance is that of {CHOICES} options."
        )
    return TaskCard(name=source.name, meaning=meaning, measure="choice", chance=1 / CHOICES, parts=_PARTS)


FAMILY = novel_family(
    name="detective_qa",
    split="Long_Range_Understanding",
    output_tokens=500,
    code_output_tokens=2_000,
    task=_task,
    score=score_case,
    asked=_asked,
    published=lambda one: published(one, answers_accepted),
)

SOURCES = (
    Source(name=TASK, family=FAMILY, questions=QUESTIONS, rows=ROWS),
    Source(name=MADE, family=FAMILY, questions=None, rows=None),
)

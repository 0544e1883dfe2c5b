"""Detective stories: a novel in paragraphs, and questions with lettered options, answered in one line of JSON."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from string import ascii_uppercase

from recollect.benchmarks.memoryagentbench.families import events
from recollect.benchmarks.memoryagentbench.families.family import Scored, Source, published
from recollect.benchmarks.memoryagentbench.families.short_answers import best, f1, holds
from recollect.benchmarks.memoryagentbench.questions import Asked
from recollect.domain.outcomes import Outcome, Part
from recollect.domain.questions import AnswerFormat, Option
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


Found = tuple[int, tuple[str, ...]]
"""Where the options begin, and their texts from A on."""


def question_text(ask: str, options: Sequence[str]) -> str:
    """A question in the published layout: what is asked, one option per line, the form of the answer."""
    return "\n".join(
        [ask, *(f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False)), _FORM]
    )


def parsed(text: str) -> events.Parsed:
    """The bare question and its options, if any: one per line, in one line, or a literal by letter."""
    by_line = _run([(found[1], found.start(), found[2]) for found in _LINE.finditer(text)])
    found = by_line or _by_literal(text) or _inline(text)
    if found is None:
        return events.Parsed(_bare(text), ())
    start, options = found
    return events.Parsed(_bare(text[:start]) or _bare(text), options)


def _bare(head: str) -> str:
    lines = [line for line in head.splitlines() if not _INSTRUCTION.search(line)]
    return _OPENING.sub("", "\n".join(lines)).strip()


def _inline(text: str) -> Found | None:
    for line in re.finditer(r"[^\n]+", text):
        marks = list(_INLINE.finditer(line[0]))
        ends = [*(mark.start() for mark in marks[1:]), len(line[0])]
        found = _run(
            [
                (mark[1], line.start() + mark.start(), line[0][mark.end() : end].strip(" \t;,"))
                for mark, end in zip(marks, ends, strict=False)
            ]
        )
        if found is not None:
            return found
    return None


def _run(marks: Sequence[tuple[str, int, str]]) -> Found | None:
    """The last run of letters from A on."""
    for first in reversed([place for place, (letter, _, _) in enumerate(marks) if letter == "A"]):
        texts: list[str] = []
        for wanted, (letter, _, text) in zip(ascii_uppercase, marks[first:], strict=False):
            if letter != wanted or not text:
                break
            texts.append(text)
        if len(texts) >= LEAST_OPTIONS:
            return marks[first][1], tuple(texts)
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
                return place.start(), texts
    return None


def gold_letter(options: Sequence[Option], answers: Sequence[str]) -> str | None:
    """The option that the accepted answers mean: by the letter that one begins with, else by its words."""
    letters = {option.letter for option in options}
    marked = [found[1] for answer in answers if (found := _MARKED.match(answer)) and found[1] in letters]
    return marked[0] if marked else events.letter_of(options, answers)


def words_of(answer: str) -> str:
    """An accepted answer without the letter before it."""
    found = _MARKED.match(answer)
    return answer[found.end() :] if found else answer


def asked_of(text: str, answers: Sequence[str]) -> Asked:
    """A question for a letter; for the words of the answer where no option is clearly the right one."""
    head, texts = parsed(text)
    options = events.lettered(texts)
    letter = gold_letter(options, answers)
    words = [found for answer in answers if (found := words_of(answer)).strip()]
    labels = {}
    if letter is None:
        labels["fit"] = "none_fits" if options else "no_options"
    elif words and events.letter_of(options, words) != letter:
        labels["fit"] = "words_differ"
    return Asked(
        text=text,
        gold=tuple(answers) if letter is None else (letter, *answers),
        cue=head,
        answer_format=AnswerFormat.TEXT if letter is None else AnswerFormat.LETTER,
        options=options,
        variables={"asked": head},
        labels=labels,
    )


def score_case(scored: Scored) -> Outcome:
    """Whether the reply commits to the right option; the measures of the paper follow.

    Source:
        MemoryAgentBench, section 2.2.5 of its notes: `exact_match`, the better of raw and parsed. The choice is ours.
    """
    reply, options = scored.reply_text, scored.question.options
    answers = events.answers_accepted(scored.question, scored.key)
    readings, lenient = (reply, strict_answer(reply)), lenient_answer(reply)
    right = gold_letter(options, answers)
    chosen, why = chosen_option(reply, options)
    within = best(holds, readings, answers)
    bare = (*answers, *filter(str.strip, map(words_of, answers)))
    found = best(exact_match, (lenient.text,), bare)
    return scored.outcome(
        [
            Part(name="choice", value=within if right is None else float(chosen == right), weight=1.0, why=why),
            Part(name="exact_match", value=best(exact_match, readings, answers)),
            Part(name="lenient_exact_match", value=found, why=f"read: {lenient.rule}"),
            Part(name="substring_exact_match", value=within),
            Part(name="f1", value=best(f1, readings, answers)),
        ]
    )


def chosen_option(reply: str, options: Sequence[Option]) -> tuple[str | None, str]:
    """The letter of the option that a reply commits to, and how it was read.

    What the reply marks as its answer decides, so that reasons that name other options do not count.
    """
    marked = marked_answer(visible(reply), ("answer",))
    if marked is None:
        return events.commitment(reply, options)
    letter, why = events.commitment(marked.text, options)
    return letter, f"{why}, in {marked.rule}"


TASK, MADE = "detective_qa", "detective_generated"
ROWS, QUESTIONS = 10, 71


FAMILY = events.novel_family(
    name="detective_qa",
    split="Long_Range_Understanding",
    output_tokens=500,
    code_output_tokens=2_000,
    measure="choice",
    chance=lambda _: 1 / CHOICES,
    score=score_case,
    asked=lambda row, place: asked_of(row.questions[place], row.answers[place]),
    published=lambda one: published(one, events.answers_accepted),
)

SOURCES = (
    Source(name=TASK, family=FAMILY, questions=QUESTIONS, rows=ROWS),
    Source(name=MADE, family=FAMILY, questions=None, rows=None),
)

"""The one table: answer format x kind of question -> operator.

A cell without an operator is not available, with the reason; nothing falls back on a guess. The reader goes by the
form of the answer, of the question and of the context, never by benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recollect.domain.errors import NotAvailableError
from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import wants_both
from recollect.offline.reading.facts.chains import follow
from recollect.offline.reading.operators import choices, conflicts, counts, states, templates
from recollect.offline.reading.operators import sources as rivals
from recollect.offline.reading.operators import sources as tellers
from recollect.offline.reading.operators import templates as summary
from recollect.offline.reading.operators.comparisons import comparative, compare, named_rivals
from recollect.offline.reading.operators.spans import span
from recollect.offline.reading.operators.times import date_of_event, duration
from recollect.offline.reading.pages import Page
from recollect.offline.reading.question import Kind, ParsedQuestion
from recollect.offline.reading.words import content, words

Operator = Callable[[Page, ParsedQuestion], str | None]
"""The answer; `None` where the context holds nothing about it."""


def fact(page: Page, asked: ParsedQuestion) -> str | None:
    """A chain through numbered facts, else the newest fact that holds most of the question."""
    if page.pool is None or page.web is None:
        return None
    found = page.pool.look_up(asked.words)
    chain = follow(page.web, asked.words)
    if chain is not None:
        return chain.text
    return found.text if found is not None else None


def label(page: Page, asked: ParsedQuestion) -> str | None:
    """The label that the nearest examples vote for, and nothing else."""
    return page.examples.label(asked.question.seen_by_search) if page.examples is not None else None


def comparison(page: Page, asked: ParsedQuestion) -> str:
    """The winner's name.

    Raises:
        NotAvailableError: The context does not measure all rivals alike.
    """
    winner = compare(page, asked)
    if winner is None:
        raise NotAvailableError(_unmeasured(asked))
    if winner.yes is not None:
        return lexicon.YES if winner.yes else lexicon.NO
    return winner.names[0] if len(winner.names) == 1 else f"{lexicon.SAME}: {' and '.join(winner.names)}"


def _unmeasured(asked: ParsedQuestion) -> str:
    return (
        f"rule reader: question {asked.question.question_id!r} compares, and the context does not measure all that it "
        "compares in one kind of value. Use a model as reader for this question."
    )


def yes_or_no(page: Page, asked: ParsedQuestion) -> str | None:
    """Yes or no; of two things joined by *or* the better supported one, or the comparison's winner."""
    rivals = named_rivals(asked)
    if len(rivals) < 2:
        return span(page, asked)
    if comparative(asked) is not None:
        return comparison(page, asked)
    scores = choices.support(page, asked, rivals)
    return rivals[scores.index(max(scores))] if len(set(scores)) > 1 else None


def disagreement(page: Page, asked: ParsedQuestion) -> str | None:
    """Both values, or the one that is held."""
    return conflicts.disagreement(page, asked) or span(page, asked)


def collection(page: Page, asked: ParsedQuestion) -> str | None:
    """All values, in one line."""
    return counts.listed(counts.union(page, asked), numbered=False) or None


def number(page: Page, asked: ParsedQuestion) -> str | None:
    """A number that the context names, or the fact that is one."""
    found = counts.number(page, asked) if page.pool is None else fact(page, asked)
    return counts.as_format(asked, found)


def text(page: Page, asked: ParsedQuestion) -> str | None:
    """Labelled examples and numbered facts by the form of the context, anything else by the kind of question."""
    if asked.question.options:
        return rivals.option(page, asked)
    if page.examples is not None:
        return label(page, asked)
    if page.pool is not None and _asks_for_fact(page, asked):
        return fact(page, asked)
    if wants_both(asked):
        return tellers.answer_by_source(page, asked, open_answer)
    return open_answer(page, asked)


def open_answer(page: Page, asked: ParsedQuestion) -> str | None:
    """By the kind of question, else the words of the best statement."""
    return OPEN.get(asked.kind, span)(page, asked) or span(page, asked)


def _asks_for_fact(page: Page, asked: ParsedQuestion) -> bool:
    """A look-up; a superlative is one too, unless the question sets two things against each other that are held."""
    if asked.kind is not Kind.COMPARE:
        return asked.kind in _FACT_KINDS
    held = [rival for rival in named_rivals(asked) if set(content(words(rival))) <= page.index.keys()]
    return len(held) < 2


def letter(page: Page, asked: ParsedQuestion) -> str:
    """The letter of the best supported option.

    Raises:
        NotAvailableError: The question compares its options, and the context does not measure them all alike.
    """
    options = asked.question.options
    if asked.kind is Kind.COMPARE:
        winner = compare(page, asked, [option.text for option in options])
        if winner is None or len(winner.names) != 1:
            raise NotAvailableError(_unmeasured(asked))
        return next(option.letter for option in options if option.text == winner.names[0])
    computed = _computed(page, asked)
    matching = [option.letter for option in options if computed is not None and choices.says(option.text, computed)]
    if len(matching) == 1:
        return matching[0]
    if asked.about_now:
        place = states.told(page, asked, [option.text for option in options])
        if place is not None:
            return options[place].letter
    return choices.pick(page, asked, options)


def _computed(page: Page, asked: ParsedQuestion) -> str | None:
    """What another operator works out, to be found among the options."""
    if page.pool is not None and _asks_for_fact(page, asked):
        return fact(page, asked)
    return OPEN[asked.kind](page, asked) if asked.kind in _COMPUTED else None


def items(page: Page, asked: ParsedQuestion) -> str | None:
    """So many items, one a line."""
    return counts.listed(counts.union(page, asked, asked.question.items), numbered=True) or None


def filled(page: Page, asked: ParsedQuestion) -> str | None:
    """A JSON object; `None` where no field has a value."""
    if not asked.question.template:
        raise NotAvailableError(
            f"rule reader: question {asked.question.question_id!r} asks for JSON without a template, and no rule says "
            "which fields to fill. Give `template`, or use a model as reader."
        )
    values = templates.fill(page, asked, asked.question.template, text)
    return None if templates.nothing_held(values) else templates.in_json(values, asked.question.output_tokens)


def shortened(page: Page, asked: ParsedQuestion) -> str | None:
    """An extractive summary."""
    return summary.summary(page, asked, asked.question.output_tokens) or None


OPEN: Mapping[Kind, Operator] = {
    Kind.CONFLICT: disagreement,
    Kind.DURATION: duration,
    Kind.WHEN: date_of_event,
    Kind.COMPARE: comparison,
    Kind.SUM: counts.total,
    Kind.COUNT: counts.count,
    Kind.SET: collection,
    Kind.YES_NO: yes_or_no,
}
"""Kinds of open question with an operator of their own; all others are looked up."""

_FACT_KINDS = frozenset({Kind.WHO, Kind.WHERE, Kind.WHAT, Kind.WHEN, Kind.YES_NO, Kind.SET, Kind.CONFLICT})
_COMPUTED = frozenset({Kind.DURATION, Kind.SUM, Kind.COUNT, Kind.WHEN})

NUMBERS: Mapping[Kind, Operator] = {
    Kind.DURATION: duration,
    Kind.SUM: counts.total,
    Kind.COUNT: counts.count,
}


def in_digits(page: Page, asked: ParsedQuestion) -> str | None:
    """A bare number, be it the label of examples."""
    if page.examples is not None:
        return counts.as_format(asked, label(page, asked))
    return counts.as_format(asked, NUMBERS.get(asked.kind, number)(page, asked))


TABLE: Mapping[AnswerFormat, Operator] = {
    AnswerFormat.TEXT: text,
    AnswerFormat.LETTER: letter,
    AnswerFormat.NUMBER: in_digits,
    AnswerFormat.DATE_SPAN: date_of_event,
    AnswerFormat.LIST: items,
    AnswerFormat.JSON: filled,
    AnswerFormat.SUMMARY: shortened,
}


def operator_of(answer_format: AnswerFormat) -> Operator:
    """The operator of a format.

    Raises:
        NotAvailableError: There is none.
    """
    if answer_format not in TABLE:
        raise NotAvailableError(
            f"rule reader: there is no operator for answers of format `{answer_format}`. Use a model as reader."
        )
    return TABLE[answer_format]

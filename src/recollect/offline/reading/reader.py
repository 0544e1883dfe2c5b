"""The rule reader, and the table that gives each answer format and kind of question its operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recollect.contracts.models import Embedder
from recollect.contracts.reading import Prompt
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, ContextItem, Reply
from recollect.domain.questions import AnswerFormat, Question
from recollect.offline.reading import lexicon
from recollect.offline.reading.evidence import wants_both
from recollect.offline.reading.facts.chains import follow
from recollect.offline.reading.operators import choices, conflicts, counts, sources, states, templates
from recollect.offline.reading.operators.comparisons import comparative, compare, named_rivals
from recollect.offline.reading.operators.spans import span
from recollect.offline.reading.operators.times import date_of_event, duration
from recollect.offline.reading.pages import Page, Sheets
from recollect.offline.reading.question import Kind, ParsedQuestion
from recollect.offline.reading.vectors import Lru, Vectors
from recollect.offline.reading.words import content, words
from recollect.text.tokens import count, cut_end

_VERSION = 2
_PAGES, _SHEETS = 16, 20_000
_UNCUT = frozenset({AnswerFormat.LETTER, AnswerFormat.JSON})
"""A letter is one token, and a cut object is none; objects are shortened field by field."""


class RuleReader:
    """Answers from a context by rules alone; the same input always gives the same answer.

    It reads the items of the context and the question. The prompt's words do not matter to it, and nothing in it knows
    a benchmark. Its rows are labelled as rules and never stand in one column with a model's.
    """

    window_tokens = 1_000_000

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._vectors = Vectors(embedder) if embedder is not None else None
        self._pages: Lru[object, Page] = Lru(_PAGES)
        self._same: Lru[int, tuple[tuple[ContextItem, ...], Page]] = Lru(_PAGES)
        self._sheets: Sheets = Lru(_SHEETS)
        suffix = f"+{embedder.fingerprint}" if embedder is not None else ""
        self._fingerprint = f"rules-reader-{_VERSION}{suffix}"

    @property
    def fingerprint(self) -> str:
        """Version of the rules and the embedder beside them."""
        return self._fingerprint

    def read(self, context: Context, question: Question, prompt: Prompt) -> Reply:  # noqa: ARG002 - rules read no prompt
        """Answer *question* from *context* alone; abstains where nothing of the question is held.

        Raises:
            NotAvailableError: No rule answers this format or kind of question.
            CallError: The embedder failed.
        """
        operator = operator_of(question.answer_format)
        answer = operator(self._page(context), ParsedQuestion(question, question.text))
        text = answer or lexicon.NOT_MENTIONED
        limit = question.output_tokens
        if limit is not None and question.answer_format not in _UNCUT and count(text) > limit:
            text = cut_end(text, limit).rstrip()
        return Reply(text=text, abstained=not answer)

    def _page(self, context: Context) -> Page:
        """The page of a context: found by the very object first, else by all that a page is made of."""
        kept = self._same.peek(id(context.items))
        if kept is not None and kept[0] is context.items:
            return kept[1]
        key = (context.text, tuple((item.text, item.said_at, item.speaker) for item in context.items))
        page = self._pages.get(key, lambda: Page(context, self._sheets, self._vectors))
        self._same.put(id(context.items), (context.items, page))
        return page


Operator = Callable[[Page, ParsedQuestion], str | None]
"""The answer; `None` where the context holds nothing about it."""


def fact(page: Page, asked: ParsedQuestion) -> str | None:
    """A chain through numbered facts, else the newest fact that holds most of the question."""
    if page.pool is None or page.web is None:
        return None
    found = follow(page.web, asked.words) or page.pool.look_up(asked.words)
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
        return sources.option(page, asked)
    if page.examples is not None:
        return label(page, asked)
    if page.pool is not None and _asks_for_fact(page, asked):
        return fact(page, asked)
    if wants_both(asked):
        return sources.answer_by_source(page, asked, open_answer)
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
    computed = None  # what another operator works out, to be found among the options
    if page.pool is not None and _asks_for_fact(page, asked):
        computed = fact(page, asked)
    elif asked.kind in _COMPUTED:
        computed = OPEN[asked.kind](page, asked)
    matching = [option.letter for option in options if computed is not None and choices.says(option.text, computed)]
    if len(matching) == 1:
        return matching[0]
    place = states.told(page, asked, [option.text for option in options]) if asked.about_now else None
    return options[place].letter if place is not None else choices.pick(page, asked, options)


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
    return templates.in_json(values, asked.question.output_tokens) if any(values.values()) else None


def shortened(page: Page, asked: ParsedQuestion) -> str | None:
    """An extractive summary."""
    return templates.summary(page, asked, asked.question.output_tokens) or None


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
_NUMBERS = frozenset({Kind.DURATION, Kind.SUM, Kind.COUNT})
_COMPUTED = _NUMBERS | {Kind.WHEN}


def in_digits(page: Page, asked: ParsedQuestion) -> str | None:
    """A bare number, be it the label of examples."""
    if page.examples is not None:
        return counts.as_format(asked, label(page, asked))
    operator = OPEN[asked.kind] if asked.kind in _NUMBERS else number
    return counts.as_format(asked, operator(page, asked))


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

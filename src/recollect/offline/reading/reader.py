"""The rule-based reader."""

from __future__ import annotations

from recollect.contracts.models import Embedder
from recollect.contracts.reading import Prompt
from recollect.domain.exchange import Context, ContextItem, Reply
from recollect.domain.questions import AnswerFormat, Question
from recollect.offline.reading import lexicon
from recollect.offline.reading.pages import Page, Sheets
from recollect.offline.reading.question import parse_question as asked_of
from recollect.offline.reading.routing import operator_of
from recollect.offline.reading.vectors import Lru, Vectors
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
        beside = f"+{embedder.fingerprint}" if embedder is not None else ""
        self._fingerprint = f"rules-reader-{_VERSION}{beside}"

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
        answer = operator(self._page(context), asked_of(question))
        if not answer:
            return Reply(text=_cut(question, lexicon.NOT_MENTIONED), abstained=True)
        return Reply(text=_cut(question, answer))

    def _page(self, context: Context) -> Page:
        """The page of a context: found by the very object first, else by all that a page is made of."""
        held = self._same.peek(id(context.items))
        if held is not None and held[0] is context.items:
            return held[1]
        page = self._equal(context)
        self._same.put(id(context.items), (context.items, page))
        return page

    def _equal(self, context: Context) -> Page:
        key = (context.text, tuple((item.text, item.said_at, item.speaker) for item in context.items))
        return self._pages.get(key, lambda: Page(context, self._sheets, self._vectors))


def _cut(question: Question, answer: str) -> str:
    limit = question.output_tokens
    if limit is None or question.answer_format in _UNCUT or count(answer) <= limit:
        return answer
    return cut_end(answer, limit).rstrip()

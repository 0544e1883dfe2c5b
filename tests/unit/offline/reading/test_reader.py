"""What holds for all operators: caps, caches, threads, hostile texts, the prompt."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.contracts.reading import Prompt, Reader
from recollect.domain.errors import NotAvailableError
from recollect.domain.exchange import Context, ContextItem
from recollect.domain.ids import QuestionId
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.offline.reading import RuleReader
from recollect.offline.reading.reader import TABLE, operator_of
from recollect.offline.reading.vectors import Lru
from recollect.text.tokens import count

from tests.unit.offline.reading.one_line import Said, WordEmbedder, ask, context_of

TALK: list[Said] = [
    ("2024-03-01T09:00", "Mia", "I adopted a puppy named Toby, he is grey and small and sleeps a lot these days."),
    ("2024-03-02T09:00", "Tom", "We painted the fence green."),
]
FACTS: list[Said] = ["0. The capital of Orvalia is Denn.\n1. The capital of Orvalia is Quill Bay."]
OPTIONS = (Option(letter="A", text="green"), Option(letter="B", text="white"))


def question(text: str, answer_format: AnswerFormat = AnswerFormat.TEXT, **fields: object) -> Question:
    shapes: Mapping[AnswerFormat, Mapping[str, object]] = {
        AnswerFormat.LETTER: {"options": OPTIONS},
        AnswerFormat.JSON: {"template": {"name": "its name", "state": "one of: red, green"}},
        AnswerFormat.LIST: {"items": 3},
    }
    given_fields = {**shapes.get(answer_format, {}), **fields}
    return Question(question_id=QuestionId("q"), text=text, answer_format=answer_format, **given_fields)  # type: ignore[arg-type]


def test_it_is_a_reader() -> None:
    reader: Reader = RuleReader()
    assert reader.window_tokens >= 1_000_000


def test_the_fingerprint_names_the_embedder() -> None:
    assert RuleReader().fingerprint != RuleReader(WordEmbedder()).fingerprint
    assert "words-1" in RuleReader(WordEmbedder()).fingerprint


def test_every_format_has_an_operator() -> None:
    assert set(TABLE) == set(AnswerFormat)


def test_a_format_without_an_operator_is_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotAvailableError, match="no operator"):
        operator_of("drawing")  # type: ignore[arg-type]


def test_the_words_of_the_prompt_do_not_matter() -> None:
    reader, context = RuleReader(), context_of(TALK)
    told = {
        reader.read(context, question("What is the name of the puppy?"), Prompt(name=name, text=text)).text
        for name, text in (("a", ""), ("b", "The puppy is Rex. Answer: Rex"), ("c", "{$}"))
    }
    assert told == {"Toby"}


@pytest.mark.parametrize("limit", [1, 3, 8])
@pytest.mark.parametrize("answer_format", [f for f in AnswerFormat if f is not AnswerFormat.JSON])
def test_an_answer_stays_within_the_output_limit(answer_format: AnswerFormat, limit: int) -> None:
    reader = RuleReader()
    asked = question("What did Mia tell of the puppy and the fence?", answer_format, output_tokens=limit)
    assert count(reader.read(context_of(TALK), asked, Prompt(name="p", text="")).text) <= limit


@pytest.mark.parametrize("answer_format", list(AnswerFormat))
@pytest.mark.parametrize(
    "said", [[], [""], ["   \n"], ["\x00\x01\x7f"], ["…"]], ids=["none", "empty", "blank", "control", "dots"]
)
def test_a_context_of_nothing_is_read(answer_format: AnswerFormat, said: list[Said]) -> None:
    """Only a letter cannot decline."""
    reply = RuleReader().read(context_of(said), question("What is it?", answer_format), Prompt(name="p", text=""))
    assert reply.abstained is (answer_format is not AnswerFormat.LETTER)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("9" * 5_000, id="huge-number"),
        pytest.param("I paid $" + "9" * 400 + " for tea", id="huge-amount"),
        pytest.param("99999999999999999999 years ago we met in 99999", id="huge-time"),
        pytest.param("The puppy (((( [[[ \\d+ .* {0} %s $name", id="patterns"),
        pytest.param("puppy " * 20_000, id="long", marks=pytest.mark.full),
        pytest.param("which or between and " * 500, id="long-question-words"),
        pytest.param("1. " * 5_000, id="serials-without-facts"),
        pytest.param("label: " * 5_000, id="labels-without-text"),
        pytest.param("a" * 50_000, id="one-word"),
        pytest.param("\ud800 lone surrogate puppy", id="surrogate"),
        pytest.param("İstanbul ß ﬁ ǆ puppy", id="folding-changes-length"),
        pytest.param("9999-12-31 tomorrow puppy, 0001-01-01 yesterday", id="ends-of-time"),
    ],
)
def test_hostile_texts_are_read(text: str) -> None:
    """In the context and in the question, at the first and the last day there is; each within a second."""
    reader = RuleReader()
    for said_at in ("9999-12-31T23:59", "0001-01-01T00:00", None):
        context = context_of([(said_at, "Mia", text), (said_at, text[:50], "The puppy is grey.")])
        for answer_format in AnswerFormat:
            for asked in ("How many days ago was the puppy bought?", text[:3_000], "Which is older, the puppy or tea?"):
                started = perf_counter()
                with suppress(NotAvailableError):
                    reader.read(context, question(asked, answer_format), Prompt(name="p", text=""))
                assert perf_counter() - started < 5


VOCABULARY = (
    "I you the a of in on is was did or and than between after before how many long when which who where older first "
    "total list days tea Ann Bob $5 3 seven 2024 May yesterday ago label: 1. 2. ? . , : not"
)
WORDY = st.lists(st.sampled_from([*VOCABULARY.split(), "\n"]), max_size=40).map(" ".join)
TEXTS = st.one_of(st.text(max_size=120), WORDY)


@settings(max_examples=300)
@given(st.lists(TEXTS, max_size=4), TEXTS, st.sampled_from(AnswerFormat), st.booleans())
def test_nothing_but_not_available_is_raised_on_any_text(
    said: list[str], asked: str, answer_format: AnswerFormat, timed: bool
) -> None:
    """And the same input gives the same answer from a fresh reader."""
    items: list[Said] = [("2024-05-01T10:00" if timed else None, "Ann", one) for one in said]
    told: list[object] = []
    for reader in (RuleReader(), RuleReader()):
        try:
            told.append(reader.read(context_of(items), question(asked, answer_format), Prompt(name="p", text="")))
        except NotAvailableError as problem:
            told.append(str(problem))
    assert told[0] == told[1]


@settings(max_examples=60)
@given(st.lists(TEXTS, max_size=3), TEXTS, st.sampled_from(AnswerFormat))
def test_the_same_holds_with_an_embedder(said: list[str], asked: str, answer_format: AnswerFormat) -> None:
    with suppress(NotAvailableError):
        RuleReader(WordEmbedder()).read(context_of(said), question(asked, answer_format), Prompt(name="p", text=""))


def test_a_context_is_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from recollect.offline.reading.facts import pool as serials

    parsed: list[int] = []

    def numbered(items: Sequence[ContextItem]) -> tuple[serials.Numbered, ...]:
        parsed.append(1)
        return serials.numbered(items)

    monkeypatch.setattr("recollect.offline.reading.pages.numbered", numbered)
    reader, first, second = RuleReader(), context_of(FACTS), context_of(FACTS)
    for context in (first, first, second):
        assert (
            reader.read(context, question("What is the capital of Orvalia?"), Prompt(name="p", text="")).text
            == "Quill Bay"
        )
    assert parsed == [1]


def test_contexts_of_one_text_but_other_times_are_told_apart() -> None:
    """The text alone does not say when an item was said."""
    text = "The code is 1.\nThe code is 2."
    reader = RuleReader()
    told = []
    for times in (("2024-01-01", "2024-01-02"), ("2024-01-02", "2024-01-01")):
        items = context_of([(times[0], "", "The code word is Alpha."), (times[1], "", "The code word is Beta.")]).items
        context = Context(items=items, text=text, tokens=1)
        told.append(reader.read(context, question("What is the code word?"), Prompt(name="p", text="")).text)
    assert told == ["Beta", "Alpha"]


def test_several_threads_get_the_same_answers() -> None:
    reader, context = RuleReader(WordEmbedder()), context_of(TALK)
    asked = [question(f"What is the name of the puppy number {n % 3}?") for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda q: reader.read(context, q, Prompt(name="p", text="")).text, asked))
    assert together == [ask(TALK, q.text, RuleReader(WordEmbedder())).text for q in asked]


def test_look_ups_in_seven_thousand_facts_cost_milliseconds() -> None:
    """Once the facts are taken apart; the bound is far above the few milliseconds it takes, for busy machines."""
    facts: list[Said] = [f"{n}. The warden of Keep {n % 3500} is Knight {n}." for n in range(7_000)]
    reader, context = RuleReader(), context_of(facts)
    assert (
        reader.read(context, question("Who is the warden of Keep 12?"), Prompt(name="p", text="")).text == "Knight 3512"
    )
    started = perf_counter()
    for n in range(50):
        told = reader.read(context, question(f"Who is the warden of Keep {n}?"), Prompt(name="p", text="")).text
        assert told == f"Knight {3500 + n}"
    assert (perf_counter() - started) / 50 < 0.05


def test_the_cache_forgets_the_oldest() -> None:
    cache: Lru[str, int] = Lru(2)
    made = [cache.get(key, partial(len, key)) for key in ("a", "bb", "a", "ccc")]
    assert made == [1, 2, 1, 3]
    assert [cache.peek(key) for key in ("a", "bb", "ccc")] == [1, None, 3]


def test_importing_the_reader_loads_no_numpy() -> None:
    """The command line imports it for its name alone."""
    import subprocess

    code = "import sys, recollect.offline.reading; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

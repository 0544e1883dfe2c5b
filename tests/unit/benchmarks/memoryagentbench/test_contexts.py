"""Contexts fall apart into messages and come together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.benchmarks.memoryagentbench.families import examples
from recollect.benchmarks.memoryagentbench.families import fact_lists as facts

WORDS = st.text(alphabet="ab .Z-'é", min_size=1).filter(lambda text: bool(text.strip()))


def test_a_context_of_facts_falls_into_header_and_facts() -> None:
    context = "Here is a list of facts:\n0. The capital of Orvalia is Denn.\n1. Tam Rusk is a citizen of Orvalia.\n"
    assert facts.texts_of(context) == context.rstrip("\n").split("\n")


@pytest.mark.parametrize(
    ("context", "texts"),
    [
        pytest.param("0. A is B.\n1. C is D.", ["0. A is B.", "1. C is D."], id="no-header"),
        pytest.param("\n0. A is B.", ["0. A is B."], id="blank-header"),
        pytest.param("H\n\n0. A is B.", ["H\n", "0. A is B."], id="blank-line-behind-the-header"),
        pytest.param("H\n1. A is B.\n2. C.", ["H", "1. A is B.", "2. C."], id="numbered-from-one"),
        pytest.param("H\n0. A is\nB.\n1. C.", ["H", "0. A is\nB.", "1. C."], id="a-fact-of-two-lines"),
        pytest.param("H\n0. A.\n7. B.", ["H", "0. A.\n7. B."], id="a-number-out-of-turn-is-no-new-fact"),
    ],
)
def test_odd_contexts_of_facts_are_read_without_loss(context: str, texts: list[str]) -> None:
    assert facts.texts_of(context) == texts
    assert facts.texts_of(facts.context_of(texts)) == texts


def test_a_context_without_a_fact_is_refused() -> None:
    with pytest.raises(ValueError, match="no numbered fact"):
        facts.texts_of("Here is a list of facts:\nnone")


@given(st.lists(WORDS, min_size=1, max_size=20))
def test_facts_come_back_from_their_context(statements: list[str]) -> None:
    texts = facts.numbered(statements)
    assert facts.texts_of(facts.context_of(texts)) == texts


@given(st.lists(st.tuples(WORDS.map(str.strip), st.integers(0, 200)), min_size=1, max_size=20))
def test_examples_come_back_from_their_context(items: list[tuple[str, int]]) -> None:
    texts = [examples.example(text, label) for text, label in items]
    assert examples.texts_of(examples.context_of(texts)) == texts
    assert [examples.label_of(text) for text in texts] == [str(label) for _, label in items]
    assert [examples.utterance_of(text) for text in texts] == [text for text, _ in items]


@pytest.mark.parametrize("context", ["", " \n", "no label here", "a\nlabel: 3\n\nb\nlabel: x"])
def test_a_context_that_is_not_all_examples_is_refused(context: str) -> None:
    with pytest.raises(ValueError, match="labelled example"):
        examples.texts_of(context)


def test_an_example_of_several_lines_stays_one() -> None:
    assert examples.texts_of("first\nsecond\nLabel: 3\n\nb\nlabel: 4") == ["first\nsecond\nLabel: 3", "b\nlabel: 4"]

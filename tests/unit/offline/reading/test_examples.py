"""Labels by the nearest examples."""

from __future__ import annotations

import pytest

from recollect.domain.questions import AnswerFormat
from recollect.offline.reading import RuleReader
from recollect.offline.reading.examples import Example, examples

from tests.unit.offline.reading.one_line import WordEmbedder, ask

CHUNK = """Here are some examples.

my card has not arrived
label: 4

where is the card I ordered
label: 4

how do I change my pin
label: 17

I want a new pin code
label: 17"""


def test_examples_are_read_without_the_heading() -> None:
    found = examples([CHUNK], None)
    assert found is not None
    assert found.examples[0] == Example("my card has not arrived", "4")
    assert len(found.examples) == 4


def test_examples_joined_by_blanks_are_read_too() -> None:
    """The paper's chunker loses line breaks behind punctuation."""
    found = examples(["Where is my card? label: 4 How do I change it? label: 17"], None)
    assert found is not None
    assert found.examples == (Example("Where is my card?", "4"), Example("How do I change it?", "17"))


def test_a_label_without_its_text_is_no_example() -> None:
    """The border of a chunk parted them."""
    found = examples(["label: 4\n\nI want a pin\nlabel: 17\n\na new pin\nlabel: 17"], None)
    assert found is not None
    assert [example.label for example in found.examples] == ["17", "17"]


def test_talk_that_mentions_a_label_is_no_list_of_examples() -> None:
    assert (
        examples(["I bought a shirt yesterday, a very nice one. The label: red. It fits me well, I think."], None)
        is None
    )


@pytest.mark.parametrize("reader", [RuleReader(), RuleReader(WordEmbedder())], ids=["words", "embedder"])
@pytest.mark.parametrize(
    ("question", "label"),
    [
        pytest.param("how do I change my pin", "17", id="seen"),
        pytest.param("the card I ordered is not here", "4", id="other-words"),
    ],
)
def test_the_nearest_examples_vote(reader: RuleReader, question: str, label: str) -> None:
    assert ask([CHUNK], question, reader).text == label


def test_one_memory_per_example_is_read_like_a_chunk() -> None:
    pieces = ["my card is late\nlabel: 4", "new pin code\nlabel: 17", "wrong pin\nlabel: 17"]
    assert ask(pieces, "a pin that is wrong").text == "17"


def test_ten_near_ones_outvote_a_single_equal_only_if_they_are_as_near() -> None:
    """exp((s - best) / 0.05): a cosine 0.2 lower counts 0.018 of a vote."""
    exact = ["pay by card\nlabel: 1"]
    far = [f"pay by cheque number {n}\nlabel: 2" for n in range(9)]
    assert ask(exact + far, "pay by card", RuleReader(WordEmbedder())).text == "1"


def test_examples_are_embedded_once_for_all_questions() -> None:
    embedder = WordEmbedder()
    reader = RuleReader(embedder)
    for question in ("change my pin", "card late", "new code"):
        ask([CHUNK], question, reader)
    assert len(embedder.given) == len(set(embedder.given)) == 4 + 3


def test_an_equal_context_in_other_pieces_does_not_embed_again() -> None:
    """The cache goes by the text of an example, not by the context."""
    embedder = WordEmbedder()
    reader = RuleReader(embedder)
    ask([CHUNK], "change my pin", reader)
    ask(CHUNK.split("\n\n")[1:], "card late", reader)
    assert len(embedder.given) == 4 + 2


def test_a_text_that_shares_nothing_abstains_without_an_embedder() -> None:
    assert ask([CHUNK], "zzz").abstained


def test_a_number_is_the_bare_label() -> None:
    assert ask([CHUNK], "change my pin", answer_format=AnswerFormat.NUMBER).text == "17"


def test_the_cue_is_labelled_if_the_question_wraps_it() -> None:
    assert ask([CHUNK], "Which label does the card, card, card question get?", cue="change my pin").text == "17"

"""What rules think of passages and answers."""

from __future__ import annotations

import pytest

from recollect.domain.exchange import Recall, Reply
from recollect.domain.ids import QuestionId
from recollect.domain.questions import AnswerFormat, Option, Question
from recollect.memories.published.self_rag import RuleCritic, Weight
from recollect.offline.reading import RuleReader

from tests.unit.memories.small_history import message

TOLD = Recall.of_messages([message(0, "Vera moved to Lisbon in spring."), message(1, "The soup is cold.")]).items
ASKED = Question(question_id=QuestionId("q"), text="Where did Vera move?")
CRITIC = RuleCritic(RuleReader())


def test_a_passage_that_shares_a_word_with_the_question_is_relevant() -> None:
    assert CRITIC.relevant(ASKED, TOLD) == [True, False]


def test_where_no_passage_shares_a_word_rules_cannot_tell() -> None:
    assert CRITIC.relevant(ASKED, TOLD[1:]) == [True]
    assert CRITIC.relevant(ASKED, ()) == []


@pytest.mark.parametrize(
    ("answer", "weight"),
    [
        (Reply(text="Lisbon"), Weight(2, 5)),
        (Reply(text="Lisbon, Porto"), Weight(1, 5)),
        (Reply(text="Porto"), Weight(0, 5)),
        (Reply(text="not mentioned", abstained=True), Weight(0, 1)),
    ],
)
def test_an_answer_weighs_by_the_words_that_its_passage_has(answer: Reply, weight: Weight) -> None:
    """All of them: full; half: in part. The passage has both words of the question, so it is as useful as can be."""
    assert CRITIC.weigh(ASKED, TOLD[:1], [answer]) == [weight]


def test_a_letter_weighs_by_the_option_that_it_stands_for() -> None:
    options = (Option(letter="A", text="Porto"), Option(letter="B", text="Lisbon"))
    asked = Question(
        question_id=QuestionId("q"), text="Where did Vera move?", options=options, answer_format=AnswerFormat.LETTER
    )
    (right, wrong) = CRITIC.weigh(asked, TOLD[:1] * 2, [Reply(text="B"), Reply(text="A")])
    assert (right.support, wrong.support) == (2, 0)

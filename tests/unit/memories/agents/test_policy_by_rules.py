"""The rule optimiser: topics for what was asked, answered wrong, or told and not remembered; few of them."""

from __future__ import annotations

from recollect.memories.agents.policies import MOST_LINES, MOST_WORDS, RuleMaker
from recollect.memories.agents.topics import EVERYTHING, Sieve
from recollect.records.feedback import QuestionFeedback, feedback_lines

QUESTION = "What sport suits my evenings?"
OPTIONS = {"1": "Swim after the late shift.", "2": "Swim in the lake at dawn.", "3": "Row before breakfast."}


def propose(policy: str, *asked: QuestionFeedback, **exposed: str) -> str:
    return RuleMaker().propose(policy, list(feedback_lines(asked, exposed)))


def answered(said: str, right: str = "", remembered: tuple[str, ...] = ()) -> QuestionFeedback:
    gold = (right,) if right else ()
    return QuestionFeedback(question=QUESTION, options=OPTIONS, answer=said, right=gold, remembered=remembered)


def test_of_a_question_alone_its_words_of_content_become_a_topic() -> None:
    assert propose(EVERYTHING, QuestionFeedback(question=QUESTION)) == f"{EVERYTHING}\nsport suits evenings"


def test_with_options_and_no_gold_come_the_words_that_options_share() -> None:
    """`swim` stands in two of three options, every other word in one."""
    assert propose("food", answered("3")) == "food\nsport suits evenings: swim"


def test_what_was_answered_right_adds_nothing() -> None:
    assert propose("food", answered(" 2. ", "2")) == "food"


def test_with_gold_come_the_words_of_the_right_option_that_nothing_remembered_has() -> None:
    made = propose("food", answered("3", "2", ("Ana swims on Sundays.",)))
    assert made == "food\nsport suits evenings: lake, dawn"


def test_a_state_that_was_told_and_not_remembered_becomes_a_topic_by_name_and_value() -> None:
    assert propose("food", workout_time="early_morning") == "food\nworkout time: early, morning"


def test_a_state_that_something_remembered_shares_a_word_with_is_no_miss() -> None:
    """The same state with another memory is one: what decides is what was remembered."""
    seen = answered("2", "2", ("In the mornings Ana lifts weights.",))
    assert propose("food", seen, workout_time="early_morning") == "food"
    other = answered("2", "2", ("Ana has a cat.",))
    assert propose("food", other, workout_time="early_morning") != "food"


def test_a_topic_is_widened_and_never_said_twice() -> None:
    once = propose("food", workout_time="early_morning")
    assert propose(once, workout_time="late_evening") == "food\nworkout time: early, morning, late, evening"
    assert propose(once, workout_time="early_morning") == once


def test_the_same_feedback_gives_the_same_policy_and_keeps_the_order_of_lines() -> None:
    asked = [answered("3", "1"), QuestionFeedback(question="Which bread do I bake?")]
    first = propose("food\nwork", *asked)
    assert first == propose("food\nwork", *asked)
    assert propose(first, *reversed(asked)).split("\n")[:2] == ["food", "work"]


def test_too_many_topics_cost_the_oldest_and_never_what_keeps_everything() -> None:
    old = "\n".join([EVERYTHING, *(f"topic{n}" for n in range(MOST_LINES - 1))])
    made = propose(old, QuestionFeedback(question=QUESTION)).split("\n")
    assert (len(made), made[0], made[1], made[-1]) == (MOST_LINES, EVERYTHING, "topic1", "sport suits evenings")


def test_too_many_words_of_a_topic_cost_the_oldest() -> None:
    policy = "work"
    for n in range(MOST_WORDS + 3):
        policy = propose(policy, work=f"trade{n}")
    words = policy.partition(": ")[2].split(", ")
    assert (len(words), words[0], words[-1]) == (MOST_WORDS, "trade3", f"trade{MOST_WORDS + 2}")


def test_a_name_without_words_of_content_makes_no_topic() -> None:
    assert propose("food", QuestionFeedback(question="What about me?")) == "food"


def test_the_agent_keeps_next_time_what_it_missed() -> None:
    """The point of it all: a sentence that the first policy let go passes the second."""
    sentence = "These days the lake has me at dawn."
    assert not Sieve("facts of work").keeps(sentence)
    assert Sieve(propose("facts of work", answered("3", "2"))).keeps(sentence)

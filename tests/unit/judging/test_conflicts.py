"""Conflicts: values that must all be named, and those of which only whole answers are known."""

from __future__ import annotations

import pytest

from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.questions import Key, Question
from recollect.judging.model_judge import ModelJudge
from recollect.offline.judge.rule_judge import RuleJudge

from tests.fakes.stub_judges import ScriptedChat, sections_of

ID = QuestionId("q")
CITY = Question(question_id=ID, text="Where does Ivo live?")
VALUES = Key(
    question_id=ID,
    rejected=("Wels",),
    field_gold={"first": ("Graz",), "second": ("Linz",)},
    labels={"conflict": "yes"},
)
WHOLE = Key(
    question_id=ID,
    gold=("Graz and Linz were both told, so it is not clear.",),
    rejected=("Graz.", "Linz."),
    guidance="The statements contradict each other; one side alone is wrong.",
    labels={"conflict": "yes"},
)
SAYS = '{"reason": "r", "verdict": "right"}'


def test_a_model_weighs_a_conflict_without_values_by_both_sides_and_the_guidance() -> None:
    model = ScriptedChat(SAYS)
    verdict = ModelJudge(model).judge(CITY, WHOLE, Reply(text="It is open: Graz or Linz."))
    ((turn,),) = model.asked
    assert verdict.value() == 1.0
    assert WHOLE.guidance in turn.text
    assert sections_of(turn.text)["accepted"] == WHOLE.gold[0]
    assert sections_of(turn.text)["known"] == "Graz.\nLinz."


def test_without_guidance_a_model_is_not_asked_about_it() -> None:
    """The rules of the prompt would then call the right answer undecided between candidates."""
    key = Key(question_id=ID, gold=WHOLE.gold, rejected=WHOLE.rejected, labels=WHOLE.labels)
    verdict = ModelJudge(ScriptedChat(SAYS)).judge(CITY, key, Reply(text="Graz or Linz."))
    assert verdict.value() is None
    assert verdict.parts[0].why.startswith("conflict_without_values")


def test_rules_leave_it_undecided_whatever_the_guidance() -> None:
    verdict = RuleJudge().judge(CITY, WHOLE, Reply(text="It is open: Graz or Linz."))
    assert verdict.value() is None
    assert verdict.parts[0].why.startswith("conflict_without_values")


@pytest.mark.parametrize(
    ("label", "shape"),
    [("yes", "several values that contradict each other"), ("no", "a text that has every wanted part")],
)
def test_a_model_is_told_whether_the_wanted_values_are_torn(label: str, shape: str) -> None:
    model = ScriptedChat('{"f1": {"reason": "r", "verdict": "right"}, "f2": {"reason": "r", "verdict": "right"}}')
    key = Key(question_id=ID, field_gold=VALUES.field_gold, rejected=VALUES.rejected, labels={"conflict": label})
    ModelJudge(model).judge(CITY, key, Reply(text="Graz and Linz."))
    assert f"The answer that is asked for is {shape}." in model.asked[0][0].text
    assert sections_of(model.asked[0][0].text)["known"] == "Wels"


@pytest.mark.parametrize(
    ("text", "right", "code"),
    [
        ("Unclear: Graz or Linz; the two contradict each other.", 1.0, "all_fields"),
        ("I don't know whether it is Graz or Linz.", 1.0, "all_fields"),
        ("Unclear.", 0.0, "abstained_wrong"),
        ("Unclear: Graz?", 0.0, "abstained_wrong"),
        ("Unclear: Graz, Linz or Wels.", 0.0, "abstained_wrong"),
    ],
)
def test_words_that_seem_to_decline_are_an_answer_where_all_sides_are_named(text: str, right: float, code: str) -> None:
    verdict = RuleJudge().judge(CITY, VALUES, Reply(text=text))
    assert (verdict.value(), verdict.parts[0].why.partition(":")[0]) == (right, code)


def test_a_flagged_abstention_is_one_whatever_it_says() -> None:
    assert RuleJudge().judge(CITY, VALUES, Reply(text="Graz or Linz.", abstained=True)).value() == 0.0

"""A model judges a summary: three questions, each strictly read; what gives nothing usable stays undecided."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from recollect.domain.errors import RetryableError
from recollect.domain.exchange import Reply
from recollect.domain.ids import QuestionId
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.judging.model_judge import ModelJudge
from recollect.judging.parsing import WHOLE, Unusable, read_numbers
from recollect.judging.requests import asks_of

from tests.fakes.stub_judges import ScriptedChat, sections_of

ID = QuestionId("q")
ASKED = Question(question_id=ID, text="Sum up the novel.", answer_format=AnswerFormat.SUMMARY)
KEY = Key(
    question_id=ID,
    gold=("Nora sells the boat. Karl never pays. Ines finds it.",),
    field_gold={
        "a_sale": ("Nora sells the boat.",),
        "b_debt": ("Karl never pays.",),
        "c_find": ("Ines finds the boat.",),
    },
)
SUMMARY = "Nora sold her boat. Karl did not pay for it.\nThen it sank!"


def fluency(verdict: str = "fluent") -> str:
    return json.dumps({"reason": "reads well", "verdict": verdict})


def listed(*numbers: Any) -> str:
    return json.dumps({"reason": "as told", "supported": list(numbers)})


def judged(*said: str | Exception, key: Key = KEY, text: str = SUMMARY, **settings: int) -> Verdict:
    return ModelJudge(ScriptedChat(*said), **settings).judge(ASKED, key, Reply(text=text))


def why(verdict: Verdict, name: str) -> str:
    return next(part.why for part in verdict.parts if part.name == name)


def test_three_questions_make_fluency_recall_precision_and_f1() -> None:
    """2 of 3 points, 2 of 3 sentences: F1 is 2/3."""
    verdict = judged(fluency(), listed(1, 2), listed(1, 2))
    values = {part.name: part.value for part in verdict.parts}
    assert values.pop("f1") == verdict.value("f1")
    assert values == {
        "right": None,
        "fluency": 1.0,
        "recall": pytest.approx(2 / 3),
        "precision": pytest.approx(2 / 3),
        "f1_summary": pytest.approx(2 / 3),
        "field:a_sale": 1.0,
        "field:b_debt": 1.0,
        "field:c_find": 0.0,
    }
    assert why(verdict, "recall") == "supported: 2 of 3 points; not c_find; as told"
    assert why(verdict, "precision") == "supported: 2 of 3 sentences; not sentence 3; as told"
    assert why(verdict, "right").startswith("summary_graded: ")


def test_each_question_shows_what_it_needs_and_nothing_else() -> None:
    model = ScriptedChat(fluency(), listed(), listed())
    ModelJudge(model).judge(ASKED, KEY, Reply(text=SUMMARY))
    first, second, third = (sections_of(turns[0].text) for turns in model.asked)
    assert first == {"summary": SUMMARY}
    assert second == {
        "points": "1: Nora sells the boat.\n2: Karl never pays.\n3: Ines finds the boat.",
        "summary": SUMMARY,
    }
    assert third == {
        "reference": KEY.gold[0],
        "sentences": "1: Nora sold her boat.\n2: Karl did not pay for it.\n3: Then it sank!",
    }


def test_the_schemas_allow_what_is_read_and_nothing_else() -> None:
    model = ScriptedChat(fluency(), listed(), listed())
    ModelJudge(model).judge(ASKED, KEY, Reply(text=SUMMARY))
    words, numbers, _ = model.schemas
    assert words is not None
    assert numbers is not None
    jsonschema.validate(json.loads(fluency("broken")), words)
    jsonschema.validate(json.loads(listed(3, 1)), numbers)
    for schema, wrong in ((words, fluency("right")), (numbers, listed(4)), (numbers, listed("1"))):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(wrong), schema)


@pytest.mark.parametrize(
    ("said", "undecided", "f1"),
    [
        pytest.param(("x", listed(1), listed(1)), "fluency", None, id="fluency"),
        pytest.param((fluency(), "x", listed(1)), "recall", None, id="recall"),
        pytest.param((fluency(), listed(1), "x"), "precision", None, id="precision"),
        pytest.param((fluency("broken"), "x", listed(1)), "recall", 0.0, id="broken-anyhow"),
        pytest.param((fluency(), listed(), "x"), "precision", 0.0, id="no-point-anyhow"),
    ],
)
def test_a_part_without_a_usable_reply_stays_undecided_and_is_never_guessed(
    said: tuple[str, ...], undecided: str, f1: float | None
) -> None:
    """F1 is then undecided too, unless another part makes it 0 whatever this one is."""
    verdict = judged(*said, retries=0)
    assert verdict.value(undecided) is None
    assert why(verdict, undecided).startswith("judge_unusable: ")
    assert verdict.value("f1_summary") == f1
    assert verdict.value() == f1


def test_an_unusable_list_is_told_what_is_wrong_and_asked_for_again() -> None:
    model = ScriptedChat(fluency(), listed(1, 9), listed(1, 2, 3), listed(1, 2, 3))
    verdict = ModelJudge(model).judge(ASKED, KEY, Reply(text=SUMMARY))
    assert verdict.value() == 1.0
    again = model.asked[2][-1].text
    assert "9 in supported is no whole number from 1 to 3" in again
    assert "whole numbers from 1 to 3, each at most once" in again


def test_votes_are_counted_point_by_point() -> None:
    """Fluency and precision are agreed on; of the points 1 has three votes, 2 has two, 3 has one."""
    votes = [fluency()] * 3 + [listed(1, 2), listed(1, 3), listed(1, 2)] + [listed(1, 2, 3)] * 3
    verdict = judged(*votes, votes=3)
    assert [verdict.value(f"field:{name}") for name in KEY.field_gold] == [1.0, 1.0, 0.0]
    assert verdict.value("recall") == pytest.approx(2 / 3)
    tied = judged(*[fluency()] * 2, listed(1, 2), listed(1), *[listed(1)] * 2, votes=2)
    assert tied.value("recall") is None
    assert why(tied, "recall").startswith("judge_tie: 1 of 3 points undecided: b_debt")


@pytest.mark.parametrize(
    ("reply", "code"),
    [(Reply(text=""), "empty"), (Reply(text=" -- "), "empty"), (Reply(text="x", abstained=True), "abstained_wrong")],
)
def test_what_is_no_summary_is_zero_by_rule(reply: Reply, code: str) -> None:
    model = ScriptedChat(RetryableError("never called"))
    verdict = ModelJudge(model).judge(ASKED, KEY, reply)
    assert {part.value for part in verdict.parts if part.name != "f1"} == {0.0}
    assert why(verdict, "right").partition(":")[0] in {code, "summary_whole"}


def test_without_a_gold_summary_precision_is_undecided_and_not_asked_for() -> None:
    model = ScriptedChat(fluency(), listed(1, 2, 3))
    verdict = ModelJudge(model).judge(ASKED, Key(question_id=ID, field_gold=KEY.field_gold), Reply(text=SUMMARY))
    assert len(model.asked) == 2
    assert (verdict.value("recall"), verdict.value("precision"), verdict.value("f1_summary")) == (1.0, None, None)
    assert why(verdict, "precision").startswith("no_reference: ")


def test_the_questions_that_are_foreseen_are_those_that_are_asked() -> None:
    model = ScriptedChat(fluency(), listed(), listed())
    ModelJudge(model).judge(ASKED, KEY, Reply(text=SUMMARY))
    assert [ask.text(1) for ask in asks_of(ASKED, KEY, SUMMARY)] == [turns[0].text for turns in model.asked]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"supported": [1]}', "the entries are supported instead of reason, supported"),
        ('{"reason": "", "supported": [1], "x": 1}', "the entries are"),
        ('{"reason": 1, "supported": [1]}', "the reason is no text"),
        ('{"reason": "", "supported": 1}', "supported is no list"),
        ('{"reason": "", "supported": [0]}', "0 in supported is no whole number from 1 to 2"),
        ('{"reason": "", "supported": [3]}', "3 in supported"),
        ('{"reason": "", "supported": [true]}', "True in supported"),
        ('{"reason": "", "supported": [1.0]}', "1.0 in supported"),
        ('{"reason": "", "supported": ["1"]}', "'1' in supported"),
        ('{"reason": "", "supported": [1, 1]}', "a number stands twice in supported"),
        ("I think 1 and 2", "it is not one JSON object and nothing else"),
    ],
)
def test_a_list_that_is_not_exactly_as_asked_for_is_unusable(text: str, problem: str) -> None:
    found = read_numbers(text, "supported", ["a", "b"], ("right", "wrong"))
    assert isinstance(found, Unusable)
    assert problem in found.problem


def test_a_list_decides_on_each_name_and_keeps_the_reason() -> None:
    found = read_numbers('{"reason": "so", "supported": [2]}', "supported", ["a", "b"], ("right", "wrong"))
    assert not isinstance(found, Unusable)
    assert {name: one.verdict for name, one in found.items()} == {"a": "wrong", "b": "right", WHOLE: "right"}
    assert found[WHOLE].reason == "so"

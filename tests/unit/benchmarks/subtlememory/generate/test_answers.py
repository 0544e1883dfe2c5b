"""Answers: a judge that knows none of the generator's sentences finds the right ones right and the others wrong."""

from __future__ import annotations

import json

import pytest

from recollect.benchmarks.subtlememory.generate import bundles, user_cases
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.histories import dataset_of
from recollect.domain.exchange import Reply
from recollect.domain.questions import AnswerFormat, Key, Question
from recollect.offline.judge.rule_judge import RuleJudge

from tests.unit.benchmarks.subtlememory.generate.made import topics


@pytest.fixture(scope="module")
def asked() -> list[tuple[Question, Key]]:
    """Questions with their keys, of two persons."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(user_cases, "topics", topics)
        settings = GenerationSettings(personas=2, related_cases=27, unrelated_cases=0)
        made = dataset_of(bundles(settings, 5), "generated")
    questions = [(one, keyed.keys[one.question_id]) for keyed in made.histories for one in keyed.history.questions]
    return [(question, key) for question, key in questions if question.purpose == "score"]


def test_every_right_answer_is_judged_right_and_every_wrong_one_wrong(asked: list[tuple[Question, Key]]) -> None:
    """By rules; three of each side, of both forms and all sub-types."""
    judge = RuleJudge()
    for question, key in asked:
        for answer in key.gold:
            assert judge.judge(question, key, Reply(text=answer)).value("right") == 1.0, (question.text, answer)
        for answer in json.loads(key.labels["missed"]):
            assert judge.judge(question, key, Reply(text=answer)).value("right") == 0.0, (question.text, answer)
    assert {(key.labels["form"], key.labels["subtype"]) for _, key in asked} >= {
        (form, subtype)
        for form in ("structured_form", "resource_arrangement")
        for subtype in ("any_one", "Context", "Temporal", "contradictory")
    }


def test_the_first_answer_to_a_form_is_the_filled_form(asked: list[tuple[Question, Key]]) -> None:
    """JSON with the form's own fields; both sides of a conflict in the field that stays open."""
    for question, key in asked:
        if question.answer_format is AnswerFormat.JSON:
            filled = json.loads(key.gold[0])
            assert set(filled) == set(question.template)
            if key.labels["conflict" if "conflict" in key.labels else "form"] != "yes":
                assert all(filled[field] == values[0] for field, values in key.field_gold.items())
            else:
                assert all(values[0] in " ".join(filled.values()) for values in key.field_gold.values())


def test_naming_everything_is_never_right(asked: list[tuple[Question, Key]]) -> None:
    """All that a question offers, in one answer."""
    judge = RuleJudge()
    for question, key in asked:
        if question.options:
            reply = Reply(text=", ".join(option.text.partition(":")[0] for option in question.options))
            assert judge.judge(question, key, reply).value("right") == 0.0

"""Requests with their answers, reviewed together: what was not decided on is not asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.requests import FORM
from recollect.benchmarks.subtlememory.items import Qa
from recollect.benchmarks.subtlememory.make.calling import LABEL, SENTENCE
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.drafts import CONTRADICTORY, FORMS, Draft, as_json, draft_of, qa_of
from recollect.benchmarks.subtlememory.make.users.progress import per_case
from recollect.benchmarks.subtlememory.make.users.question_checks import (
    ANSWER_CHECKS,
    FIELDS,
    LISTED,
    QUESTION_CHECKS,
    QUESTION_FILTER_CHECKS,
)
from recollect.making.calling import NONE
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage

EACH_SIDE = 3
"""Right answers of a question, and wrong ones."""


def _given(sight: Sight, part: str, guidance: str) -> dict[str, Any]:
    """Values that the prompts about a case's questions share."""
    case = progress.cases(sight)[part]
    about = progress.about(case, sight)
    return {**about, "guidance": about[guidance], "case": progress.shown_case(case)}


def _request_given(sight: Sight, part: str) -> Given:
    conflict = progress.cases(sight)[part].relation_subtype == CONTRADICTORY
    return {
        **_given(sight, part, "ask_guidance"),
        "talks": progress.all_talks(sight, part),
        "siblings": _siblings(sight, part),
        "count": str(progress.person(sight).settings.questions),
        "resources": "four",
        "fields": "one field" if conflict else "one to three fields",
    }


def _siblings(sight: Sight, part: str) -> str:
    """Statements of the topic's other cases whose dialogues passed."""
    topic = progress.cases(sight)[part].preference.topic
    others = [case for name, case in progress.cases(sight).items() if name != part and name in progress.told(sight)]
    return "\n".join(f"- {fact}" for case in others if case.preference.topic == topic for fact in case.facts) or NONE


def _request_shape(given: Given) -> Schema:
    resource = record(name=text(1, LABEL), description=text(1, SENTENCE))
    field = record(field=text(1, LABEL), choices=array(text(1, 2 * LABEL), 1, 8))
    question = record(
        task_form=one_of(FORMS),
        request=text(1, 3 * SENTENCE),
        resources=array(resource, 0, 2 * LISTED[1]),
        fields=array(field, 0, 2 * FIELDS[1]),
    )
    count = int(given["count"])
    return record(questions=array(question, count, count))


def _drafts(sight: Sight, part: str) -> dict[str, Draft]:
    """The requests of a case by name."""
    person, requests = progress.person(sight), sight.of(progress.QUESTIONS, part)["questions"]
    return {
        f"q{number}": draft_of(request, Random(f"{person.settings.seed}:{person.persona_id}:{part}:q{number}"))
        for number, request in enumerate(requests, start=1)
    }


def _answer_given(sight: Sight, part: str) -> Given:
    drafts = _drafts(sight, part)
    right = "the one resource that is right, or one choice for each field of the form, in the order of the fields"
    if progress.cases(sight)[part].relation_subtype == CONTRADICTORY:
        right = "the two choices that suit either side"
    return {
        **_given(sight, part, "answer_guidance"),
        "talks": progress.all_talks(sight, part),
        "questions": "\n\n".join(f"{name} ({draft.form}):\n{draft.query}" for name, draft in drafts.items()),
        "right": right,
        "drafts": {name: as_json(draft) for name, draft in drafts.items()},
    }


def _answer_shape(given: Given) -> Schema:
    answer = record(
        question_id=one_of(list(given["drafts"])),
        right=array(text(1, 2 * LABEL), 1, max(FIELDS)),
        correct_answers=array(text(1, SENTENCE), EACH_SIDE, EACH_SIDE),
        incorrect_answers=array(text(1, SENTENCE), EACH_SIDE, EACH_SIDE),
    )
    return record(answers=array(answer, 1, 2 * len(given["drafts"])))


def _questions(sight: Sight, part: str) -> dict[str, Qa]:
    """All questions of a case with their answers, before the filter."""
    subtype = progress.cases(sight)[part].relation_subtype
    answers = {one["question_id"]: one for one in sight.of(progress.ANSWERS, part)["answers"]}
    return {name: qa_of(draft, answers[name], subtype) for name, draft in _drafts(sight, part).items()}


def _filter_given(sight: Sight, part: str) -> Given:
    questions = _questions(sight, part)
    return {
        **_given(sight, part, "ask_guidance"),
        "siblings": _siblings(sight, part),
        "questions": "\n\n".join(_reviewed(name, qa) for name, qa in questions.items()),
        "ids": list(questions),
    }


def _reviewed(name: str, qa: Qa) -> str:
    right = [f"right {number}. {answer}" for number, answer in enumerate(qa.correct_answers, start=1)]
    wrong = [f"wrong {number}. {answer}" for number, answer in enumerate(qa.incorrect_answers, start=1)]
    return "\n".join((f"{name} ({qa.asked.form if qa.asked else FORM}):", qa.query, *right, *wrong))


def _filter_shape(given: Given) -> Schema:
    numbers = array(whole_number(1, EACH_SIDE), 0, EACH_SIDE)
    decision = record(
        question_id=one_of(given["ids"]),
        accepted=flag(),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
        remove_correct=numbers,
        remove_incorrect=numbers,
    )
    return record(decisions=array(decision, 0, 2 * len(given["ids"])))


def asked(sight: Sight) -> Ruled:
    """The questions of each case that passed; a case without any is left out."""
    found: dict[str, tuple[Qa, ...]] = {}
    drops: list[Drop] = []
    for part in progress.told(sight):
        if part not in sight.parts(progress.ANSWERS):
            drops.append(Drop(part, "not_asked", "no questions with answers were made"))
            continue
        verdict = sight.parts(progress.QUESTION_FILTER).get(part, {"decisions": []})
        decisions = {decision["question_id"]: decision for decision in verdict["decisions"]}
        kept: list[Qa] = []
        for name, qa in _questions(sight, part).items():
            accepted = _accepted(qa, decisions.get(name))
            if isinstance(accepted, Qa):
                kept.append(accepted)
            else:
                drops.append(Drop(f"{part}.{name}", *accepted))
        if kept:
            found[part] = tuple(kept)
    return Ruled(found, tuple(drops))


def _accepted(qa: Qa, decision: Mapping[str, Any] | None) -> Qa | tuple[str, str]:
    """The question without the answers that were removed; check and problem if it is left out."""
    if decision is None:
        return "undecided", "nobody decided on it"
    if decision["content"] != FINE:
        return "content", f"{decision['content']}: {decision['reason']}"
    if not decision["accepted"]:
        return "filter", str(decision["reason"])
    right = _without(qa.correct_answers, decision["remove_correct"])
    wrong = _without(qa.incorrect_answers, decision["remove_incorrect"])
    if not right or not wrong:
        return "empty_side", "no answer of one side is left"
    return replace(qa, correct_answers=right, incorrect_answers=wrong)


def _without(answers: Sequence[str], removed: Sequence[int]) -> tuple[str, ...]:
    return tuple(answer for number, answer in enumerate(answers, start=1) if number not in removed)


STAGES: tuple[Stage, ...] = (
    per_case(progress.QUESTIONS, progress.told, given=_request_given, shape=_request_shape, checks=QUESTION_CHECKS),
    per_case(progress.ANSWERS, progress.QUESTIONS, given=_answer_given, shape=_answer_shape, checks=ANSWER_CHECKS),
    per_case(
        progress.QUESTION_FILTER,
        progress.ANSWERS,
        given=_filter_given,
        shape=_filter_shape,
        checks=QUESTION_FILTER_CHECKS,
    ),
    Rule(name=progress.ASKED, make=asked),
)

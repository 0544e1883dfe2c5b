"""Requests with their answers, reviewed together: what nobody decided on is not asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.requests import FORM
from recollect.benchmarks.subtlememory.items import Qa
from recollect.benchmarks.subtlememory.make.calling import LABEL, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.drafts import (
    CONTRADICTORY,
    FORMS,
    Draft,
    as_said,
    draft_of,
    qa_of,
)
from recollect.benchmarks.subtlememory.make.users.progress import shown_case
from recollect.benchmarks.subtlememory.make.users.question_checks import (
    ANSWER_CHECKS,
    FIELDS,
    LISTED,
    QUESTION_CHECKS,
    QUESTION_FILTER_CHECKS,
)
from recollect.making.calling import NONE, each
from recollect.making.schema import Schema, array, flag, one_of, record, text, whole_number
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage

EACH_SIDE = 3
"""Right answers of a question, and wrong ones."""


def _of_request(sight: Sight, part: str) -> Given:
    case = progress.cases(sight)[part]
    about = progress.about(case, sight)
    conflict = case.relation_subtype == CONTRADICTORY
    return {
        **about,
        "guidance": about["ask_guidance"],
        "case": shown_case(case),
        "talks": progress.all_talks(sight, part),
        "siblings": _siblings(sight, part),
        "count": str(progress.person(sight).settings.questions),
        "resources": "four",
        "fields": "one field" if conflict else "one to three fields",
    }


def _siblings(sight: Sight, part: str) -> str:
    """Other cases of the topic, as far as they are told in talks."""
    topic = progress.cases(sight)[part].preference.topic
    others = [case for name, case in progress.cases(sight).items() if name != part and name in progress.told(sight)]
    return "\n".join(f"- {fact}" for case in others if case.preference.topic == topic for fact in case.facts) or NONE


def _request_shape(given: Given) -> Schema:
    resource = record(name=text(1, LABEL), description=text(1, SENTENCE))
    field = record(field=text(1, LABEL), choices=array(text(1, 2 * LABEL), 1, 8))
    one = record(
        task_form=one_of(FORMS),
        request=text(1, 3 * SENTENCE),
        resources=array(resource, 0, 2 * LISTED[1]),
        fields=array(field, 0, 2 * FIELDS[1]),
    )
    count = int(given["count"])
    return record(questions=array(one, count, count))


def drafts(sight: Sight, part: str) -> dict[str, Draft]:
    """The requests of a case by their names."""
    who, asked = progress.person(sight), sight.of(progress.QUESTIONS, part)["questions"]
    return {
        f"q{number}": draft_of(one, Random(f"{who.settings.seed}:{who.persona_id}:{part}:q{number}"))
        for number, one in enumerate(asked, start=1)
    }


def _of_drafts(sight: Sight, part: str) -> Given:
    case, found = progress.cases(sight)[part], drafts(sight, part)
    about = progress.about(case, sight)
    return {
        **about,
        "guidance": about["answer_guidance"],
        "case": shown_case(case),
        "talks": progress.all_talks(sight, part),
        "questions": "\n\n".join(f"{name} ({one.form}):\n{one.query}" for name, one in found.items()),
        "right": _wanted(case.relation_subtype),
        "drafts": {name: as_said(one) for name, one in found.items()},
    }


def _wanted(subtype: str) -> str:
    """What `right` must hold."""
    if subtype == CONTRADICTORY:
        return "the two choices that suit either side"
    return "the one resource that is right, or one choice for each field of the form, in the order of the fields"


def _answer_shape(given: Given) -> Schema:
    one = record(
        question_id=one_of(list(given["drafts"])),
        right=array(text(1, 2 * LABEL), 1, max(FIELDS)),
        correct_answers=array(text(1, SENTENCE), EACH_SIDE, EACH_SIDE),
        incorrect_answers=array(text(1, SENTENCE), EACH_SIDE, EACH_SIDE),
    )
    return record(answers=array(one, 1, 2 * len(given["drafts"])))


def _questions(sight: Sight, part: str) -> dict[str, Qa]:
    """Whole questions, before any is left out."""
    subtype = progress.cases(sight)[part].relation_subtype
    said = {one["question_id"]: one for one in sight.of(progress.ANSWERS, part)["answers"]}
    return {name: qa_of(one, said[name], subtype) for name, one in drafts(sight, part).items()}


def _of_questions(sight: Sight, part: str) -> Given:
    case, found = progress.cases(sight)[part], _questions(sight, part)
    about = progress.about(case, sight)
    return {
        **about,
        "guidance": about["ask_guidance"],
        "case": shown_case(case),
        "siblings": _siblings(sight, part),
        "questions": "\n\n".join(_reviewed(name, one) for name, one in found.items()),
        "ids": list(found),
    }


def _reviewed(name: str, one: Qa) -> str:
    sides = (("right", one.correct_answers), ("wrong", one.incorrect_answers))
    told = [f"{side} {number}. {answer}" for side, answers in sides for number, answer in enumerate(answers, start=1)]
    return "\n".join((f"{name} ({one.asked.form if one.asked else FORM}):", one.query, *told))


def _filter_shape(given: Given) -> Schema:
    numbers = array(whole_number(1, EACH_SIDE), 0, EACH_SIDE)
    one = record(
        question_id=one_of(given["ids"]),
        accepted=flag(),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
        remove_correct=numbers,
        remove_incorrect=numbers,
    )
    return record(decisions=array(one, 0, 2 * len(given["ids"])))


def asked(sight: Sight) -> Ruled:
    """What passed of each case's questions; a case without any is left out."""
    found: dict[str, tuple[Qa, ...]] = {}
    drops: list[Drop] = []
    for part in progress.told(sight):
        kept: list[Qa] = []
        for name, problem, qa in _decided(sight, part):
            if qa is None:
                drops.append(Drop(f"{part}.{name}" if name else part, *problem))
            else:
                kept.append(qa)
        if kept:
            found[part] = tuple(kept)
    return Ruled(found, tuple(drops))


def _decided(sight: Sight, part: str) -> Iterator[tuple[str, tuple[str, str], Qa | None]]:
    """Each question of a case, or why it is none: name, check and problem, question."""
    if part not in sight.parts(progress.ANSWERS):
        yield "", ("not_asked", "no questions with answers were made"), None
        return
    verdict = sight.parts(progress.QUESTION_FILTER).get(part, {"decisions": []})
    decisions = {one["question_id"]: one for one in verdict["decisions"]}
    for name, qa in _questions(sight, part).items():
        problem, left = _judged(qa, decisions.get(name))
        yield name, problem, left


def _judged(qa: Qa, decision: Mapping[str, Any] | None) -> tuple[tuple[str, str], Qa | None]:
    if decision is None:
        return ("undecided", "nobody decided on it"), None
    if decision["content"] != FINE:
        return ("content", f"{decision['content']}: {decision['reason']}"), None
    if not decision["accepted"]:
        return ("filter", str(decision["reason"])), None
    left = replace(
        qa,
        correct_answers=_left(qa.correct_answers, decision["remove_correct"]),
        incorrect_answers=_left(qa.incorrect_answers, decision["remove_incorrect"]),
    )
    if not left.correct_answers or not left.incorrect_answers:
        return ("empty_side", "no answer of one side is left"), None
    return ("", ""), left


def _left(answers: Sequence[str], removed: Sequence[int]) -> tuple[str, ...]:
    return tuple(answer for number, answer in enumerate(answers, start=1) if number not in removed)


STAGES: tuple[Stage, ...] = (
    each(
        step(progress.QUESTIONS, given=_of_request, shape=_request_shape, checks=QUESTION_CHECKS),
        progress.told,
        progress.most_preferences,
        needed=False,
    ),
    each(
        step(progress.ANSWERS, given=_of_drafts, shape=_answer_shape, checks=ANSWER_CHECKS),
        lambda sight: list(sight.parts(progress.QUESTIONS)),
        progress.most_preferences,
        needed=False,
    ),
    each(
        step(progress.QUESTION_FILTER, given=_of_questions, shape=_filter_shape, checks=QUESTION_FILTER_CHECKS),
        lambda sight: list(sight.parts(progress.ANSWERS)),
        progress.most_preferences,
        needed=False,
    ),
    Rule(name=progress.ASKED, make=asked),
)

"""Questions about the facts of a case, and right and wrong answers: each written, then reviewed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import SENTENCE, step
from recollect.benchmarks.subtlememory.make.relations import guidance
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, TEMPORAL
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.progress import Chosen
from recollect.benchmarks.subtlememory.make.world.question_checks import ANCHORS, ANSWER_CHECKS, LEVELS, QUESTION_CHECKS
from recollect.benchmarks.subtlememory.make.world.sessions import conditions, decisions_shape, rejected
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import Drop, DroppedError, Given, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise

COUNTS: Mapping[str, tuple[int, int]] = {TEMPORAL: (3, 3), CONTEXT: (1, 2)}
"""Fewest and most questions of a case, where that is not one."""
ONE = (1, 1)
COUNT_WORDS = {ONE: "exactly one question", (1, 2): "one or two questions", (3, 3): "exactly three questions"}
FIELDS = {
    TEMPORAL: '"target_memory_id": "...", "difficulty": "easy, medium or hard", "anchor_type": "'
    + ", ".join(ANCHORS[:-1])
    + f' or {ANCHORS[-1]}", ',
    CONTEXT: '"target_memory_id": "...", ',
}
"""What a reply says about each question besides its text."""
SIDE = 3
"""Answers of each side."""


def _question_given(sight: Sight, _: str) -> Given:
    kind = progress.subtype(sight)
    return {
        **progress.about(sight),
        "guidance": guidance()[kind].question,
        "count": COUNT_WORDS[COUNTS.get(kind, ONE)],
        "talks": progress.all_talks(sight),
        "fields_wanted": FIELDS.get(kind, ""),
        "qualifiers": conditions(sight),
    }


def _question_shape(given: Given) -> Schema:
    kind = given["subtype"]
    fields: dict[str, Schema] = {"question": text(1, SENTENCE), "question_design_notes": text(0, SENTENCE)}
    if kind in COUNTS:
        fields["target_memory_id"] = one_of([one["memory_id"] for one in given["known"]])
    if kind == TEMPORAL:
        fields |= {"difficulty": one_of(LEVELS), "anchor_type": one_of(ANCHORS)}
    return record(questions=array(record(**fields), *COUNTS.get(kind, ONE)))


def _numbered(sight: Sight) -> dict[str, Mapping[str, Any]]:
    """The questions by the names under which they are decided on."""
    return {f"q{number}": one for number, one in enumerate(sight.of(progress.QUESTIONS)["questions"], start=1)}


def _question_filter_given(sight: Sight, _: str) -> Given:
    questions = _numbered(sight)
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].question_filter,
        "talks": progress.all_talks(sight),
        "questions": shown([{"question_id": name, **_target(one)} for name, one in questions.items()]),
        "names": list(questions),
    }


def _target(question: Mapping[str, Any]) -> dict[str, str]:
    """A question with its target, in a fixed order of fields, which a reply does not keep."""
    fields = ("question", "target_memory_id", "difficulty", "anchor_type")
    return {name: question[name] for name in fields if name in question}


def asked(sight: Sight) -> Ruled:
    """The questions that were accepted.

    Raises:
        DroppedError: There are none, or not all three about different dates.
    """
    questions = _numbered(sight)
    problems = rejected(sight.of(progress.QUESTION_FILTER)["decisions"], "question_id", list(questions))
    kept = {name: one for name, one in questions.items() if name not in problems}
    _require_enough(sight, kept, problems)
    return Ruled(kept, tuple(Drop(name, "filter", problem) for name, problem in problems.items()))


def _require_enough(sight: Sight, kept: Mapping[str, Any], problems: Mapping[str, str]) -> None:
    if len(kept) < COUNTS.get(progress.subtype(sight), ONE)[0]:
        raise DroppedError("filter", "; ".join(problems.values()))


def _answer_given(sight: Sight, part: str) -> Given:
    question = progress.accepted_questions(sight)[part]
    fields, rivals = wanted(progress.chosen(sight), question)
    right = {name: list(accepted) for name, accepted in fields.items()}
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].answer,
        "asked": question["question"],
        "right": shown(right),
        "wrong": ", ".join(f"`{rival}`" for rival in rivals) or NONE,
        "talks": progress.all_talks(sight),
        "fields": right,
        "rivals": list(rivals),
    }


def wanted(found: Chosen, question: Mapping[str, Any]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    """What a right answer names, and what it must not name because it holds otherwise."""
    if found.parts:
        return found.parts, ()
    target = next(fact for fact in found.facts if fact.memory_id == question["target_memory_id"])
    own = set(map(normalise, target.accepted))
    others = {
        normalise(fact.accepted[0]): fact.accepted[0]
        for fact in found.facts
        if not own & set(map(normalise, fact.accepted))
    }
    return {progress.VALUE: target.accepted}, tuple(others.values())


def _answer_shape(_: Given) -> Schema:
    answer = record(text=text(1, SENTENCE))
    return record(correct_answers=array(answer, SIDE, SIDE), incorrect_answers=array(answer, SIDE, SIDE))


def _answer_filter_given(sight: Sight, _: str) -> Given:
    chosen, questions = progress.chosen(sight), progress.accepted_questions(sight)
    reviewed = [
        {
            "question_id": name,
            **_target(questions[name]),
            "right": {part: list(values) for part, values in wanted(chosen, questions[name])[0].items()},
            "correct_answers": [one["text"] for one in reply["correct_answers"]],
            "incorrect_answers": [one["text"] for one in reply["incorrect_answers"]],
        }
        for name, reply in sight.parts(progress.ANSWERS).items()
    ]
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].answer_filter,
        "talks": progress.all_talks(sight),
        "questions": shown(reviewed),
        "names": list(sight.parts(progress.ANSWERS)),
    }


def answered(sight: Sight) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Questions whose answers were accepted, and why others are left out.

    Raises:
        DroppedError: There are none, or not all three about different dates.
    """
    names, made = list(progress.accepted_questions(sight)), sight.parts(progress.ANSWERS)
    problems = {name: f"`{name}`: no answers were made" for name in names if name not in made}
    decisions = sight.parts(progress.ANSWER_FILTER).get("", {"decisions": []})["decisions"]
    problems |= rejected(decisions, "question_id", [name for name in names if name in made])
    kept = {name: made[name] for name in names if name not in problems}
    _require_enough(sight, kept, problems)
    return kept, problems


def _decisions_shape(given: Given) -> Schema:
    return decisions_shape("question_id", given["names"])


STAGES: tuple[Stage, ...] = (
    step(progress.QUESTIONS, given=_question_given, shape=_question_shape, checks=QUESTION_CHECKS),
    step(progress.QUESTION_FILTER, given=_question_filter_given, shape=_decisions_shape),
    Rule(name=progress.ASKED, make=asked),
    each(
        step(progress.ANSWERS, given=_answer_given, shape=_answer_shape, checks=ANSWER_CHECKS),
        lambda sight: list(progress.accepted_questions(sight)),
        lambda item: COUNTS.get(item.data.seed.subtype, ONE)[1],
        needed=False,
    ),
    each(
        step(progress.ANSWER_FILTER, given=_answer_filter_given, shape=_decisions_shape),
        lambda sight: ("",) if sight.parts(progress.ANSWERS) else (),
        lambda _: 1,
    ),
)
"""A question that is not decided on or not accepted is left out, and with too many of them the case."""

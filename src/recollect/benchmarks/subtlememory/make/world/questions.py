"""What is asked about the facts of a case, and what is right and wrong: each written, then reviewed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS
from recollect.benchmarks.subtlememory.make.relations import guidance
from recollect.benchmarks.subtlememory.make.sources.seeds import CONTEXT, TEMPORAL
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.progress import (
    ANSWER_FILTER,
    ANSWERS,
    ASKED,
    QUESTION_FILTER,
    QUESTIONS,
    VALUE,
    Chosen,
    numbered,
)
from recollect.benchmarks.subtlememory.make.world.question_checks import ANCHORS, ANSWER_CHECKS, LEVELS, QUESTION_CHECKS
from recollect.benchmarks.subtlememory.make.world.sessions import DECISIONS, conditions, rejected
from recollect.making.calling import NONE, each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import Drop, DroppedError, Given, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise

COUNTS: Mapping[str, tuple[int, int]] = {TEMPORAL: (3, 3), CONTEXT: (1, 2)}
"""Questions of a case, where they are not just one."""
TOLD_COUNTS = {(1, 1): "exactly one question", (1, 2): "one or two questions", (3, 3): "exactly three questions"}
SIDE = 3
"""Answers of each side."""


def _count(kind: str) -> tuple[int, int]:
    return COUNTS.get(kind, (1, 1))


def _of_talks(sight: Sight, _: str) -> Given:
    kind = progress.subtype(sight)
    return {
        **progress.about(sight),
        "guidance": guidance()[kind].question,
        "count": TOLD_COUNTS[_count(kind)],
        "talks": progress.all_talks(sight),
        "fields_wanted": FIELDS.get(kind, FIELDS[""]),
        "qualifiers": conditions(sight),
    }


FIELDS = {
    TEMPORAL: '"target_memory_id": "...", "difficulty": "easy, medium or hard", "anchor_type": "'
    + ", ".join(ANCHORS[:-1])
    + f' or {ANCHORS[-1]}", ',
    CONTEXT: '"target_memory_id": "...", ',
    "": "",
}
"""What a reply says of each question beside its words."""


def _question_shape(given: Given) -> Schema:
    kind = given["subtype"]
    targets = one_of([one["memory_id"] for one in given["known"]])
    fields: dict[str, Schema] = {"question": text(1, SENTENCE), "question_design_notes": text(0, SENTENCE)}
    if kind in COUNTS:
        fields["target_memory_id"] = targets
    if kind == TEMPORAL:
        fields |= {"difficulty": one_of(LEVELS), "anchor_type": one_of(ANCHORS)}
    return record(questions=array(record(**fields), *_count(kind)))


def _listed(sight: Sight) -> dict[str, Mapping[str, Any]]:
    return numbered(sight.of(QUESTIONS)["questions"])


def _of_questions(sight: Sight, _: str) -> Given:
    found = _listed(sight)
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].question_filter,
        "talks": progress.all_talks(sight),
        "questions": shown([{"question_id": name, **_asked(one)} for name, one in found.items()]),
        "names": list(found),
    }


def _asked(said: Mapping[str, Any]) -> dict[str, str]:
    """A question with what it is after, in an order of its own: that of a reply is the model's."""
    wanted = ("question", "target_memory_id", "difficulty", "anchor_type")
    return {name: said[name] for name in wanted if name in said}


def _decision_shape(given: Given) -> Schema:
    """A decision may be missing, which is taken for a rejection."""
    decision = record(
        question_id=one_of(given["names"]),
        decision=one_of(DECISIONS),
        reason=text(0, SENTENCE),
        content=one_of(CONTENTS),
    )
    return record(decisions=array(decision, 0, len(given["names"])))


def asked(sight: Sight) -> Ruled:
    """The questions that were accepted.

    Raises:
        DroppedError: There are none, or not all three about different dates.
    """
    found = _listed(sight)
    problems = rejected(sight.of(QUESTION_FILTER)["decisions"], "question_id", list(found))
    kept = {name: one for name, one in found.items() if name not in problems}
    _enough(sight, kept, problems)
    return Ruled(kept, tuple(Drop(name, "filter", problem) for name, problem in problems.items()))


def _enough(sight: Sight, kept: Mapping[str, Any], problems: Mapping[str, str]) -> None:
    if len(kept) < _count(progress.subtype(sight))[0]:
        raise DroppedError("filter", "; ".join(problems.values()))


def _questions(sight: Sight) -> Sequence[str]:
    return list(progress.accepted_questions(sight))


def _of_question(sight: Sight, part: str) -> Given:
    one, found = progress.accepted_questions(sight)[part], progress.chosen(sight)
    fields, rivals = wanted(found, one)
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].answer,
        "asked": one["question"],
        "right": shown({name: list(accepted) for name, accepted in fields.items()}),
        "wrong": ", ".join(f"`{one}`" for one in rivals) or NONE,
        "talks": progress.all_talks(sight),
        "fields": {name: list(accepted) for name, accepted in fields.items()},
        "rivals": list(rivals),
    }


def wanted(found: Chosen, question: Mapping[str, Any]) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
    """What a right answer names, and what it must not, since it holds otherwise."""
    if found.parts:
        return found.parts, ()
    target = next(one for one in found.facts if one.memory_id == question["target_memory_id"])
    own = set(map(normalise, target.accepted))
    others = {
        normalise(one.accepted[0]): one.accepted[0]
        for one in found.facts
        if not own & set(map(normalise, one.accepted))
    }
    return {VALUE: target.accepted}, tuple(others.values())


def _answer_shape(_: Given) -> Schema:
    answer = record(text=text(1, SENTENCE))
    return record(correct_answers=array(answer, SIDE, SIDE), incorrect_answers=array(answer, SIDE, SIDE))


def _of_answers(sight: Sight, _: str) -> Given:
    found, chosen = sight.parts(ANSWERS), progress.chosen(sight)
    asked_of = progress.accepted_questions(sight)
    told = [
        {
            "question_id": name,
            **_asked(asked_of[name]),
            "right": {part: list(values) for part, values in wanted(chosen, asked_of[name])[0].items()},
            "correct_answers": [one["text"] for one in said["correct_answers"]],
            "incorrect_answers": [one["text"] for one in said["incorrect_answers"]],
        }
        for name, said in found.items()
    ]
    return {
        **progress.about(sight),
        "guidance": guidance()[progress.subtype(sight)].answer_filter,
        "talks": progress.all_talks(sight),
        "questions": shown(told),
        "names": list(found),
    }


def answered(sight: Sight) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Questions whose answers were accepted, and why others are left out.

    Raises:
        DroppedError: There are none, or not all three about different dates.
    """
    names = _questions(sight)
    made = sight.parts(ANSWERS)
    problems = {name: f"`{name}`: no answers were made" for name in names if name not in made}
    decisions = sight.parts(ANSWER_FILTER).get("", {"decisions": []})["decisions"]
    problems |= rejected(decisions, "question_id", [name for name in names if name in made])
    kept = {name: made[name] for name in names if name not in problems}
    _enough(sight, kept, problems)
    return kept, problems


STAGES: tuple[Stage, ...] = (
    step(QUESTIONS, given=_of_talks, shape=_question_shape, checks=QUESTION_CHECKS),
    step(QUESTION_FILTER, given=_of_questions, shape=_decision_shape),
    Rule(name=ASKED, make=asked),
    each(
        step(ANSWERS, given=_of_question, shape=_answer_shape, checks=ANSWER_CHECKS),
        _questions,
        lambda item: _count(item.data.seed.subtype)[1],
        needed=False,
    ),
    each(
        step(ANSWER_FILTER, given=_of_answers, shape=_decision_shape),
        lambda sight: ("",) if sight.parts(ANSWERS) else (),
        lambda _: 1,
    ),
)
"""A question that is not decided on or not accepted is left out, and with too many of them the case."""

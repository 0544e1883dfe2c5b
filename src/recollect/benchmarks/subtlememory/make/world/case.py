"""A whole case about the world: what the steps made, with a last look at what every question and talk must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.story import KNOWLEDGE
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.items import Asked, Qa, Turn
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.progress import CASE, FIRST, SECOND, SESSION
from recollect.benchmarks.subtlememory.make.world.questions import answered, wanted
from recollect.making.steps import Drop, DroppedError, Rule, Ruled, Sight, Stage
from recollect.worlds.checks import says


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One session that nobody has yet."""

    conversation_type: str
    conversation_flow: str
    signal: str | None = None
    """How much of the person shows, where it is about the user."""
    history: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCase:
    """A case that belongs to no person yet."""

    key: str
    """Of the seed or preference that it was made of."""
    topic: str
    relation_type: str
    relation_subtype: str
    """As files spell it: of a contradiction, who makes the claims."""
    case: str
    facts: tuple[str, ...]
    dialogues: tuple[Dialogue, ...]
    qas: tuple[Qa, ...]


def world_case(sight: Sight) -> Ruled:
    """The case with the questions that passed every filter.

    Raises:
        DroppedError: Too few are left, or one breaks a promise of the format.
    """
    kept, problems = answered(sight)
    qas = tuple(_qa(sight, name, said) for name, said in kept.items())
    broken = list(_broken(qas))
    if broken:
        raise DroppedError("invariants", "; ".join(broken))
    task, chosen = progress.task(sight), progress.chosen(sight)
    case = MadeCase(
        key=task.seed.key,
        topic=chosen.topic,
        relation_type=task.relation,
        relation_subtype=task.subtype,
        case=chosen.description,
        facts=tuple(one.statement for one in chosen.facts),
        dialogues=tuple(_talk(sight, name) for name in progress.plans(sight)),
        qas=qas,
    )
    return Ruled(case, tuple(Drop(name, "filter", problem) for name, problem in problems.items()))


def case_of(sight: Sight) -> MadeCase:
    """The case that was made."""
    found: MadeCase = sight.of(CASE)
    return found


def _qa(sight: Sight, name: str, said: Mapping[str, Any]) -> Qa:
    question = progress.accepted_questions(sight)[name]
    fields, rivals = wanted(progress.chosen(sight), question)
    right, wrong = (tuple(one["text"] for one in said[side]) for side in ("correct_answers", "incorrect_answers"))
    return Qa(
        query=question["question"],
        correct_answers=right,
        incorrect_answers=wrong,
        asked=Asked(
            form=KNOWLEDGE,
            chance=0.0,
            difficulty=question.get("difficulty", ""),
            fields=fields,
            others=tuple(one for one in rivals if not any(says(text, one) for text in right)),
        ),
    )


def _broken(qas: tuple[Qa, ...]) -> Iterator[str]:
    """Of a conflict both sides may stand in a wrong answer that settles it."""
    for qa in qas:
        conflict = qa.asked is not None and {FIRST, SECOND} == set(qa.asked.fields)
        yield from (str(one) for one in question_problems(qa) if not (conflict and one.rule == "answers"))


def _talk(sight: Sight, name: str) -> Dialogue:
    plan = progress.plans(sight)[name]
    return Dialogue(
        conversation_type=plan["chosen_conversation_type"],
        conversation_flow=plan["chosen_conversation_flow"],
        history=progress.turns_of(sight.of(SESSION, name)),
    )


STAGES: tuple[Stage, ...] = (Rule(name=CASE, make=world_case),)

"""A complete case about the world: results of all steps, checked once more against the rules of the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.story import KNOWLEDGE
from recollect.benchmarks.subtlememory.generate.checks.questions import question_problems
from recollect.benchmarks.subtlememory.items import Asked, Qa, Turn
from recollect.benchmarks.subtlememory.make.world import progress
from recollect.benchmarks.subtlememory.make.world.questions import answered, wanted
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.making.steps import Drop, DroppedError, Rule, Ruled, Sight, Stage
from recollect.worlds.checks import says


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A session before it is assigned to a person."""

    conversation_type: str
    conversation_flow: str
    signal: str | None = None
    """How much of the person shows, if it is about the user."""
    history: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCase:
    """A case before it is assigned to a person."""

    key: str
    """Of the seed or preference that it was made from."""
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
        DroppedError: Too few are left, or one breaks a rule of the format.
    """
    kept, problems = answered(sight)
    qas = tuple(_qa(sight, name, reply) for name, reply in kept.items())
    broken: list[str] = []
    for qa in qas:
        # a wrong answer that settles a conflict may name both sides
        conflict = qa.asked is not None and {progress.FIRST, progress.SECOND} == set(qa.asked.fields)
        broken += [str(one) for one in question_problems(qa) if not (conflict and one.rule == "answers")]
    if broken:
        raise DroppedError("invariants", "; ".join(broken))
    task, chosen = progress.task(sight), progress.chosen(sight)
    case = MadeCase(
        key=task.seed.key,
        topic=chosen.topic,
        relation_type=task.relation,
        relation_subtype=task.subtype,
        case=chosen.description,
        facts=tuple(fact.statement for fact in chosen.facts),
        dialogues=tuple(
            Dialogue(
                conversation_type=plan["chosen_conversation_type"],
                conversation_flow=plan["chosen_conversation_flow"],
                history=turns_of(sight.of(progress.SESSION, name)["conversation"]),
            )
            for name, plan in progress.plans(sight).items()
        ),
        qas=qas,
    )
    return Ruled(case, tuple(Drop(name, "filter", problem) for name, problem in problems.items()))


def _qa(sight: Sight, name: str, reply: Mapping[str, Any]) -> Qa:
    question = progress.accepted_questions(sight)[name]
    fields, rivals = wanted(progress.chosen(sight), question)
    right, wrong = (tuple(one["text"] for one in reply[side]) for side in ("correct_answers", "incorrect_answers"))
    return Qa(
        query=question["question"],
        correct_answers=right,
        incorrect_answers=wrong,
        asked=Asked(
            form=KNOWLEDGE,
            chance=0.0,
            difficulty=question.get("difficulty", ""),
            fields=fields,
            others=tuple(rival for rival in rivals if not any(says(text, rival) for text in right)),
        ),
    )


STAGES: tuple[Stage, ...] = (Rule(name=progress.CASE, make=world_case),)

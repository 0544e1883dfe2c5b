"""What has been made of a seed so far, as the steps that come next see it. No function here asks or decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.benchmarks.subtlememory.items import Turn
from recollect.benchmarks.subtlememory.make.relations import guidance
from recollect.benchmarks.subtlememory.make.sources.seeds import (
    ANY_ONE,
    CONTEXT,
    CONTRADICTORY,
    K_FACTS,
    TEMPORAL,
    Evidence,
)
from recollect.benchmarks.subtlememory.make.sources.tasks import CLAIMANTS, FEW_FACTS, MOST_SESSIONS, WorldTask
from recollect.making.calling import shown
from recollect.making.steps import Sight
from recollect.text.normal import normalise

FACTS: Mapping[str, str] = {
    K_FACTS: "world_facts_complementary",
    ANY_ONE: "world_facts_complementary",
    TEMPORAL: "world_facts_temporal",
    CONTEXT: "world_facts_context",
    CONTRADICTORY: "world_facts_contradictory",
}
"""Sub-type -> the step that selects its facts."""
PLAN, SESSION, SESSION_FILTER, TOLD = "world_plan", "world_session", "world_session_filter", "world_told"
QUESTIONS, QUESTION_FILTER, ASKED = "world_questions", "world_question_filter", "world_asked"
ANSWERS, ANSWER_FILTER, CASE = "world_answers", "world_answer_filter", "world_case"
REQUIRED, EQUIVALENT, DISTRACTOR = ROLES = ("required", "equivalent", "distractor")
FIRST, SECOND, VALUE = "first", "second", "value"
"""Names of what an answer has to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that the talks will tell."""

    memory_id: str
    statement: str
    accepted: tuple[str, ...]
    """Wordings of its value."""
    role: str = ""
    condition: str = ""
    """Under which it holds, or its date."""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a case is about."""

    question: str
    description: str
    topic: str
    facts: tuple[Fact, ...]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What an answer names, where it is the same for every question: part -> accepted wordings."""
    answer: str = ""


def task(sight: Sight) -> WorldTask:
    """What is made."""
    found: WorldTask = sight.item.data
    return found


def subtype(sight: Sight) -> str:
    """The sub-type, whoever makes the claims of a contradiction."""
    return task(sight).seed.subtype


def chosen(sight: Sight) -> Chosen:
    """The facts that were selected."""
    kind = subtype(sight)
    return chosen_of(kind, sight.of(FACTS[kind]), task(sight))


def chosen_of(kind: str, said: Mapping[str, Any], of: WorldTask) -> Chosen:
    """What a reply about facts of that sub-type says."""
    sources = {one.memory_id: one for one in (*of.evidence, *of.neighbours)}
    facts = tuple(_fact(kind, one, sources[one["memory_id"]]) for one in said[_listed(kind)])
    about = {one["memory_id"]: one.get("about", "") for one in said[_listed(kind)]}
    wanted = {one["memory_id"] for one in said[_listed(kind)] if one.get("in_answer")}
    parts: dict[str, tuple[str, ...]] = {}
    if kind == K_FACTS:
        parts = {about[one.memory_id]: one.accepted for one in facts if one.memory_id in wanted}
    elif kind == ANY_ONE:
        parts = {VALUE: next(one.accepted for one in facts if one.role == EQUIVALENT)}
    elif kind == CONTRADICTORY:
        parts = dict(zip((FIRST, SECOND), (one.accepted for one in facts), strict=True))
    return Chosen(
        question=said[_asked(kind)],
        description=said["description"],
        topic=said["topic"],
        facts=facts,
        parts=parts,
        answer=said.get("canonical_answer", ""),
    )


def _listed(kind: str) -> str:
    return {TEMPORAL: "temporal_facts", CONTEXT: "context_facts"}.get(kind, "selected_facts")


def _asked(kind: str) -> str:
    names = {TEMPORAL: "temporal_question", CONTEXT: "context_question", CONTRADICTORY: "conflict_question"}
    return names.get(kind, "complementary_question")


def _fact(kind: str, said: Mapping[str, Any], source: Evidence) -> Fact:
    value = said.get("answer_contribution") or said.get("answer_text") or said.get("contradictory_answer") or ""
    return Fact(
        memory_id=said["memory_id"],
        statement=said["fact_statement"],
        accepted=wordings(value, source),
        role=said.get("fact_role", ""),
        condition=said.get("context_anchor", "") if kind == CONTEXT else said.get("time_condition", ""),
        date=source.date if kind == TEMPORAL else "",
    )


def wordings(value: str, source: Evidence) -> tuple[str, ...]:
    """A value with the other wordings of its source, if it is one of them."""
    same = normalise(value) in map(normalise, source.accepted)
    told: dict[str, str] = {}
    for one in (value, *(source.accepted if same else ())):
        told.setdefault(normalise(one), one)
    return tuple(told.values())


def session_names(sight: Sight) -> list[str]:
    """`s1` and so on: two, or three where there are many facts."""
    several = len(chosen(sight).facts) > FEW_FACTS and subtype(sight) != CONTRADICTORY
    return [f"s{number}" for number in range(1, MOST_SESSIONS + several)]


def plans(sight: Sight) -> Mapping[str, Mapping[str, Any]]:
    """Session -> its plan."""
    return {one["session_id"]: one for one in sight.of(PLAN)["sessions"]}


def told_in(sight: Sight, session: str) -> list[Fact]:
    """The facts of a session, in the order of the plan."""
    facts = {one.memory_id: one for one in chosen(sight).facts}
    return [facts[name] for name in plans(sight)[session]["assigned_memory_ids"]]


def claimant(sight: Sight, session: str) -> str:
    """Who makes the claim of a session; empty where it is no contradiction."""
    both = CLAIMANTS.get(task(sight).subtype)
    return both[list(plans(sight)).index(session)] if both else ""


def turns_of(said: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The messages of a session."""
    return tuple(Turn(role=one["role"], content=one["content"]) for one in said["conversation"])


def all_talks(sight: Sight) -> str:
    """The sessions in a prompt."""
    return "\n\n".join(
        f"Talk {name} ({plans(sight)[name]['chosen_conversation_type']}):\n"
        + "\n".join(f"{turn.role}: {turn.content}" for turn in turns_of(said))
        for name, said in sight.parts(SESSION).items()
    )


def about(sight: Sight) -> dict[str, Any]:
    """What most prompts say first of a case."""
    found, kind = chosen(sight), subtype(sight)
    told = [{"memory_id": one.memory_id, **_more(one), "statement": one.statement} for one in found.facts]
    return {
        "means": guidance()[kind].means,
        "subtype": kind,
        "question": found.question,
        "facts": shown(told),
        "known": [_as_json(one) for one in found.facts],
        "parts": {name: list(accepted) for name, accepted in found.parts.items()},
    }


def _more(fact: Fact) -> dict[str, str]:
    """What only some facts have."""
    return {name: value for name, value in (("role", fact.role), ("condition", fact.condition)) if value}


def _as_json(fact: Fact) -> dict[str, Any]:
    """A fact as checks see it."""
    return {
        "memory_id": fact.memory_id,
        "role": fact.role,
        "statement": fact.statement,
        "accepted": list(fact.accepted),
        "condition": fact.condition,
        "date": fact.date,
    }


def accepted_questions(sight: Sight) -> Mapping[str, Mapping[str, Any]]:
    """Question -> what was asked; those that passed their filter."""
    found: Mapping[str, Mapping[str, Any]] = sight.of(ASKED)
    return found


def numbered(said: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Questions by the names under which they are decided on."""
    return {f"q{number}": one for number, one in enumerate(said, start=1)}

"""Results of a seed's earlier steps, as the later steps read them; no function here calls a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

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
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.making.calling import shown
from recollect.making.steps import Sight
from recollect.text.normal import normalise

PLAN, SESSION, SESSION_FILTER, TOLD = "world_plan", "world_session", "world_session_filter", "world_told"
QUESTIONS, QUESTION_FILTER, ASKED = "world_questions", "world_question_filter", "world_asked"
ANSWERS, ANSWER_FILTER, CASE = "world_answers", "world_answer_filter", "world_case"
REQUIRED, EQUIVALENT, DISTRACTOR = ROLES = ("required", "equivalent", "distractor")
FIRST, SECOND, VALUE = "first", "second", "value"
"""Parts of an answer."""


class Selection(NamedTuple):
    """The step that selects the facts of a sub-type, and fields of its reply."""

    step: str
    facts: str
    question: str


_COMPLEMENTARY = Selection("world_facts_complementary", "selected_facts", "complementary_question")
SELECTIONS: Mapping[str, Selection] = {
    K_FACTS: _COMPLEMENTARY,
    ANY_ONE: _COMPLEMENTARY,
    TEMPORAL: Selection("world_facts_temporal", "temporal_facts", "temporal_question"),
    CONTEXT: Selection("world_facts_context", "context_facts", "context_question"),
    CONTRADICTORY: Selection("world_facts_contradictory", "selected_facts", "conflict_question"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact that the dialogues will state."""

    memory_id: str
    role: str = ""
    statement: str
    accepted: tuple[str, ...]
    """Wordings of its value."""
    condition: str = ""
    """Under which it holds, or its date."""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The facts selected for a case."""

    question: str
    description: str
    topic: str
    facts: tuple[Fact, ...]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What an answer names, where it is the same for every question: part -> accepted wordings."""


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
    selection = SELECTIONS[kind]
    reply = sight.of(selection.step)
    sources = {one.memory_id: one for one in (*task(sight).evidence, *task(sight).neighbours)}
    facts: list[Fact] = []
    parts: dict[str, tuple[str, ...]] = {}
    for row in reply[selection.facts]:
        source = sources[row["memory_id"]]
        value = row.get("answer_contribution") or row.get("answer_text") or row.get("contradictory_answer") or ""
        fact = Fact(
            memory_id=row["memory_id"],
            role=row.get("fact_role", ""),
            statement=row["fact_statement"],
            accepted=wordings(value, source),
            condition=row.get("context_anchor", "") if kind == CONTEXT else row.get("time_condition", ""),
            date=source.date if kind == TEMPORAL else "",
        )
        facts.append(fact)
        if kind == K_FACTS and row.get("in_answer"):
            parts[row.get("about", "")] = fact.accepted
    if kind == ANY_ONE:
        parts = {VALUE: next(fact.accepted for fact in facts if fact.role == EQUIVALENT)}
    elif kind == CONTRADICTORY:
        parts = dict(zip((FIRST, SECOND), (fact.accepted for fact in facts), strict=True))
    return Chosen(
        question=reply[selection.question],
        description=reply["description"],
        topic=reply["topic"],
        facts=tuple(facts),
        parts=parts,
    )


def wordings(value: str, source: Evidence) -> tuple[str, ...]:
    """A value, with the other wordings of its source if it is one of them."""
    same = normalise(value) in map(normalise, source.accepted)
    found: dict[str, str] = {}
    for wording in (value, *(source.accepted if same else ())):
        found.setdefault(normalise(wording), wording)
    return tuple(found.values())


def session_names(sight: Sight) -> list[str]:
    """`s1` and so on: two, or three if there are many facts."""
    several = len(chosen(sight).facts) > FEW_FACTS and subtype(sight) != CONTRADICTORY
    return [f"s{number}" for number in range(1, MOST_SESSIONS + several)]


def plans(sight: Sight) -> Mapping[str, Mapping[str, Any]]:
    """Session -> its plan."""
    return {plan["session_id"]: plan for plan in sight.of(PLAN)["sessions"]}


def session_facts(sight: Sight, session: str) -> list[Fact]:
    """The facts of a session, in the order of the plan."""
    facts = {fact.memory_id: fact for fact in chosen(sight).facts}
    return [facts[name] for name in plans(sight)[session]["assigned_memory_ids"]]


def claimant(sight: Sight, session: str) -> str:
    """Who makes the claim of a session; empty if it is no contradiction."""
    both = CLAIMANTS.get(task(sight).subtype)
    return both[list(plans(sight)).index(session)] if both else ""


def all_talks(sight: Sight) -> str:
    """The sessions in a prompt."""
    return "\n\n".join(
        f"Talk {name} ({plans(sight)[name]['chosen_conversation_type']}):\n"
        + "\n".join(f"{turn.role}: {turn.content}" for turn in turns_of(reply["conversation"]))
        for name, reply in sight.parts(SESSION).items()
    )


def about(sight: Sight) -> dict[str, Any]:
    """Values that most prompts and checks of a case share."""
    found, kind = chosen(sight), subtype(sight)
    facts: list[dict[str, str]] = []
    for fact in found.facts:
        more = {"role": fact.role, "condition": fact.condition}
        given = {name: value for name, value in more.items() if value}
        facts.append({"memory_id": fact.memory_id, **given, "statement": fact.statement})
    return {
        "means": guidance()[kind].means,
        "subtype": kind,
        "question": found.question,
        "facts": shown(facts),
        "known": [{**asdict(fact), "accepted": list(fact.accepted)} for fact in found.facts],
        "parts": {name: list(accepted) for name, accepted in found.parts.items()},
    }


def accepted_questions(sight: Sight) -> Mapping[str, Mapping[str, Any]]:
    """The questions that passed their filter, by name."""
    found: Mapping[str, Mapping[str, Any]] = sight.of(ASKED)
    return found

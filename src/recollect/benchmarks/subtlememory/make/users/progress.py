"""Results of a person's earlier steps, as the later steps read them; no function here calls a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.benchmarks.subtlememory.make.calling import step
from recollect.benchmarks.subtlememory.make.relations import definitions, named, relations
from recollect.benchmarks.subtlememory.make.sources.persons import Person
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.making.calling import each, shown
from recollect.making.schema import Schema
from recollect.making.steps import Check, Given, Item, Sight, Step

TOPICS, KEPT, PLAN = "topics", "preferences", "plan"
CASE, CASE_FILTER, CASES = "case", "case_filter", "cases"
SESSION_FILTER, TOLD = "session_filter", "told"
QUESTIONS, ANSWERS, QUESTION_FILTER, ASKED, PERSON = "questions", "answers", "question_filter", "asked", "person"
MOST_FACTS = 4
"""Statements of a case."""
SESSIONS = tuple(f"session_{number}" for number in range(1, MOST_FACTS + 1))
"""One step per position in a case: each sees the dialogues before it, and one that fails costs its case alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPreference:
    """A preference that a case is made from; its id names the case in all steps."""

    preference_id: str
    text: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Specification of a dialogue."""

    candidates: tuple[tuple[str, str], ...]
    """Conversation type and flow, the preferred one first."""
    messages: int
    signal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A set of statements that passed its filter."""

    preference: TopicPreference
    relation_type: str
    relation_subtype: str
    description: str
    facts: tuple[str, ...]
    briefs: tuple[Brief, ...]
    """One for each statement."""


def per_case(
    role: str,
    parts: Callable[[Sight], Sequence[str]] | str,
    *,
    given: Callable[[Sight, str], Given],
    shape: Callable[[Given], Schema],
    checks: tuple[Check, ...],
    name: str = "",
) -> Step:
    """A step called once per case; a rejected case is left out.

    Args:
        role: Of the prompt.
        parts: The cases, or the name of an earlier step: all cases that passed it.
        given: What the prompt and the checks see.
        shape: Of the reply.
        checks: Of the reply.
        name: Of the step, if it is not the role.
    """
    found = (lambda sight: list(sight.parts(parts))) if isinstance(parts, str) else parts
    called = step(role, name=name, given=given, shape=shape, checks=checks)
    return each(called, found, most_cases, needed=False)


def person(sight: Sight) -> Person:
    """The person that cases are made for."""
    found: Person = sight.item.data
    return found


def most_cases(item: Item) -> int:
    """Most cases that a person can have."""
    preferences, limit = len(item.data.preferences), item.data.settings.preferences
    return min(preferences, limit or preferences)


def kept(sight: Sight) -> Mapping[str, TopicPreference]:
    """Preferences by id, in their order."""
    found: Mapping[str, TopicPreference] = sight.of(KEPT)
    return found


def planned(sight: Sight) -> Mapping[str, tuple[str, str]]:
    """Preference -> relation and sub-type, in the order of the preferences; empty if none is left."""
    plan = {
        row["preference_id"]: (row["relation_type"], row["relation_subtype"])
        for reply in sight.parts(PLAN).values()
        for row in reply["planned_relations"]
    }
    return {name: plan[name] for name in kept(sight)}


def cases(sight: Sight) -> Mapping[str, Case]:
    """The cases that passed their filter, by preference."""
    found: Mapping[str, Case] = sight.of(CASES)
    return found


def earlier(sight: Sight, part: str, place: int) -> list[Mapping[str, Any]]:
    """The dialogues of a case before the one at *place*, as far as they were made."""
    found = [sight.parts(SESSIONS[number]) for number in range(place)]
    return [dialogues[part] for dialogues in found if part in dialogues]


def complete(sight: Sight, part: str) -> bool:
    """Whether all dialogues of a case were made."""
    count = len(cases(sight)[part].facts)
    return len(earlier(sight, part, count)) == count


def told(sight: Sight) -> Sequence[str]:
    """Cases whose dialogues all passed."""
    found: Sequence[str] = sight.of(TOLD)
    return found


def in_lines(dialogue: Mapping[str, Any]) -> str:
    """A dialogue in a prompt."""
    return "\n".join(f"{turn.role}: {turn.content}" for turn in turns_of(dialogue["messages"]))


def all_talks(sight: Sight, part: str) -> str:
    """The dialogues of a case, numbered, each with its type."""
    return "\n\n".join(
        f"Talk {number} ({dialogue['selected_conversation_type']}):\n{in_lines(dialogue)}"
        for number, dialogue in enumerate(earlier(sight, part, MOST_FACTS), start=1)
    )


def about(case: Case, sight: Sight) -> dict[str, Any]:
    """Values that the prompts and checks of a case share."""
    subtype = relations().subtypes[case.relation_subtype]
    return {
        **definitions(),
        "profile": person(sight).profile,
        "relation": named(case.relation_type, case.relation_subtype),
        "talk_guidance": subtype.talk,
        "ask_guidance": subtype.ask,
        "answer_guidance": subtype.answer,
        "subtype": case.relation_subtype,
        "facts": list(case.facts),
        "names": person(sight).name.split(),
    }


def shown_case(case: Case) -> str:
    """A case in a prompt."""
    relation = f"{case.relation_type}, {case.relation_subtype}"
    return shown({"about": case.description, "relation": relation, "known": list(case.facts)})

"""What has been made of a person so far, as the steps that come next see it. No function here asks or decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.benchmarks.subtlememory.items import Turn
from recollect.benchmarks.subtlememory.make.relations import definitions, named, relations
from recollect.benchmarks.subtlememory.make.sources.persons import Person
from recollect.making.calling import shown
from recollect.making.steps import Item, Sight

TOPICS, KEPT, PLAN = "topics", "preferences", "plan"
CASE, CASE_FILTER, CASES = "case", "case_filter", "cases"
SESSION_FILTER, TOLD = "session_filter", "told"
QUESTIONS, ANSWERS, QUESTION_FILTER, ASKED, PERSON = "questions", "answers", "question_filter", "asked", "person"
MOST_FACTS = 4
"""Statements of a case."""
SESSIONS = tuple(f"session_{number}" for number in range(1, MOST_FACTS + 1))
"""Steps, one for each place in a case: each sees the talks before it, and a talk that fails costs its case alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A preference that a case is made of; its id names the case in all steps."""

    preference_id: str
    text: str
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a talk is like, before it is written."""

    candidates: tuple[tuple[str, str], ...]
    """Conversation type and flow, the preferred one first."""
    messages: int
    signal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A set of statements that passed its filter."""

    preference: Kept
    relation_type: str
    relation_subtype: str
    description: str
    facts: tuple[str, ...]
    briefs: tuple[Brief, ...]
    """One for each statement."""


def person(sight: Sight) -> Person:
    """Whom cases are made of."""
    found: Person = sight.item.data
    return found


def most_preferences(item: Item) -> int:
    """Cases that a person can have."""
    one: Person = item.data
    there = len(one.preferences)
    return min(there, one.settings.preferences or there)


def kept(sight: Sight) -> Mapping[str, Kept]:
    """Preferences by id, in their order."""
    found: Mapping[str, Kept] = sight.of(KEPT)
    return found


def planned(sight: Sight) -> Mapping[str, tuple[str, str]]:
    """Preference -> relation and sub-type, in the order of the preferences; nothing where none is left."""
    said = {
        one["preference_id"]: (one["relation_type"], one["relation_subtype"])
        for reply in sight.parts(PLAN).values()
        for one in reply["planned_relations"]
    }
    return {name: said[name] for name in kept(sight)}


def cases(sight: Sight) -> Mapping[str, Case]:
    """The cases that passed their filter, by preference."""
    found: Mapping[str, Case] = sight.of(CASES)
    return found


def earlier(sight: Sight, part: str, place: int) -> list[Mapping[str, Any]]:
    """The talks of a case before the one at *place*, as far as they were made."""
    found = [sight.parts(SESSIONS[number]) for number in range(place)]
    return [talks[part] for talks in found if part in talks]


def whole(sight: Sight, part: str) -> list[Mapping[str, Any]] | None:
    """All talks of a case; `None` where one is missing."""
    wanted = len(cases(sight)[part].facts)
    found = earlier(sight, part, wanted)
    return found if len(found) == wanted else None


def told(sight: Sight) -> Sequence[str]:
    """Cases whose talks all passed."""
    found: Sequence[str] = sight.of(TOLD)
    return found


def turns_of(talk: Mapping[str, Any]) -> tuple[Turn, ...]:
    """The messages of a talk."""
    return tuple(Turn(role=one["role"], content=one["content"]) for one in talk["messages"])


def in_lines(talk: Mapping[str, Any]) -> str:
    """A talk in a prompt."""
    return "\n".join(f"{turn.role}: {turn.content}" for turn in turns_of(talk))


def all_talks(sight: Sight, part: str) -> str:
    """The talks of a case, numbered, each with its kind."""
    found = earlier(sight, part, MOST_FACTS)
    return "\n\n".join(
        f"Talk {number} ({talk['selected_conversation_type']}):\n{in_lines(talk)}"
        for number, talk in enumerate(found, start=1)
    )


def about(case: Case, sight: Sight) -> dict[str, Any]:
    """What prompts and checks of a case say first."""
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

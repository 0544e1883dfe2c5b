"""One person's bundle as the two published files hold it: the values, and nothing that is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

RELATED, UNRELATED = "user-related", "user-unrelated"
"""Values of `source`: about the user, or about the world."""
RELATIONS = ("complementary", "nuanced", "contradictory")
SUBTYPES: Mapping[str, str] = {
    "K>1": "complementary",
    "any_one": "complementary",
    "Temporal": "nuanced",
    "Context": "nuanced",
    "contradictory": "contradictory",
}
"""Sub-type, as the files spell it -> its relation."""
FOLDED: Mapping[str, str] = {
    "a_user_vs_user": "contradictory",
    "b_user_vs_non_user": "contradictory",
    "c_non_user_vs_non_user": "contradictory",
}
"""Sub-types of contradictions about the world: who makes the two claims; counted as one."""
TYPES = (
    "decision_support",
    "planning_coordination",
    "troubleshooting",
    "learning_explanation",
    "resource_selection",
    "workflow_setup",
    "information_organization",
    "personal_reflection",
    "artifact_production",
    "artifact_review_or_localization",
)
"""The ten conversation types of the paper, its table 6."""
LEVELS = ("low", "medium", "high")
"""How much of the person shows in the voice of a user-related session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a session."""

    role: str
    """`user` or `assistant`."""
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One session of `history_sessions.json`."""

    order: int
    """From 0; that of the timestamps within the person."""
    persona_id: str
    session_id: str
    timestamp: str
    """ISO 8601 with seconds, and an offset in the published files."""
    source: str
    """`user-related` or `user-unrelated`."""
    case_id: str
    conversation_type: str | None
    """One of `TYPES`, or another word: the list is open."""
    conversation_flow: str | None
    persona_signal_level: str | None
    """One of `LEVELS`; none where the session is about the world."""
    history: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What our own files add to a question; published ones have none of it."""

    form: str
    """`structured_form`, `resource_arrangement` or `knowledge`."""
    chance: float
    """Of a guess among what the question itself offers."""
    domain: str = ""
    """One of the paper's ten."""
    difficulty: str = ""
    """`easy`, `medium` or `hard`, where a sub-type has them."""
    options: tuple[str, ...] = ()
    """Names to choose from, in the order in which the question lists them; told as `described`."""
    described: Mapping[str, str] = field(default_factory=dict)
    """Option -> what the question says of it."""
    template: Mapping[str, str] = field(default_factory=dict)
    """Field of a form -> what may stand there."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Field, item or side of a conflict -> accepted values; all are needed."""
    others: tuple[str, ...] = ()
    """What a right answer must not name: choices that nothing speaks for, values of other conditions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Qa:
    """One question with what is right and wrong."""

    query: str
    correct_answers: tuple[str, ...]
    incorrect_answers: tuple[str, ...]
    asked: Asked | None = None
    """`recollect` in our own files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One set of related facts (a case) of `bench_instances.json`, with its questions."""

    instance_id: str
    persona_id: str
    persona_str: str
    """The profile as JSON text; the same in all instances of a person."""
    source: str
    case_id: str
    topic: str
    relation_type: str
    relation_subtype: str
    case: str
    """What the relation is, in a sentence."""
    facts: tuple[str, ...]
    qas: tuple[Qa, ...]
    session_ids: tuple[str, ...]
    """The sessions that hold the facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """One person: a history and what is asked about it."""

    key: str
    """Of the folder: its path below the root, lower case, other signs as `_`, joined by `__`."""
    talks: tuple[Talk, ...]
    instances: tuple[Instance, ...]


def time_of(talk: Talk) -> datetime:
    """When a session began, with its zone if the data say one.

    Raises:
        ValueError: The text is no time.
    """
    return datetime.fromisoformat(talk.timestamp)

"""What passes between the parts of the generator: cases are planned, then told in sessions, then laid out in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Exchange, Thread
from recollect.benchmarks.subtlememory.items import Qa


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Who the user is."""

    persona_id: str
    name: str
    first_name: str
    persona_str: str
    """The profile as JSON text, as the published files have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How one fact gets into a session: whole sentences, already worded, and where they are said."""

    fact: int
    """Its place among the facts of the case."""
    role: str
    """Who says it: `user` for all that is about the user."""
    text: str
    """Goes into one message of that role, and never into the opening."""
    of: str = ""
    """Name of the trait or property; none where it strays from the topic."""
    moment: Exchange | None = None
    """The exchange in which it is said, once the thread is dealt; what has the same one is told together."""
    precedes: tuple[int, ...] = ()
    """Steps of the thread that may only come after that exchange."""
    follows: tuple[int, ...] = ()
    """Those that may only come before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """All that the writer of one session needs."""

    tellings: tuple[Telling, ...]
    """Empty where nothing is told that a question asks for."""
    thread: Thread
    """What is talked about."""
    messages: int
    """10, 12 or 14 about the user; an even number from 6 to 14 about the world."""
    signal: str | None
    """One of `LEVELS`: how much of the person shows; none where the session is about the world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """One session of a case, before it is laid out in time."""

    brief: Brief
    starts: str | None = None
    """Earliest date at which it may stand, `YYYY-MM-DD`; where what is told holds from then on."""
    ends: str | None = None
    """Latest date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePlan:
    """One case with its questions and the sessions that tell it."""

    key: str
    """Unique within the person; the order of cases."""
    source: str
    topic: str
    domain: str
    relation_type: str
    relation_subtype: str
    case: str
    facts: tuple[str, ...]
    qas: tuple[Qa, ...]
    sessions: tuple[SessionPlan, ...]
    used: Mapping[str, str] = field(default_factory=dict)
    """What it is made of, such as trait and entity: no other case of the person has it."""

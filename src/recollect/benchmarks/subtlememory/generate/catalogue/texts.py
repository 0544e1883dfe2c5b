"""The texts of the catalogue: what a person may be like, what a world may hold, and talk in which it is told.

Sentences are patterns (`worlds.patterns`). Slots of talk about the user: `{name}` in facts only; of talk about the
world: `{entity}`, `{value}`.

A session is made of a thread: an errand that reads well by itself. Its steps do not build on each other, so that short
sessions leave some out; the order stays. For each property of a kind a thread has one more step, in which the errand
calls for that (`Tell`). How a value of the user shows in a thread stands with the value (`Showing`). What is told of a
person or a place beyond the topic has `Occasions` of its own, which fit between any two steps. Slots: `{aside}` where
an aside of the step may stand, `{said}` where something is told, `{entity}` what is asked, `{value}` what is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeVar

from recollect.records.codec import decode
from recollect.worlds.catalogues import catalogue, parsed

CATALOGUE = "subtlememory"
USER, WORLD, THREADS, SHOWINGS = "user", "world", "threads", "showings"
ASIDE, SAID, ENTITY = "{aside}", "{said}", "{entity}"
STEPS = 5
"""Of a thread; with opening and closing it fills the longest session, of 14 messages."""
FLOWS = {
    "artifact_production": ("request_tone_final", "draft_then_specific", "purpose_to_artifact"),
    "artifact_review_or_localization": ("targeted_changes", "diagnose_then_adjust", "review_to_localised"),
    "decision_support": ("practical_choice_first", "one_limit_at_a_time", "compare_and_reweigh"),
    "information_organization": ("scattered_to_categories", "impose_then_reorganise", "list_to_map"),
    "learning_explanation": ("examples_and_limits", "simple_then_applied", "background_to_concrete"),
    "personal_reflection": ("pattern_to_principle", "interpretation_corrected", "vague_to_grounded"),
    "planning_coordination": ("sequence_from_the_date", "sketch_then_tighten", "scattered_to_order"),
    "resource_selection": ("need_then_criteria", "categories_to_ranking", "broad_search_to_fit"),
    "troubleshooting": ("symptom_to_causes", "check_report_fix", "clue_by_clue"),
    "workflow_setup": ("friction_to_routine", "structure_then_simplify", "messy_to_template"),
}
"""Conversation type -> the names of its three flows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A message of the user and the assistant's answer; where something is told, one of the two has `{said}`."""

    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasions:
    """Exchanges in which one thing about the world is told, whatever the errand."""

    reports: tuple[Exchange, ...]
    """The user tells it."""
    lookups: tuple[Exchange, ...]
    """The user asks about an `{entity}` and the assistant tells it; none of what only acquaintances know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One point of the errand."""

    user: str
    """With `{aside}` once, between sentences."""
    aside: str
    """Shows that the user is a person; said now and then."""
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """A step of the errand in which something is told."""

    of: str
    """Name of the property."""
    user: str
    assistant: str
    told: str
    """What stands for `{said}`: a statement with `{entity}` and `{value}`."""
    held_out: str
    """The same in other words; used only where `held_out` is asked for."""
    precedes: tuple[int, ...] = ()
    """Places of steps that may only come after it, since they settle what it still asks; the first is 0."""
    follows: tuple[int, ...] = ()
    """Of those that may only come before it, since they know nothing of it; what is in both stands beside it never."""

    @property
    def reports(self) -> bool:
        """The user tells it; else the assistant does, when asked."""
        return SAID in self.user

    @property
    def exchange(self) -> Exchange:
        """The same without its name."""
        return Exchange(user=self.user, assistant=self.assistant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation of seven exchanges."""

    conversation_type: str
    flow: str
    opening: Exchange
    steps: tuple[Step, ...]
    closing: Exchange
    task: str
    """What it is about, as a noun phrase behind `we talked about` and `back to`."""
    tells: tuple[Tell, ...] = ()
    """Of a kind, one for each property; what shows a user's traits stands with their values."""

    def tell(self, of: str) -> Tell:
        """The step that tells a property."""
        return next(one for one in self.tells if one.of == of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How one value of a trait shows in one thread of its topic."""

    thread: str
    """Conversation type of the thread."""
    usual: str
    """Stands for the situation where there is none: `Most evenings`."""
    before: str
    """Ties in with the errand; may be empty."""
    shown: str
    """From this a reader can tell the value, which nobody names; with `{said}` before a comma."""
    more: str
    """One more detail; left out where the value is to show less."""
    after: str
    """What the user wants to know, now that this was said."""
    assistant: str
    precedes: tuple[int, ...] = ()
    """Steps that may only come after it; see `Tell`."""
    follows: tuple[int, ...] = ()
    """Steps that may only come before it."""

    @property
    def exchange(self) -> Exchange:
        """Its frame, with `{said}` for what is shown."""
        said = " ".join(part for part in (self.before, SAID, self.after) if part)
        return Exchange(user=said, assistant=self.assistant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
    """One value of an attribute of the user, how it shows, and what suits it."""

    value: str
    """A short noun phrase; a choice of a form's field."""
    accepted: tuple[str, ...]
    """The same in other words."""
    facts: tuple[str, ...]
    """Whole sentences that say it, with `{name}`; each is enough."""
    showings: tuple[Showing, ...]
    """Exchanges in which it shows, each in another thread; of a file of its own."""
    held_out: tuple[Showing, ...]
    """The same in other threads; used only where `held_out` is asked for."""
    resources: tuple[str, ...]
    """What a thing is like that suits this value alone, with none of its words: `pale wood and nothing on display`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A situation or a stretch of life in which another value may hold."""

    said: str
    """As the user says it, in front of what shows a value: `when my parents stay with us`."""
    reason: str
    """A sentence before it, of the situation alone: that it matters is plain, and what follows is not announced.

    A stretch is told by it, so that `said` need not name it again.
    """
    fact: str
    """As a fact says it, at the end: `when {name}'s parents stay`."""
    asked: str
    """As a question says it, behind `for`: `the week my parents are here`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One thing that persons differ in."""

    name: str
    field: str
    """Its label in a form."""
    wanted: str
    """What is looked for, behind `choose`: `one furniture package for the living room`."""
    values: tuple[ValueWords, ...]
    """At least four; a form takes one of them."""
    conditions: tuple[Condition, ...]
    """At least three standing situations, in each of which a value may hold."""
    stretches: tuple[Condition, ...]
    """At least four stretches of life, weeks or months long, that may well change it."""
    together: tuple[tuple[str, str], ...] = ()
    """Pairs of values that one person may well have side by side, so that they make no conflict."""

    @property
    def rivals(self) -> tuple[tuple[ValueWords, ValueWords], ...]:
        """Pairs of values of which one person has one."""
        both = {frozenset(pair) for pair in self.together}
        pairs = combinations(self.values, 2)
        return tuple((one, other) for one, other in pairs if frozenset((one.value, other.value)) not in both)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One part of a person's life."""

    topic: str
    domain: str
    threads: tuple[Thread, ...]
    """Talk that tells no value of any trait; of a file of its own."""
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A condition under which a property of an entity has another value."""

    told: str
    """Begins a statement, with a capital: `In its winter edition`."""
    asked: str
    """Ends a question: `in its winter edition`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One thing that can be said of an entity."""

    name: str
    kind: Literal["choice", "number", "year", "person", "place"]
    values: tuple[str, ...]
    """Of a choice: at least six, none of them famous. Of a number or a year: the least and the most. Else none."""
    told: tuple[str, ...]
    """Statements with `{entity}` and `{value}`, the first letter capital; each stands alone."""
    held_out: tuple[str, ...]
    """The same in other words; used only where `held_out` is asked for."""
    asked: tuple[str, ...]
    """Questions with `{entity}`."""
    asked_of_all: str
    """One question about several, with `{entities}`: `Which flower stands for {entities}?`"""
    editions: tuple[Edition, ...] = ()
    """At least three, where the value may depend on something."""
    changes: bool = False
    """It may be another at another date, as a count may."""
    exclusive: bool = True
    """No two values can be right, at once or one after the other, as an office's two holders are; so they conflict."""
    adds_up: str = ""
    """Of a number: the question for the sum, with `{entities}`; empty where a sum says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of invented entity."""

    kind: str
    topic: str
    domain: str
    noun: str
    """What such an entity is: `river ferry line`."""
    names: tuple[str, ...]
    """Patterns of names, with `{word}` for an invented word: `the {word} Line`."""
    threads: tuple[Thread, ...]
    """Talk that tells nothing of any entity; of a file of its own."""
    properties: tuple[Property, ...]


Read = TypeVar("Read", Topic, Kind)


def read_file(file: Path, form: type[Read]) -> Read:
    """What a file of the catalogue holds, with what stands in files of the same name: its threads, and showings of it.

    Raises:
        DataError: A file is missing, is no JSON or has another shape; all that is wrong is named at once.
    """
    given = parsed(file)
    if isinstance(given, dict) and "threads" not in given:
        given |= parsed(file.parents[1] / THREADS / file.parent.name / file.name)
        if form is Topic:
            _shown(given, parsed(file.parents[1] / SHOWINGS / file.name))
    return decode(form, given, where=str(file))


def _shown(topic: Any, showings: Any) -> None:
    """Puts to each value what the file of showings has for it."""
    for trait in topic.get("traits", ()):
        for value in trait.get("values", ()):
            value.update(showings.get(trait.get("name"), {}).get(value.get("value"), {}))


@cache
def topics() -> tuple[Topic, ...]:
    """All parts of a person's life, by name; read once."""
    return tuple(sorted((read_file(file, Topic) for file in files(USER)), key=lambda one: one.topic))


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds of entities, by name; read once."""
    return tuple(sorted((read_file(file, Kind) for file in files(WORLD)), key=lambda one: one.kind))


def files(*names: str, folder: Path | None = None) -> list[Path]:
    """Of the folders of the catalogue that have these names; of the data package's if there is none."""
    return sorted(file for name in names for file in (folder or catalogue(CATALOGUE)).glob(f"{name}/*.json"))

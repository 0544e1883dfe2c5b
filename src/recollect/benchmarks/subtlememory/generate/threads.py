"""What sessions are made of: threads of a topic, each with steps in which something is told.

A thread is an errand that reads well by itself. Its steps do not build on each other, so that short sessions leave some
out; the order stays. For each property of a kind it has one more step, in which the errand calls for that; how values
of the user show in it stands with these values (`showings`). What is told of a person or a place beyond the topic has
occasions of its own, which fit between any two steps. Slots: `{aside}` where an aside of the step may stand, `{said}`
where something is told, `{entity}` what is asked about, `{value}` what is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass

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
        """The step that tells a property.

        Raises:
            KeyError: It has none.
        """
        for one in self.tells:
            if one.of == of:
                return one
        raise KeyError(of)

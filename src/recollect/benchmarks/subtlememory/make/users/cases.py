"""Sets of statements, each made from one preference and reviewed before anything is built on it."""

from __future__ import annotations

from random import Random

from recollect.benchmarks.subtlememory.items import LEVELS, RELATIONS, SUBTYPES, TYPES
from recollect.benchmarks.subtlememory.make.calling import SENTENCE
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.relations import definitions, kinds, named, relations
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import CASE_CHECKS, CASE_FILTER_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import MOST_FACTS, Brief, Case, per_case
from recollect.making.calling import shown
from recollect.making.schema import Schema, array, flag, one_of, record, text
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise
from recollect.worlds.dealing import Dealer

LENGTHS = (10, 12, 14)
"""Messages of a dialogue about the user."""
CANDIDATES = 4
"""Conversation types that a dialogue may choose from."""
CATEGORIES = (
    *("unnatural", "unsupported", "mislabelled", "duplicated", "statement_not_needed", "same_answer_everywhere"),
    *("time_not_in_statements", "both_can_hold", "order_dependent", "vague", "content"),
)
"""Why a set is rejected."""


def _case_given(sight: Sight, part: str) -> Given:
    (relation, subtype), preference = progress.planned(sight)[part], progress.kept(sight)[part]
    fixed = subtype == "contradictory"
    return {
        **definitions(),
        "profile": progress.person(sight).profile,
        "topic": preference.topic,
        "preference": preference.text,
        "relation": named(relation, subtype),
        "guidance": relations().subtypes[subtype].case,
        "relation_type": relation,
        "relation_subtype": subtype,
        "count": "Exactly two" if fixed else "Two or three, four at most",
        "range": [2, 2 if fixed else MOST_FACTS],
    }


def _case_shape(_: Given) -> Schema:
    return record(
        relation_type=one_of(RELATIONS),
        relation_subtype=one_of(tuple(SUBTYPES)),
        relation_choice_reason=text(0, SENTENCE),
        description=text(1, SENTENCE),
        facts=array(text(1, SENTENCE), 1, 2 * MOST_FACTS),
    )


def _filter_given(sight: Sight, part: str) -> Given:
    made = sight.of(progress.CASE, part)
    return {
        **definitions(),
        "profile": progress.person(sight).profile,
        "preference": progress.kept(sight)[part].text,
        "case": shown({"about": made["description"], "statements": made["facts"]}),
        "relation": named(*progress.planned(sight)[part]),
        "categories": ", ".join(f"`{name}`" for name in CATEGORIES),
    }


def _filter_shape(_: Given) -> Schema:
    return record(
        final_decision=one_of(("accept", "reject")),
        accepted=flag(),
        reason=text(0, SENTENCE),
        reject_categories=array(one_of(CATEGORIES), 0, len(CATEGORIES)),
        content=one_of(CONTENTS),
    )


def cases(sight: Sight) -> Ruled:
    """The sets that passed, without duplicates, each with the briefs of its dialogues."""
    person, drops, seen = progress.person(sight), list[Drop](), dict[tuple[str, str], str]()
    briefs = _Briefs(Random(f"{person.settings.seed}:{person.persona_id}:talks"))
    found: dict[str, Case] = {}
    for part, (relation, subtype) in progress.planned(sight).items():
        if problem := _unfit(sight, part, seen):
            drops.append(Drop(part, *problem))
            continue
        made = sight.of(progress.CASE, part)
        found[part] = Case(
            preference=progress.kept(sight)[part],
            relation_type=relation,
            relation_subtype=subtype,
            description=made["description"],
            facts=tuple(made["facts"]),
            briefs=briefs.of_case(len(made["facts"])),
        )
    return Ruled(found, tuple(drops))


def _unfit(sight: Sight, part: str, seen: dict[tuple[str, str], str]) -> tuple[str, str] | None:
    """Check and problem of a set that is left out."""
    made, verdict = sight.parts(progress.CASE).get(part), sight.parts(progress.CASE_FILTER).get(part)
    if made is None:
        return "not_written", "no statements were made of the preference"
    if verdict is None:
        return "undecided", "nobody decided on it"
    if verdict["content"] != FINE:
        return "content", f"{verdict['content']}: {verdict['reason']}"
    if not verdict["accepted"]:
        return "filter", f"{', '.join(verdict['reject_categories'])}: {verdict['reason']}"
    key = (progress.kept(sight)[part].topic, normalise(made["description"]))
    if seen.setdefault(key, part) != part:
        return "duplicate", f"it is about what `{seen[key]}` is about: {made['description']}"
    return None


class _Briefs:
    """Draws dialogue briefs, balanced over a person."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._types, self._flows, self._lengths, self._levels = (Dealer(rng) for _ in range(4))

    def of_case(self, count: int) -> tuple[Brief, ...]:
        """One brief per statement; each dialogue prefers another type."""
        preferred: list[str] = []
        for _ in range(count):
            preferred.append(self._types.deal(TYPES, avoid=preferred))
        others = [kind for kind in TYPES if kind not in preferred]
        briefs: list[Brief] = []
        for kind in preferred:
            offered = (kind, *self._rng.sample(others, CANDIDATES - 1))
            candidates = tuple(self._flows.deal([(name, flow) for flow in kinds()[name].flows]) for name in offered)
            messages, signal = self._lengths.deal(LENGTHS), self._levels.deal(LEVELS)
            briefs.append(Brief(candidates=candidates, messages=messages, signal=signal))
        return tuple(briefs)


STAGES: tuple[Stage, ...] = (
    per_case(
        progress.CASE,
        lambda sight: list(progress.planned(sight)),
        given=_case_given,
        shape=_case_shape,
        checks=CASE_CHECKS,
    ),
    per_case(progress.CASE_FILTER, progress.CASE, given=_filter_given, shape=_filter_shape, checks=CASE_FILTER_CHECKS),
    Rule(name=progress.CASES, make=cases),
)
"""A set that is not made, not decided on or not accepted is left out, and its preference with it."""

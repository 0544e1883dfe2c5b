"""Sets of statements, made of single preferences and reviewed before anything rests on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.items import LEVELS, RELATIONS, SUBTYPES, TYPES
from recollect.benchmarks.subtlememory.make.calling import SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import CONTENTS, FINE
from recollect.benchmarks.subtlememory.make.relations import definitions, kinds, named, relations
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import CASE_CHECKS, CASE_FILTER_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import MOST_FACTS, Brief, Case
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, flag, one_of, record, text
from recollect.making.steps import Drop, Given, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise
from recollect.worlds.dealing import Dealer

LENGTHS = (10, 12, 14)
"""Messages of a talk about the user."""
CANDIDATES = 4
"""Conversation types that a talk may choose from."""
CATEGORIES = (
    *("unnatural", "unsupported", "mislabelled", "duplicated", "statement_not_needed", "same_answer_everywhere"),
    *("time_not_in_statements", "both_can_hold", "order_dependent", "vague", "content"),
)
"""Why a set is rejected."""


def _of_preference(sight: Sight, part: str) -> Given:
    (relation, subtype), one = progress.planned(sight)[part], progress.kept(sight)[part]
    fixed = subtype == "contradictory"
    return {
        **definitions(),
        "profile": progress.person(sight).profile,
        "topic": one.topic,
        "preference": one.text,
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


def _of_case(sight: Sight, part: str) -> Given:
    (relation, subtype), one = progress.planned(sight)[part], progress.kept(sight)[part]
    made = sight.of(progress.CASE, part)
    return {
        **definitions(),
        "profile": progress.person(sight).profile,
        "preference": one.text,
        "case": shown({"about": made["description"], "statements": made["facts"]}),
        "relation": named(relation, subtype),
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
    """The sets that passed, none twice, each with what its talks will be like."""
    drops, seen, names = list[Drop](), dict[tuple[str, str], str](), list[str]()
    for part in progress.planned(sight):
        problem = _unfit(sight, part, seen)
        if problem is None:
            names.append(part)
        else:
            drops.append(Drop(part, *problem))
    dealt = Dealt(Random(f"{progress.person(sight).settings.seed}:{progress.person(sight).persona_id}:talks"))
    return Ruled({part: _case(sight, part, dealt) for part in names}, tuple(drops))


def _unfit(sight: Sight, part: str, seen: dict[tuple[str, str], str]) -> tuple[str, str] | None:
    """Why a set is left out: check and problem."""
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


def _case(sight: Sight, part: str, dealt: Dealt) -> Case:
    made: Mapping[str, Any] = sight.of(progress.CASE, part)
    relation, subtype = progress.planned(sight)[part]
    return Case(
        preference=progress.kept(sight)[part],
        relation_type=relation,
        relation_subtype=subtype,
        description=made["description"],
        facts=tuple(made["facts"]),
        briefs=dealt.briefs(len(made["facts"])),
    )


class Dealt:
    """What talks are like, dealt out evenly over a person."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._types, self._flows, self._lengths, self._levels = (Dealer(rng) for _ in range(4))

    def briefs(self, count: int) -> tuple[Brief, ...]:
        """Of one case: each talk prefers another type."""
        preferred: list[str] = []
        for _ in range(count):
            preferred.append(self._types.deal(TYPES, avoid=preferred))
        return tuple(self._brief(kind, preferred) for kind in preferred)

    def _brief(self, kind: str, preferred: Sequence[str]) -> Brief:
        others = self._rng.sample([one for one in TYPES if one not in preferred], CANDIDATES - 1)
        return Brief(
            candidates=tuple((one, self._flow(one)) for one in (kind, *others)),
            messages=self._lengths.deal(LENGTHS),
            signal=self._levels.deal(LEVELS),
        )

    def _flow(self, kind: str) -> str:
        return self._flows.deal([(kind, flow) for flow in kinds()[kind].flows])[1]


STAGES: tuple[Stage, ...] = (
    each(
        step(progress.CASE, given=_of_preference, shape=_case_shape, checks=CASE_CHECKS),
        lambda sight: list(progress.planned(sight)),
        progress.most_preferences,
        needed=False,
    ),
    each(
        step(progress.CASE_FILTER, given=_of_case, shape=_filter_shape, checks=CASE_FILTER_CHECKS),
        lambda sight: list(sight.parts(progress.CASE)),
        progress.most_preferences,
        needed=False,
    ),
    Rule(name=progress.CASES, make=cases),
)
"""A set that is not made, not decided on or not accepted is left out, and its preference with it."""

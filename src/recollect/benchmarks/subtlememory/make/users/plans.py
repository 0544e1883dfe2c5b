"""Which preferences of a person are taken, under which topics, and which relation each will have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.specs import relation_plan
from recollect.benchmarks.subtlememory.items import RELATIONS, SUBTYPES
from recollect.benchmarks.subtlememory.make.calling import LABEL, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import content, identifying, offensive
from recollect.benchmarks.subtlememory.make.relations import aliases, definitions, meanings, topic_of
from recollect.benchmarks.subtlememory.make.sources.persons import Preference
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import PLAN_CHECKS, TOPIC_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import Kept
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import WHOLE, Drop, Given, Item, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise

TOGETHER = 20
"""Preferences of one call."""


def _calls(item: Item) -> int:
    return -(-len(item.data.preferences) // TOGETHER)


def _together(sight: Sight, part: str) -> Sequence[Preference]:
    first = int(part[1:]) * TOGETHER
    return progress.person(sight).preferences[first : first + TOGETHER]


def _of_preferences(sight: Sight, part: str) -> Given:
    found = _together(sight, part)
    return {
        "preferences": shown([{"preference_id": one.preference_id, "preference": one.text} for one in found]),
        "known": shown(sorted(set(aliases().values()))),
        "ids": [one.preference_id for one in found],
    }


def _topic_shape(given: Given) -> Schema:
    one = record(preference_id=one_of(given["ids"]), topic=text(1, LABEL))
    return record(topics=array(one, 1, 2 * len(given["ids"])))


def preferences(sight: Sight) -> Ruled:
    """The preferences that cases are made of: under one name for each topic, none twice, at most as many as wanted."""
    who, drops = progress.person(sight), list[Drop]()
    topics = {
        one["preference_id"]: topic_of(one["topic"])
        for reply in sight.parts(progress.TOPICS).values()
        for one in reply["topics"]
    }
    found: dict[str, Kept] = {}
    for one in who.preferences:
        problem = _unfit(one, topics, found)
        if problem is not None:
            drops.append(problem)
        else:
            found[one.preference_id] = Kept(
                preference_id=one.preference_id, text=one.text, topic=topics[one.preference_id]
            )
    names = _limited(list(found), sight)
    return Ruled({name: one for name, one in found.items() if name in names}, tuple(drops))


def _unfit(one: Preference, topics: dict[str, str], found: dict[str, Kept]) -> Drop | None:
    """Why a preference is left out."""
    name = one.preference_id
    if name not in topics:
        return Drop(name, "no_topic", f"it was sorted under no topic: {one.text}")
    if problem := next(chain(identifying(one.text), offensive(one.text)), None):
        return Drop(name, "content", problem)
    twin = next((other for other in found.values() if _same(one.text, other.text)), None)
    return Drop(name, "duplicate", f"it says what `{twin.text}` says: {one.text}") if twin else None


def _same(one: str, other: str) -> bool:
    return normalise(one) == normalise(other) or (bool(content(one)) and content(one) == content(other))


def _limited(names: Sequence[str], sight: Sight) -> frozenset[str]:
    who = progress.person(sight)
    most = who.settings.preferences or len(names)
    return frozenset(Random(f"{who.settings.seed}:{who.persona_id}:limit").sample(names, min(most, len(names))))


def _of_plan(sight: Sight, _: str) -> Given:
    found = progress.kept(sight)
    wanted = relation_plan(len(found))
    relations: dict[str, Any] = dict.fromkeys(RELATIONS, 0)
    for subtype, count in wanted.items():
        relations[SUBTYPES[subtype]] += count
    return {
        **definitions(),
        "subtypes": meanings(),
        "profile": progress.person(sight).profile,
        "preferences": shown(
            [{"preference_id": one.preference_id, "topic": one.topic, "preference": one.text} for one in found.values()]
        ),
        "counts": shown({"relations": relations, "sub-types": wanted}),
        "wanted": wanted,
        "ids": list(found),
    }


def _plan_shape(given: Given) -> Schema:
    one = record(
        preference_id=one_of(given["ids"]),
        relation_type=one_of(RELATIONS),
        relation_subtype=one_of(tuple(SUBTYPES)),
        planning_reason=text(0, SENTENCE),
    )
    return record(planned_relations=array(one, 1, 2 * len(given["ids"])))


STAGES: tuple[Stage, ...] = (
    each(
        step(progress.TOPICS, given=_of_preferences, shape=_topic_shape, checks=TOPIC_CHECKS),
        lambda sight: [f"t{number:02d}" for number in range(_calls(sight.item))],
        _calls,
        needed=False,
    ),
    Rule(name=progress.KEPT, make=preferences),
    replace(
        step(progress.PLAN, given=_of_plan, shape=_plan_shape, checks=PLAN_CHECKS),
        parts=lambda sight: [WHOLE] if progress.kept(sight) else [],
    ),
)
"""A person without a plan is rejected; a preference without a topic is left out."""

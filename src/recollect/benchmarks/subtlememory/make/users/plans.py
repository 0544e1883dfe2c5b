"""Which preferences of a person are used, under which topics, and which relation each gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

from recollect.benchmarks.subtlememory.generate.cases.specs import relation_plan
from recollect.benchmarks.subtlememory.items import RELATIONS, SUBTYPES
from recollect.benchmarks.subtlememory.make.calling import LABEL, SENTENCE, step
from recollect.benchmarks.subtlememory.make.checks import identifying, offensive
from recollect.benchmarks.subtlememory.make.relations import aliases, definitions, meanings, topic_of
from recollect.benchmarks.subtlememory.make.sources.persons import Preference
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.users.checks import PLAN_CHECKS, TOPIC_CHECKS
from recollect.benchmarks.subtlememory.make.users.progress import TopicPreference
from recollect.making.calling import each, shown
from recollect.making.schema import Schema, array, one_of, record, text
from recollect.making.steps import WHOLE, Drop, Given, Item, Rule, Ruled, Sight, Stage
from recollect.text.normal import normalise
from recollect.worlds.checks import substance

BATCH = 20
"""Preferences per call."""


def _batches(item: Item) -> int:
    return -(-len(item.data.preferences) // BATCH)


def _topics_given(sight: Sight, part: str) -> Given:
    first = int(part[1:]) * BATCH
    found = progress.person(sight).preferences[first : first + BATCH]
    return {
        "preferences": shown([{"preference_id": one.preference_id, "preference": one.text} for one in found]),
        "known": shown(sorted(set(aliases().values()))),
        "ids": [one.preference_id for one in found],
    }


def _topics_shape(given: Given) -> Schema:
    topic = record(preference_id=one_of(given["ids"]), topic=text(1, LABEL))
    return record(topics=array(topic, 1, 2 * len(given["ids"])))


def preferences(sight: Sight) -> Ruled:
    """The preferences that cases are made from: one spelling per topic, no duplicates, at most as many as wanted."""
    person, drops = progress.person(sight), list[Drop]()
    topics = {
        row["preference_id"]: topic_of(row["topic"])
        for reply in sight.parts(progress.TOPICS).values()
        for row in reply["topics"]
    }
    found: dict[str, TopicPreference] = {}
    for one in person.preferences:
        name = one.preference_id
        if drop := _unfit(one, topics, found):
            drops.append(drop)
        else:
            found[name] = TopicPreference(preference_id=name, text=one.text, topic=topics[name])
    most = min(person.settings.preferences or len(found), len(found))
    names = set(Random(f"{person.settings.seed}:{person.persona_id}:limit").sample(list(found), most))
    return Ruled({name: one for name, one in found.items() if name in names}, tuple(drops))


def _unfit(one: Preference, topics: Mapping[str, str], found: Mapping[str, TopicPreference]) -> Drop | None:
    name, words = one.preference_id, substance(one.text)
    if name not in topics:
        return Drop(name, "no_topic", f"it was sorted under no topic: {one.text}")
    if problem := next(chain(identifying(one.text), offensive(one.text)), None):
        return Drop(name, "content", problem)
    for other in found.values():
        if normalise(one.text) == normalise(other.text) or (words and words == substance(other.text)):
            return Drop(name, "duplicate", f"it says what `{other.text}` says: {one.text}")
    return None


def _plan_given(sight: Sight, _: str) -> Given:
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
    relation = record(
        preference_id=one_of(given["ids"]),
        relation_type=one_of(RELATIONS),
        relation_subtype=one_of(tuple(SUBTYPES)),
        planning_reason=text(0, SENTENCE),
    )
    return record(planned_relations=array(relation, 1, 2 * len(given["ids"])))


STAGES: tuple[Stage, ...] = (
    each(
        step(progress.TOPICS, given=_topics_given, shape=_topics_shape, checks=TOPIC_CHECKS),
        lambda sight: [f"t{number:02d}" for number in range(_batches(sight.item))],
        _batches,
        needed=False,
    ),
    Rule(name=progress.KEPT, make=preferences),
    replace(
        step(progress.PLAN, given=_plan_given, shape=_plan_shape, checks=PLAN_CHECKS),
        parts=lambda sight: [WHOLE] if progress.kept(sight) else [],
    ),
)
"""A person without a plan is rejected; a preference without a topic is left out."""

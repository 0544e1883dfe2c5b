"""Which traits a user's cases are made of: each in one case at most, relations in even shares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import Topic, Trait
from recollect.benchmarks.subtlememory.generate.dealing import relation_plan
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.domain.errors import UsageError

CONFLICT = "contradictory"
MOST = {"K>1": 3, "any_one": 3, "Temporal": 4, "Context": 3, CONFLICT: 2}
"""Most facts of a case about the user."""
DRAWN = (2, 3)
"""Facts of a case that may have several, where the settings leave it open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """What a case will be about."""

    subtype: str
    topic: Topic
    traits: tuple[Trait, ...]
    """One; several where all are needed."""
    facts: int


def draw_specs(
    topics: Sequence[Topic], settings: GenerationSettings, rng: Random, profile: str = ""
) -> tuple[Spec, ...]:
    """All cases of one user, in seeded order.

    Args:
        topics: Where traits are drawn from.
        settings: How many cases there are, of how many facts.
        rng: Draws which.
        profile: Of the user; a trait whose values it mentions is left out.

    Raises:
        UsageError: The topics have too few traits.
    """
    pool = _Pool(topics, settings, rng, profile.casefold())
    plan = relation_plan(settings.related_cases)
    specs = [pool.spec(subtype) for subtype in sorted(plan, key=_choosy) for _ in range(plan[subtype])]
    return tuple(rng.sample(specs, len(specs)))


def _choosy(subtype: str) -> bool:
    """Conflicts come first, since they cannot do with every trait."""
    return subtype != CONFLICT


class _Pool:
    """The traits that no case of a user has yet."""

    def __init__(self, topics: Sequence[Topic], settings: GenerationSettings, rng: Random, text: str) -> None:
        self._topics, self._settings, self._rng = topics, settings, rng
        self._free = {
            topic.topic: rng.sample(untold, len(untold))
            for topic in topics
            if (untold := [trait for trait in topic.traits if not _told(trait, text)])
        }
        there = sum(map(len, self._free.values()))
        needed = settings.related_cases + relation_plan(settings.related_cases)["K>1"]
        self._spare = there - needed
        """Traits beyond two for each case of several, and one for each other."""
        if self._spare < 0:
            raise UsageError(
                f"{settings.related_cases} cases about the user need {needed} traits, and the catalogue has {there} "
                "for this person. Ask for fewer with `related_cases`."
            )

    def spec(self, subtype: str) -> Spec:
        """The next case; one of three traits only as long as the others have enough."""
        topic = self._roomiest(subtype)
        free = self._free[topic.topic]
        facts = min(self._settings.variants or self._rng.choice(DRAWN), MOST[subtype])
        if subtype != "K>1":
            trait = next(one for one in reversed(free) if _suits(one, subtype))
            free.remove(trait)
            facts = min(facts, self._ways(trait)) if subtype == "any_one" else facts
            return Spec(subtype=subtype, topic=topic, traits=(trait,), facts=facts)
        facts = min(facts, 2 + self._spare, len(free))
        if facts < 2:
            raise UsageError("a case needs two traits of one topic. Ask for fewer cases with `related_cases`.")
        self._spare -= facts - 2
        return Spec(subtype=subtype, topic=topic, traits=tuple(free.pop() for _ in range(facts)), facts=facts)

    def _ways(self, trait: Trait) -> int:
        """In how many threads every value of a trait shows."""
        return min(len(one.held_out if self._settings.held_out else one.showings) for one in trait.values)

    def _roomiest(self, subtype: str) -> Topic:
        """A topic with most traits left, one of which at least suits the sub-type."""
        open_to = {name: len(free) for name, free in self._free.items() if any(_suits(one, subtype) for one in free)}
        if not open_to:
            raise UsageError(f"no trait is left for a case of `{subtype}`. Ask for fewer cases with `related_cases`.")
        most = max(open_to.values())
        return self._rng.choice([topic for topic in self._topics if open_to.get(topic.topic) == most])


def _suits(trait: Trait, subtype: str) -> bool:
    return subtype != CONFLICT or bool(trait.rivals)


def _told(trait: Trait, text: str) -> bool:
    return any(re.search(rf"\b{re.escape(value.value.casefold())}\b", text) for value in trait.values)

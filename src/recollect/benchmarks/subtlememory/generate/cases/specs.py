"""Specifications of cases: relations in even shares, no trait in two cases, kinds of entities balanced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, Property, Topic, Trait, ValueWords
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import FOLDED, RELATIONS, SUBTYPES
from recollect.domain.errors import UsageError
from recollect.worlds.dealing import Dealer, shares

SEVERAL, CONFLICT = "K>1", "contradictory"
MOST = {SEVERAL: 3, "any_one": 3, "Temporal": 4, "Context": 3, CONFLICT: 2}
"""Most facts of a case about the user."""
USER_DRAWN = (2, 3)
"""Facts of a case that may have several, where the settings leave it open."""
LIST, SUM, CHAIN = "list", "sum", "chain"
DRAWN = {LIST: (2, 3, 4), SUM: (2, 3), CHAIN: (2, 3, 4), "any_one": (2, 3), "Temporal": (3, 4), "Context": (2, 3)}
"""Facts of a case that a question needs or chooses among, where the settings leave it open."""
_who = re.compile(r"Who (?!do |does |did |has |have |had |will |would |can |is \{|was \{|are \{)")
"""A question whose rest says what somebody is or does."""


def relation_plan(count: int) -> dict[str, int]:
    """Sub-type -> how many of *count* cases: even over relations, then over their sub-types.

    What does not divide goes to nuanced first, then to contradictory; within a relation in the order of `SUBTYPES`.

    Source:
        SubtleMemory, construction of user-related cases: relation plan.
    """
    order = ("nuanced", "contradictory", "complementary")
    relations = shares(count, order)
    planned: dict[str, int] = {}
    for relation in RELATIONS:
        planned |= shares(relations[relation], [one for one, of in SUBTYPES.items() if of == relation])
    return {subtype: planned[subtype] for subtype in SUBTYPES}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSpec:
    """Specification of a case."""

    subtype: str
    topic: Topic
    traits: tuple[Trait, ...]
    """One; several where all are needed."""
    facts: int


def draw_user_specs(
    topics: Sequence[Topic], settings: GenerationSettings, rng: Random, profile: str = ""
) -> tuple[UserSpec, ...]:
    """All cases about one user, in seeded order; a trait whose values the *profile* mentions is left out.

    Conflicts are drawn first, since they cannot do with every trait.

    Raises:
        UsageError: The topics have too few traits.
    """
    pool = _Pool(topics, settings, rng, profile.casefold())
    plan = relation_plan(settings.related_cases)
    conflicts_first = sorted(plan, key=lambda subtype: subtype != CONFLICT)
    specs = [pool.spec(subtype) for subtype in conflicts_first for _ in range(plan[subtype])]
    return tuple(rng.sample(specs, len(specs)))


class _Pool:
    """Traits of a user that no case has used yet."""

    def __init__(self, topics: Sequence[Topic], settings: GenerationSettings, rng: Random, text: str) -> None:
        self._topics, self._settings, self._rng = topics, settings, rng
        self._free: dict[str, list[Trait]] = {}
        for topic in topics:
            unmentioned = [trait for trait in topic.traits if not any(_mentions(text, one) for one in trait.values)]
            self._free[topic.topic] = rng.sample(unmentioned, len(unmentioned))
        available = sum(map(len, self._free.values()))
        needed = settings.related_cases + relation_plan(settings.related_cases)[SEVERAL]
        self._spare = available - needed
        """Traits that are left if each case of several has two, and each other one."""
        if self._spare < 0:
            raise UsageError(
                f"{settings.related_cases} cases about the user need {needed} traits, and the catalogue has "
                f"{available} for this person. Ask for fewer with `related_cases`."
            )

    def spec(self, subtype: str) -> UserSpec:
        """The next case; one of three traits only while the others have enough."""
        # a topic with most traits left, at least one of which suits the sub-type
        open_to = {name: len(free) for name, free in self._free.items() if any(_can_be(one, subtype) for one in free)}
        if not open_to:
            raise UsageError(f"no trait is left for a case of `{subtype}`. Ask for fewer cases with `related_cases`.")
        most = max(open_to.values())
        topic = self._rng.choice([topic for topic in self._topics if open_to.get(topic.topic) == most])
        free = self._free[topic.topic]
        facts = min(self._settings.variants or self._rng.choice(USER_DRAWN), MOST[subtype])
        if subtype != SEVERAL:
            trait = next(one for one in reversed(free) if _can_be(one, subtype))
            free.remove(trait)
            if subtype == "any_one":  # each time in another thread, so no oftener than every value shows
                held_out = self._settings.held_out
                facts = min(facts, *(len(one.held_out if held_out else one.showings) for one in trait.values))
            return UserSpec(subtype=subtype, topic=topic, traits=(trait,), facts=facts)
        facts = min(facts, 2 + self._spare, len(free))
        if facts < 2:
            raise UsageError("a case needs two traits of one topic. Ask for fewer cases with `related_cases`.")
        self._spare -= facts - 2
        return UserSpec(subtype=subtype, topic=topic, traits=tuple(free.pop() for _ in range(facts)), facts=facts)


def _can_be(trait: Trait, subtype: str) -> bool:
    return subtype != CONFLICT or bool(trait.rivals)


def _mentions(text: str, value: ValueWords) -> bool:
    return re.search(rf"\b{re.escape(value.value.casefold())}\b", text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSpec:
    """Specification of a case."""

    subtype: str
    """As the files spell it; of a conflict, who makes the two claims."""
    form: str
    """Folded sub-type; of several facts, how they go together: `list`, `sum` or `chain`."""
    kind: Kind
    told: Property
    facts: int


def chained(one: Property) -> tuple[str, ...]:
    """Phrases for the person that a property names: `the person who founded {entity}`, `the founder of {entity}`."""
    if one.kind != "person":
        return ()
    phrases = (f"the person who {asked[4:].rstrip('?')}" for asked in one.asked if _who.match(asked))
    return tuple(phrase.replace("the person who is the ", "the ") for phrase in phrases)


def draw_world_specs(kinds: Sequence[Kind], settings: GenerationSettings, rng: Random) -> tuple[WorldSpec, ...]:
    """All cases about the world of one person, in seeded order.

    Raises:
        UsageError: No kind has what a case needs.
    """
    forms, kind_dealer, properties = Dealer(rng), Dealer(rng), Dealer(rng)
    wanted: list[tuple[str, str]] = []
    for subtype, count in relation_plan(settings.unrelated_cases).items():
        for _ in range(count):
            raw = forms.deal(tuple(FOLDED)) if subtype == CONFLICT else subtype
            wanted.append((raw, forms.deal((LIST, SUM, CHAIN)) if subtype == SEVERAL else subtype))
    rng.shuffle(wanted)
    specs = []
    for subtype, form in wanted:
        suited = {kind.kind: [one for one in kind.properties if _suits(form, one)] for kind in kinds}
        names = [name for name, found in suited.items() if found]
        if not names:
            raise UsageError(f"the catalogue has no kind of entity for `{form}`. Ask for no `unrelated_cases`.")
        chosen = kind_dealer.deal(names)
        name = properties.deal([(form, chosen, one.name) for one in suited[chosen]])[2]
        told = next(one for one in suited[chosen] if one.name == name)
        kind = next(one for one in kinds if one.kind == chosen)
        if form == CONFLICT:
            facts = MOST[CONFLICT]
        elif settings.variants:
            facts = min(max(settings.variants, DRAWN[form][0]), DRAWN[form][-1])
        else:
            facts = rng.choice(DRAWN[form])
        specs.append(WorldSpec(subtype=subtype, form=form, kind=kind, told=told, facts=facts))
    return tuple(specs)


def _suits(form: str, one: Property) -> bool:
    """Whether a property can be told so; only values that exclude each other make a conflict."""
    return {
        LIST: True,
        SUM: one.kind == "number" and bool(one.adds_up),
        CHAIN: bool(chained(one)),
        "any_one": True,
        "Temporal": one.changes,
        "Context": len(one.editions) > 1,
        CONFLICT: one.exclusive and not one.changes,
    }[form]

"""What cases about the world are made of: relations in even shares, and kinds of entities dealt out evenly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue import Kind, Property
from recollect.benchmarks.subtlememory.generate.dealing import relation_plan
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import FOLDED
from recollect.domain.errors import UsageError
from recollect.worlds.dealing import Dealer

LIST, SUM, CHAIN = "list", "sum", "chain"
SEVERAL, CONFLICT = "K>1", "contradictory"
DRAWN = {LIST: (2, 3, 4), SUM: (2, 3), CHAIN: (2, 3, 4), "any_one": (2, 3), "Temporal": (3, 4), "Context": (2, 3)}
"""Facts of a case that a question needs or chooses among, where the settings leave it open."""
_who = re.compile(r"Who (?!do |does |did |has |have |had |will |would |can |is \{|was \{|are \{)")
"""A question whose rest says what somebody is or does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """What a case will be about."""

    subtype: str
    """As the files spell it; of a conflict, who makes the two claims."""
    form: str
    """Folded sub-type; of several facts, how they go together: `list`, `sum` or `chain`."""
    kind: Kind
    told: Property
    facts: int


def chained(one: Property) -> tuple[str, ...]:
    """Phrases for the person whom a property names: `the person who founded {entity}`, `the founder of {entity}`."""
    if one.kind != "person":
        return ()
    phrases = (f"the person who {asked[4:].rstrip('?')}" for asked in one.asked if _who.match(asked))
    return tuple(phrase.replace("the person who is the ", "the ") for phrase in phrases)


def draw_specs(kinds: Sequence[Kind], settings: GenerationSettings, rng: Random) -> tuple[Spec, ...]:
    """All cases about the world of one person, in seeded order.

    Args:
        kinds: What there is to tell of.
        settings: How many cases there are, of how many facts.
        rng: Draws which.

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
    by_name = {kind.kind: kind for kind in kinds}
    specs = []
    for subtype, form in wanted:
        suited = {kind.kind: [one for one in kind.properties if _suits(form, one)] for kind in kinds}
        names = [name for name, found in suited.items() if found]
        if not names:
            raise UsageError(f"the catalogue has no kind of entity for `{form}`. Ask for no `unrelated_cases`.")
        chosen = kind_dealer.deal(names)
        name = properties.deal([(form, chosen, one.name) for one in suited[chosen]])[2]
        told = next(one for one in suited[chosen] if one.name == name)
        kind = by_name[chosen]
        specs.append(Spec(subtype=subtype, form=form, kind=kind, told=told, facts=_facts(form, settings, rng)))
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


def _facts(form: str, settings: GenerationSettings, rng: Random) -> int:
    """How many; the settings have a say where the form allows it."""
    if form == CONFLICT:
        return 2
    drawn = DRAWN[form]
    return min(max(settings.variants, drawn[0]), drawn[-1]) if settings.variants else rng.choice(drawn)

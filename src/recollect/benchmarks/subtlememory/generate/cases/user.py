"""Cases about the user: traits drawn from the catalogue, told in sessions, asked for in forms and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import NamedTuple, TypeAlias

from recollect.benchmarks.subtlememory.generate.blind import Balance
from recollect.benchmarks.subtlememory.generate.cases.requests import (
    FORM,
    RESOURCES,
    Aim,
    Draft,
    asked_and_answered,
    draft,
)
from recollect.benchmarks.subtlememory.generate.cases.specs import CONFLICT, SEVERAL, UserSpec, draw_user_specs
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Condition, Topic, Trait, topics
from recollect.benchmarks.subtlememory.generate.catalogue.words import case_words
from recollect.benchmarks.subtlememory.generate.plans import CasePlan, Persona, SessionPlan
from recollect.benchmarks.subtlememory.generate.sessions.briefs import Held, UserBriefs
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import RELATED, SUBTYPES
from recollect.worlds.dealing import Dealer
from recollect.worlds.patterns import draw, filled

DESIGNS = 32
"""Designs of a case from which one is picked, so that its questions do not give themselves away."""
SEASONS = 6
"""Parts of the span; a stretch lasts for one."""
TRIES = 200
"""Draws of a trait's stretches before one may come in two seasons."""


_Design: TypeAlias = tuple[tuple[Held, ...], tuple[Draft, ...]]


def user_cases(
    persona: Persona, settings: GenerationSettings, rng: Random, catalogue: Sequence[Topic] | None = None
) -> tuple[CasePlan, ...]:
    """All cases about one user, of the bundled catalogue if none is given; no trait is in two of them.

    Raises:
        UsageError: The catalogue has too few traits.
    """
    specs = draw_user_specs(topics() if catalogue is None else catalogue, settings, rng, persona.persona_str)
    maker = _CaseMaker(persona, settings, rng)
    return tuple(maker.make(f"u{place:03d}", spec) for place, spec in enumerate(specs))


class _CaseMaker:
    """Makes the cases about one user; everything is balanced over all of them."""

    def __init__(self, persona: Persona, settings: GenerationSettings, rng: Random) -> None:
        self._name, self._rng = persona.first_name, rng
        self._calendar, self._forms = Calendar(settings, rng), Dealer(rng)
        self._briefs, self._balance = UserBriefs(settings, rng), Balance(rng)

    def make(self, key: str, spec: UserSpec) -> CasePlan:
        """The case of a spec; guesses never answer a conflict, so there the first design is taken."""
        rng, name = self._rng, self._name
        dated = self._calendar.draw(spec.traits[0], spec.facts) if spec.subtype == "Temporal" else ()
        forms = _forms(spec, self._forms)
        count = 1 if spec.subtype == CONFLICT else DESIGNS
        designs = [_design(spec, dated, forms, Random(rng.getrandbits(64))) for _ in range(count)]
        held, drafts = self._balance.pick(spec.subtype, designs, lambda one: [draft.asked for draft in one[1]])
        fields = " and ".join(trait.field.lower() for trait in spec.traits)
        topic = spec.topic
        summary = filled(case_words().summaries[spec.subtype], {"name": name, "fields": fields})
        facts = _facts(held, name, rng)
        qas = tuple(asked_and_answered(draft, name, rng) for draft in drafts)
        briefs = self._briefs.deal(topic.threads, held)
        spans: list[tuple[str | None, str | None]] = [(one.starts, one.ends) for one in dated]
        spans = spans or [(None, None)] * len(briefs)
        return CasePlan(
            key=key,
            source=RELATED,
            topic=topic.topic,
            domain=topic.domain,
            relation_type=SUBTYPES[spec.subtype],
            relation_subtype=spec.subtype,
            case=summary,
            facts=facts,
            qas=qas,
            sessions=tuple(
                SessionPlan(brief=brief, starts=starts, ends=ends)
                for brief, (starts, ends) in zip(briefs, spans, strict=True)
            ),
            used={f"trait {place}": f"{topic.topic}: {trait.name}" for place, trait in enumerate(spec.traits, 1)},
        )


def _forms(spec: UserSpec, dealer: Dealer) -> tuple[str, ...]:
    """Lists combine two traits at most; of two questions one has each form."""
    if spec.facts > 2 and spec.subtype == SEVERAL:
        return (FORM,)
    if spec.subtype == SEVERAL:
        return (RESOURCES,)
    if SUBTYPES[spec.subtype] == "nuanced":
        return (FORM, RESOURCES)
    kind = dealer.deal([f"{form} of {spec.subtype}" for form in (FORM, RESOURCES)])
    return (kind.partition(" ")[0],)


def _design(spec: UserSpec, dated: Sequence[Dated], forms: Sequence[str], rng: Random) -> _Design:
    """Values of the user and questions about them."""
    held = _held(spec, dated, rng)
    values = tuple(one.value for one in held)
    if SUBTYPES[spec.subtype] == "nuanced":
        aims = [
            Aim(
                traits=spec.traits,
                right=(one.value,),
                rivals=tuple(value for value in values if value is not one.value),
                condition=one.condition,
                lasting=one.lasting,
            )
            for one in rng.sample(held, len(forms))
        ]
    elif spec.subtype == "any_one":
        aims = [Aim(traits=spec.traits, right=values[:1])]
    else:
        aims = [Aim(traits=spec.traits, right=values, conflict=spec.subtype == CONFLICT)]
    return held, tuple(draft(form, aim, rng) for form, aim in zip(forms, aims, strict=True))


def _held(spec: UserSpec, dated: Sequence[Dated], rng: Random) -> tuple[Held, ...]:
    if spec.subtype == SEVERAL:
        return tuple(Held(trait=one.name, value=rng.choice(one.values)) for one in spec.traits)
    trait = spec.traits[0]
    if spec.subtype == "any_one":
        return (Held(trait=trait.name, value=rng.choice(trait.values)),) * spec.facts
    if spec.subtype == CONFLICT:
        rivals = rng.sample(rng.choice(trait.rivals), 2)
        return tuple(Held(trait=trait.name, value=value, opposed=True) for value in rivals)
    shown = [Held(trait=trait.name, value=value) for value in rng.sample(trait.values, spec.facts)]
    conditions = [one.stretch for one in dated] or rng.sample(trait.conditions, spec.facts)
    return tuple(
        replace(one, condition=condition, lasting=bool(dated)) for one, condition in zip(shown, conditions, strict=True)
    )


def _facts(held: Sequence[Held], name: str, rng: Random) -> tuple[str, ...]:
    """Each fact in a sentence; no sentence twice as long as there are others."""
    said: list[str] = []
    for one in held:
        patterns = rng.sample(one.value.facts, len(one.value.facts))
        wordings = [draw(pattern, rng, {"name": name}) for pattern in patterns]
        fact = next((each for each in wordings if each not in said), wordings[0])
        if one.condition is not None:
            fact = f"{fact.rstrip('.')} {draw(one.condition.fact, rng, {'name': name})}."
        said.append(fact)
    return tuple(said)


class Dated(NamedTuple):
    """A stretch with its dates."""

    stretch: Condition
    starts: str
    """`YYYY-MM-DD`."""
    ends: str
    """Its last day."""


class Calendar:
    """Dates of the stretches of a person's life; a stretch shared by several traits has one date, if possible."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings, self._rng = settings, rng
        self._seasons: dict[str, int] = {}

    def draw(self, trait: Trait, count: int) -> tuple[Dated, ...]:
        """So many stretches that affect a trait, far apart in time, in the order of time."""
        draws = (self._draw(trait, count) for _ in range(TRIES))
        fitting = (one for one in draws if all(self._seasons.get(name.said, at) == at for name, at in one))
        drawn = next(fitting, None) or self._draw(trait, count)
        start, end = date.fromisoformat(self._settings.start), date.fromisoformat(self._settings.end)
        found: list[Dated] = []
        for stretch, season in drawn:
            self._seasons.setdefault(stretch.said, season)
            first, after = (
                start + timedelta(days=round(at * (end - start).days / SEASONS)) for at in (season, season + 1)
            )
            last = max(after - timedelta(days=1), first)
            found.append(Dated(stretch=stretch, starts=first.isoformat(), ends=last.isoformat()))
        return tuple(found)

    def _draw(self, trait: Trait, count: int) -> list[tuple[Condition, int]]:
        step = SEASONS // count
        first = self._rng.randrange(SEASONS - step * (count - 1))
        drawn = self._rng.sample(trait.stretches, count)
        return [(one, first + place * step) for place, one in enumerate(drawn)]

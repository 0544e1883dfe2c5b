"""Cases about the user: traits drawn from the catalogue, told in sessions, asked for in forms and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from recollect.benchmarks.subtlememory.generate.answers import correct_answers, incorrect_answers
from recollect.benchmarks.subtlememory.generate.balance import Balance
from recollect.benchmarks.subtlememory.generate.briefs import CasePlan, Persona, SessionPlan
from recollect.benchmarks.subtlememory.generate.catalogue import Topic, ValueWords, topics
from recollect.benchmarks.subtlememory.generate.drafts import FORM, RESOURCES, Aim, Draft, draft
from recollect.benchmarks.subtlememory.generate.forms import query
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.stretches import Calendar, Dated
from recollect.benchmarks.subtlememory.generate.tellings import Held
from recollect.benchmarks.subtlememory.generate.user_briefs import UserBriefs
from recollect.benchmarks.subtlememory.generate.user_plans import CONFLICT, Spec, draw_specs
from recollect.benchmarks.subtlememory.items import RELATED, SUBTYPES, Asked, Qa
from recollect.worlds.dealing import Dealer
from recollect.worlds.patterns import draw

DESIGNS = 32
"""Designs of a case from which one is picked, so that its questions do not give themselves away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    held: tuple[Held, ...]
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deal:
    """Who the user is, and what is dealt out over all their cases."""

    persona: Persona
    settings: GenerationSettings
    rng: Random
    calendar: Calendar
    forms: Dealer
    briefs: UserBriefs
    balance: Balance


def user_cases(
    persona: Persona, settings: GenerationSettings, rng: Random, catalogue: Sequence[Topic] | None = None
) -> tuple[CasePlan, ...]:
    """All cases about one user; no trait is in two of them.

    Args:
        persona: Who the user is.
        settings: How many cases, and how they are told.
        rng: The only source of randomness.
        catalogue: Topics with their traits; the bundled ones if not given.

    Raises:
        UsageError: The catalogue has too few traits.
    """
    specs = draw_specs(topics() if catalogue is None else catalogue, settings, rng, persona.persona_str)
    deal = _Deal(
        persona=persona,
        settings=settings,
        rng=rng,
        calendar=Calendar(settings, rng),
        forms=Dealer(rng),
        briefs=UserBriefs(settings, rng),
        balance=Balance(rng),
    )
    return tuple(_case(f"u{place:03d}", spec, deal) for place, spec in enumerate(specs))


def _case(key: str, spec: Spec, deal: _Deal) -> CasePlan:
    rng, name = deal.rng, deal.persona.first_name
    dated = deal.calendar.draw(spec.traits[0], spec.facts) if spec.subtype == "Temporal" else ()
    forms = _forms(spec, deal.forms)
    designs = [_design(spec, dated, forms, Random(rng.getrandbits(64))) for _ in range(_designs(spec))]
    design = deal.balance.pick(spec.subtype, designs, _asked)
    return CasePlan(
        key=key,
        source=RELATED,
        topic=spec.topic.topic,
        domain=spec.topic.domain,
        relation_type=SUBTYPES[spec.subtype],
        relation_subtype=spec.subtype,
        case=_summary(spec, name),
        facts=_facts(design.held, name, rng),
        qas=tuple(_qa(one, name, rng) for one in design.drafts),
        sessions=_sessions(spec, design.held, dated, deal.briefs),
        used={f"trait {place}": f"{spec.topic.topic}: {trait.name}" for place, trait in enumerate(spec.traits, 1)},
    )


def _designs(spec: Spec) -> int:
    """Guesses never answer a conflict, so the first design will do."""
    return 1 if spec.subtype == CONFLICT else DESIGNS


def _asked(design: _Design) -> list[Asked]:
    return [one.asked for one in design.drafts]


def _forms(spec: Spec, dealer: Dealer) -> tuple[str, ...]:
    """Lists combine two traits at most; of two questions one has each form."""
    if spec.facts > 2 and spec.subtype == "K>1":
        return (FORM,)
    if spec.subtype == "K>1":
        return (RESOURCES,)
    if SUBTYPES[spec.subtype] == "nuanced":
        return (FORM, RESOURCES)
    kind = dealer.deal([f"{form} of {spec.subtype}" for form in (FORM, RESOURCES)])
    return (kind.partition(" ")[0],)


def _design(spec: Spec, dated: Sequence[Dated], forms: Sequence[str], rng: Random) -> _Design:
    held = _held(spec, dated, rng)
    values = tuple(one.value for one in held)
    if SUBTYPES[spec.subtype] == "nuanced":
        targets = rng.sample(held, len(forms))
        aims = [_aim(spec, one, values) for one in targets]
    elif spec.subtype == "any_one":
        aims = [Aim(traits=spec.traits, right=values[:1])]
    else:
        aims = [Aim(traits=spec.traits, right=values, conflict=spec.subtype == CONFLICT)]
    return _Design(held=held, drafts=tuple(draft(form, aim, rng) for form, aim in zip(forms, aims, strict=True)))


def _held(spec: Spec, dated: Sequence[Dated], rng: Random) -> tuple[Held, ...]:
    if spec.subtype == "K>1":
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


def _aim(spec: Spec, target: Held, values: Sequence[ValueWords]) -> Aim:
    rivals = tuple(value for value in values if value is not target.value)
    return Aim(
        traits=spec.traits,
        right=(target.value,),
        rivals=rivals,
        condition=target.condition,
        lasting=target.lasting,
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


def _qa(one: Draft, name: str, rng: Random) -> Qa:
    return Qa(
        query=query(one, rng),
        correct_answers=correct_answers(one, name, rng),
        incorrect_answers=incorrect_answers(one, rng),
        asked=one.asked,
    )


def _sessions(spec: Spec, held: Sequence[Held], dated: Sequence[Dated], briefs: UserBriefs) -> tuple[SessionPlan, ...]:
    made = briefs.deal(spec.topic.threads, held)
    if not dated:
        return tuple(SessionPlan(brief=brief) for brief in made)
    return tuple(
        SessionPlan(brief=brief, starts=when.starts, ends=when.ends) for brief, when in zip(made, dated, strict=True)
    )


def _summary(spec: Spec, name: str) -> str:
    fields = " and ".join(trait.field.lower() for trait in spec.traits)
    return {
        "K>1": f"What suits {name} takes several things together: {fields}.",
        "any_one": f"{name} tells the same of {fields} more than once, in different words.",
        "Temporal": f"What suits {name} in {fields} changes from one stretch of time to the next.",
        "Context": f"What suits {name} in {fields} depends on the situation.",
        "contradictory": f"What {name} tells of {fields} does not go together.",
    }[spec.subtype]

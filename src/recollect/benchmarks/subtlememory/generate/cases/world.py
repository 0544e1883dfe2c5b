"""Cases about the world: invented entities, told in sessions and asked for by what relates the facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from recollect.benchmarks.subtlememory.generate.cases.dated import of_dates
from recollect.benchmarks.subtlememory.generate.cases.specs import (
    CHAIN,
    CONFLICT,
    LIST,
    SUM,
    WorldSpec,
    draw_world_specs,
)
from recollect.benchmarks.subtlememory.generate.cases.stories import (
    of_all,
    of_each,
    of_editions,
    of_one,
    of_steps,
    of_two_minds,
)
from recollect.benchmarks.subtlememory.generate.cases.story import TASK, Story, World
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, kinds
from recollect.benchmarks.subtlememory.generate.catalogue.words import world_words
from recollect.benchmarks.subtlememory.generate.plans import CasePlan, Persona, SessionPlan
from recollect.benchmarks.subtlememory.generate.sessions.briefs import WorldBriefs
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import FOLDED, SUBTYPES, UNRELATED
from recollect.worlds.names import Inventor
from recollect.worlds.patterns import filled, listed

FEWER = "Ask for fewer with `unrelated_cases`."
_TELLS: Mapping[str, Callable[[WorldSpec, World], Story]] = {
    LIST: of_each,
    SUM: of_all,
    CHAIN: of_steps,
    "any_one": of_one,
    "Temporal": of_dates,
    "Context": of_editions,
    CONFLICT: of_two_minds,
}
"""Form of a case -> its maker."""


def world_cases(
    persona: Persona, settings: GenerationSettings, rng: Random, catalogue: Sequence[Kind] | None = None
) -> tuple[CasePlan, ...]:
    """All cases about the world of one person; no entity is in two of them, nor in those of another person.

    Raises:
        UsageError: The catalogue lacks what a case needs, or there are more cases than names can be invented.
    """
    specs = draw_world_specs(kinds() if catalogue is None else catalogue, settings, rng)
    world = World(settings=settings, rng=rng, inventor=Inventor(persona.persona_id, rng, remedy=FEWER))
    briefs = WorldBriefs(settings, rng)
    return tuple(_case(f"w{place:03d}", spec, world, briefs) for place, spec in enumerate(specs))


def _case(key: str, spec: WorldSpec, world: World, briefs: WorldBriefs) -> CasePlan:
    story = _TELLS[spec.form](spec, world)
    made = briefs.deal(spec.kind, story.claims, story.groups, story.roles)
    names = story.entities[: story.wanted]
    slots = {"property": spec.told.name, "entity": names[0], "entities": listed(names)}
    # a question may name the task of the session that tells its date
    task = TASK if story.anchored is None else made[story.anchored].thread.task
    sessions: list[SessionPlan] = []
    for group, brief in zip(story.groups, made, strict=True):
        starts = [story.starts[fact] for fact in group if fact in story.starts]
        sessions.append(SessionPlan(brief=brief, starts=max(starts, default=None)))
    return CasePlan(
        key=key,
        source=UNRELATED,
        topic=spec.kind.topic,
        domain=spec.kind.domain,
        relation_type=SUBTYPES[FOLDED.get(spec.subtype, spec.subtype)],
        relation_subtype=spec.subtype,
        case=filled(world_words().summaries[spec.form], slots),
        facts=tuple(claim.text for claim in story.claims),
        qas=tuple(replace(one, query=one.query.replace(TASK, task)) for one in story.qas),
        sessions=tuple(sessions),
        used={f"entity {place}": f"{spec.kind.kind}: {name}" for place, name in enumerate(story.entities, 1)},
    )

"""Cases about the world as data of their own: persons of whom nothing is known hold so many each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from recollect.benchmarks.subtlememory.generate.assembly import Names
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.plans import Persona
from recollect.benchmarks.subtlememory.generate.schedule import Slot, schedule, span_of
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.histories import NAME, dataset_of
from recollect.benchmarks.subtlememory.items import RELATIONS, UNRELATED, Bundle, Instance, Talk
from recollect.benchmarks.subtlememory.make.seeds import FAMILIES
from recollect.benchmarks.subtlememory.make.world_case import WorldCase, case_of
from recollect.benchmarks.subtlememory.make.world_settings import WorldSettings
from recollect.benchmarks.subtlememory.make.world_tasks import WorldTask
from recollect.contracts.benchmark import Dataset
from recollect.domain.errors import DataError, UsageError
from recollect.making.steps import Item, Sight


def world_cases(made: Mapping[str, Sight]) -> tuple[WorldCase, ...]:
    """The cases that were made, in the order of their keys."""
    return tuple(case_of(made[key]) for key in sorted(made))


def world_dataset(of: Sequence[Item], made: Mapping[str, Sight], seed: int, maker: str) -> Dataset:
    """The cases that were made, dealt to invented persons; the origin names sources and licences.

    Raises:
        DataError: No case was made.
    """
    if not made:
        raise DataError("no case was made; the log of rejects says why", NAME)
    tasks: list[WorldTask] = [item.data for item in of]
    bundles = world_bundles(world_cases(made), tasks[0].settings, seed)
    return dataset_of(bundles, _told(tasks, made, seed, maker))


def world_bundles(cases: Sequence[WorldCase], settings: WorldSettings, seed: int) -> tuple[Bundle, ...]:
    """A person for so many cases, all of a relation dealt evenly; `merge` gives them to others.

    Raises:
        DataError: More persons are needed than there are.
    """
    count = -(-len(cases) // settings.cases_per_person)
    try:
        personas = draw_personas(count, seed)
    except UsageError as error:
        raise DataError(str(error), NAME, fix="Raise `cases_per_person`.") from None
    ordered = sorted(cases, key=lambda case: (RELATIONS.index(case.relation_type), case.relation_subtype, case.key))
    return tuple(
        _bundle(persona, ordered[number::count], number, settings.laid_out(count), seed)
        for number, persona in enumerate(personas)
    )


def _bundle(
    persona: Persona, cases: Sequence[WorldCase], number: int, settings: GenerationSettings, seed: int
) -> Bundle:
    names = Names(folder=f"persona_{number}", seed=f"subtlememory world {seed} {persona.persona_id}")
    known = {case.key: case for case in cases}
    slots = [
        Slot(case=case.key, place=place, related=False, topic=case.topic)
        for case in cases
        for place in range(len(case.talks))
    ]
    talks = tuple(
        _talk(known[slot.case], slot, persona, names, (order, moment))
        for order, (slot, moment) in enumerate(_timed(slots, settings, number, names.seed))
    )
    return Bundle(key=names.folder, talks=talks, instances=tuple(_instance(case, persona, names) for case in cases))


def _timed(
    slots: Sequence[Slot], settings: GenerationSettings, number: int, seed: str
) -> tuple[tuple[Slot, datetime], ...]:
    """Sessions with their times; gaps shrink until they can be kept, for what was paid for is not lost over them."""
    gaps = [(sessions, settings.gap_days) for sessions in range(settings.gap_sessions, -1, -1)]
    for sessions, days in (*gaps, *((0, days) for days in range(settings.gap_days - 1, -1, -1))):
        tried = replace(settings, gap_sessions=sessions, gap_days=days)
        try:
            return schedule(slots, tried, span_of(tried, number), Random(f"{seed}:schedule"))
        except UsageError:
            continue
    raise DataError(f"{len(slots)} sessions cannot be laid out from {settings.start} to {settings.end}", NAME)


def _talk(case: WorldCase, slot: Slot, persona: Persona, names: Names, at: tuple[int, datetime]) -> Talk:
    talk = case.talks[slot.place]
    return Talk(
        order=at[0],
        persona_id=persona.persona_id,
        session_id=names.session(UNRELATED, case.key, slot.place + 1),
        timestamp=at[1].isoformat(),
        source=UNRELATED,
        case_id=names.case(UNRELATED, case.key),
        conversation_type=talk.conversation_type,
        conversation_flow=talk.conversation_flow,
        persona_signal_level=None,
        history=talk.history,
    )


def _instance(case: WorldCase, persona: Persona, names: Names) -> Instance:
    return Instance(
        instance_id=names.instance(UNRELATED, case.key),
        persona_id=persona.persona_id,
        persona_str=persona.persona_str,
        source=UNRELATED,
        case_id=names.case(UNRELATED, case.key),
        topic=case.topic,
        relation_type=case.relation_type,
        relation_subtype=case.relation_subtype,
        case=case.case,
        facts=case.facts,
        qas=case.qas,
        session_ids=tuple(names.session(UNRELATED, case.key, place) for place in range(1, len(case.talks) + 1)),
    )


def _told(tasks: Sequence[WorldTask], made: Mapping[str, Sight], seed: int, maker: str) -> str:
    asked = Counter(task.seed.family for task in tasks)
    there = Counter(case.family for case in world_cases(made))
    sources = "; ".join(
        f"{there[name]} of {asked[name]} of {family.title}, {family.licence}"
        for name, family in FAMILIES.items()
        if asked[name]
    )
    return f"made with seed {seed} by {maker}: {len(made)} of {len(tasks)} cases about the world: {sources}"

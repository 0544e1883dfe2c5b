"""One person's bundle: cases planned, sessions written and laid out in time, everything named as in published files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib.util import find_spec
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, CasePlan, Persona
from recollect.benchmarks.subtlememory.generate.distractors import distractors
from recollect.benchmarks.subtlememory.generate.schedule import Slot, schedule, span_of
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.user_cases import user_cases
from recollect.benchmarks.subtlememory.generate.writer import write_session
from recollect.benchmarks.subtlememory.items import RELATED, Bundle, Instance, Qa, Talk

_WORLD = "recollect.benchmarks.subtlememory.generate.world_cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Ids of one person's parts in the shapes of the published files; none spells what a case is."""

    folder: str
    seed: str

    def hex(self, *parts: object) -> str:
        """Twelve digits that stand for *parts*."""
        return blake2b(" ".join((self.seed, *map(str, parts))).encode(), digest_size=6).hexdigest()

    def case(self, source: str, key: str) -> str:
        """Id of a case."""
        return f"{_short(source)}-export-{self.hex('case', key)}"

    def instance(self, source: str, key: str) -> str:
        """Id of the instance that holds the questions of a case."""
        return f"{_short(source)}-{self.hex('instance', key)}"

    def session(self, source: str, key: str, number: int) -> str:
        """Id of the session of a case that comes so many-th, from 1."""
        return f"{_short(source)}-{self.folder}-{self.case(source, key)}-s{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    """A session with what its row says beside the talk."""

    source: str
    key: str
    """Of its case."""
    brief: Brief
    slot: Slot


def bundle(number: int, persona: Persona, settings: GenerationSettings, seed: int) -> Bundle:
    """All of one person; nothing of it depends on the others.

    Args:
        number: Of the person, from 0.
        persona: Who it is.
        settings: How many cases, how they are told and laid out.
        seed: Of everything that is drawn.

    Raises:
        UsageError: The catalogue has too little for so many cases, or gaps and dates cannot be kept.
    """
    base = f"subtlememory {seed} {persona.persona_id}"
    names = Names(folder=f"persona_{number}", seed=base)
    cases = (
        *user_cases(persona, settings, Random(f"{base}:user")),
        *_world_cases(persona, settings, Random(f"{base}:world")),
    )
    sessions = [*_of_cases(cases), *_of_none(cases, settings, Random(f"{base}:distractors"))]
    talks, ids = _laid_out(sessions, persona, settings, names)
    return Bundle(
        key=names.folder,
        talks=talks,
        instances=tuple(_instance(case, persona, ids[case.key], names) for case in cases),
    )


def _world_cases(persona: Persona, settings: GenerationSettings, rng: Random) -> tuple[CasePlan, ...]:
    if find_spec(_WORLD) is None:
        return ()
    from recollect.benchmarks.subtlememory.generate.world_cases import world_cases

    return world_cases(persona, settings, rng)


def _of_cases(cases: Sequence[CasePlan]) -> list[_Session]:
    return [
        _Session(
            source=case.source,
            key=case.key,
            brief=plan.brief,
            slot=Slot(
                case=case.key,
                place=place,
                related=case.source == RELATED,
                topic=case.topic,
                starts=plan.starts,
                ends=plan.ends,
            ),
        )
        for case in cases
        for place, plan in enumerate(case.sessions)
    ]


def _of_none(cases: Sequence[CasePlan], settings: GenerationSettings, rng: Random) -> list[_Session]:
    count = round(settings.distractors * sum(len(case.sessions) for case in cases))
    return [
        _Session(
            source=source,
            key=(key := f"d{place:03d}"),
            brief=brief,
            slot=Slot(case=key, place=0, related=source == RELATED, topic=topic),
        )
        for place, (source, topic, brief) in enumerate(distractors(count, rng))
    ]


def _laid_out(
    sessions: Sequence[_Session], persona: Persona, settings: GenerationSettings, names: Names
) -> tuple[tuple[Talk, ...], dict[str, list[str]]]:
    """Talks in the order of time, and the ids of the sessions of each case."""
    number = int(names.folder.rpartition("_")[2])
    of_slot = {(one.key, one.slot.place): one for one in sessions}
    times = schedule(
        [one.slot for one in sessions], settings, span_of(settings, number), Random(f"{names.seed}:schedule")
    )
    talks: list[Talk] = []
    ids: dict[str, list[str]] = {}
    for order, (slot, moment) in enumerate(times):
        one = of_slot[slot.case, slot.place]
        told = ids.setdefault(one.key, [])
        told.append(names.session(one.source, one.key, len(told) + 1))
        brief = one.brief
        talks.append(
            Talk(
                order=order,
                persona_id=persona.persona_id,
                session_id=told[-1],
                timestamp=moment.isoformat(),
                source=one.source,
                case_id=names.case(one.source, one.key),
                conversation_type=brief.thread.conversation_type,
                conversation_flow=brief.thread.flow,
                persona_signal_level=brief.signal,
                history=write_session(brief, Random(f"{names.seed}:{one.key}:{slot.place}")),
            )
        )
    return tuple(talks), ids


def _instance(case: CasePlan, persona: Persona, sessions: Sequence[str], names: Names) -> Instance:
    return Instance(
        instance_id=names.instance(case.source, case.key),
        persona_id=persona.persona_id,
        persona_str=persona.persona_str,
        source=case.source,
        case_id=names.case(case.source, case.key),
        topic=case.topic,
        relation_type=case.relation_type,
        relation_subtype=case.relation_subtype,
        case=case.case,
        facts=case.facts,
        qas=tuple(_placed(qa, case.domain) for qa in case.qas),
        session_ids=tuple(sessions),
    )


def _short(source: str) -> str:
    """As ids begin: `related` or `unrelated`."""
    return source.removeprefix("user-")


def _placed(qa: Qa, domain: str) -> Qa:
    return replace(qa, asked=replace(qa.asked, domain=domain)) if qa.asked is not None else qa

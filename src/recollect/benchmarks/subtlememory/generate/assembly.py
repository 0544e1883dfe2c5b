"""One person's bundle: cases planned, sessions written and laid out in time, everything named as in published files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from random import Random

from recollect.benchmarks.subtlememory.generate.cases.user import user_cases
from recollect.benchmarks.subtlememory.generate.cases.world import world_cases
from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, Topic, kinds, topics
from recollect.benchmarks.subtlememory.generate.plans import Brief, CasePlan, Persona
from recollect.benchmarks.subtlememory.generate.schedule import Slot, schedule, span_of
from recollect.benchmarks.subtlememory.generate.sessions.briefs import USER_LENGTHS
from recollect.benchmarks.subtlememory.generate.sessions.writer import write_session
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import LEVELS, RELATED, UNRELATED, Bundle, Instance, Qa, Talk, Turn
from recollect.worlds.driver import Draws, Generator

SHORTER = (6, 8, 10, 12, 14)
"""Messages of a session about the world."""
Histories = Mapping[tuple[str, int], tuple[Turn, ...]]
"""Case and place of a session -> its messages."""


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
class _Session(Slot):
    """A session before it has its time."""

    source: str
    brief: Brief


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    number: int
    """Of the person, from 0."""
    persona: Persona
    cases: tuple[CasePlan, ...]
    sessions: tuple[_Session, ...]
    """Of all cases and of none."""


def persons(settings: GenerationSettings, seed: int) -> Generator[tuple[int, Persona], _Plan, Histories, Bundle]:
    """Makes one bundle of each person and its number; nothing of it depends on the others.

    Its `make` raises a `UsageError` where the catalogue has too little, or gaps and dates cannot be kept.
    """

    def plan(subject: tuple[int, Persona], draws: Draws) -> _Plan:
        number, persona = subject
        about_user = user_cases(persona, settings, draws.of("user"))
        cases = (*about_user, *world_cases(persona, settings, draws.of("world")))
        sessions = (*_of_cases(cases), *_of_none(cases, settings, draws.of("distractors")))
        return _Plan(number=number, persona=persona, cases=cases, sessions=sessions)

    def assemble(plan: _Plan, histories: Histories, draws: Draws) -> Bundle:
        span = span_of(settings, plan.number)
        names = Names(folder=f"persona_{plan.number}", seed=draws.seed)
        ids: dict[str, list[str]] = defaultdict(list)
        talks = []
        for order, (session, moment) in enumerate(schedule(plan.sessions, settings, span, draws.of("schedule"))):
            ids[session.case].append(names.session(session.source, session.case, len(ids[session.case]) + 1))
            thread = session.brief.thread
            talks.append(
                Talk(
                    order=order,
                    persona_id=plan.persona.persona_id,
                    session_id=ids[session.case][-1],
                    timestamp=moment.isoformat(),
                    source=session.source,
                    case_id=names.case(session.source, session.case),
                    conversation_type=thread.conversation_type,
                    conversation_flow=thread.flow,
                    persona_signal_level=session.brief.signal,
                    history=histories[session.case, session.place],
                )
            )
        instances = tuple(_instance(case, plan.persona, ids[case.key], names) for case in plan.cases)
        return Bundle(key=names.folder, talks=tuple(talks), instances=instances)

    return Generator(
        seed=lambda subject: f"subtlememory {seed} {subject[1].persona_id}", plan=plan, tell=_told, assemble=assemble
    )


def _told(plan: _Plan, draws: Draws) -> Histories:
    return {(one.case, one.place): write_session(one.brief, draws.of(one.case, one.place)) for one in plan.sessions}


def _of_cases(cases: Sequence[CasePlan]) -> list[_Session]:
    return [
        _Session(
            case=case.key,
            place=place,
            related=case.source == RELATED,
            topic=case.topic,
            starts=plan.starts,
            ends=plan.ends,
            source=case.source,
            brief=plan.brief,
        )
        for case in cases
        for place, plan in enumerate(case.sessions)
    ]


def _of_none(cases: Sequence[CasePlan], settings: GenerationSettings, rng: Random) -> list[_Session]:
    """Sessions of no case, in turn about the user and about the world: talk of the same topics that tells nothing."""
    count = round(settings.distractors * sum(len(case.sessions) for case in cases))
    return [_distractor(f"d{place:03d}", (RELATED, UNRELATED)[place % 2], rng) for place in range(count)]


def _distractor(key: str, source: str, rng: Random) -> _Session:
    related = source == RELATED
    given: tuple[Topic | Kind, ...] = topics() if related else kinds()
    topic = rng.choice(given)
    brief = Brief(
        tellings=(),
        thread=rng.choice(topic.threads),
        messages=rng.choice(USER_LENGTHS if related else SHORTER),
        signal=rng.choice(LEVELS) if related else None,
    )
    return _Session(case=key, place=0, related=related, topic=topic.topic, source=source, brief=brief)


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

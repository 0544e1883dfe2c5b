"""Complete persons made of generated cases: sessions laid out in time, ids assigned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from recollect.benchmarks.subtlememory.generate.assembly import Names
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.schedule import Slot, schedule, span_of
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.histories import NAME
from recollect.benchmarks.subtlememory.items import RELATED, RELATIONS, UNRELATED, Bundle, Instance, Qa, Talk
from recollect.benchmarks.subtlememory.make.settings import WorldSettings, laid_out
from recollect.benchmarks.subtlememory.make.users import progress
from recollect.benchmarks.subtlememory.make.world.case import Dialogue, MadeCase
from recollect.benchmarks.subtlememory.make.world.progress import CASE
from recollect.benchmarks.subtlememory.rows import turns_of
from recollect.domain.errors import DataError, UsageError
from recollect.making.steps import Sight

NUANCED = "nuanced"


def bundle_of_user(sight: Sight, seed: int) -> Bundle:
    """The person that was made.

    Args:
        sight: Results of all steps.
        seed: Draws which question of a case is asked, and when its sessions take place.
    """
    who = progress.person(sight)
    asked: Mapping[str, Sequence[Qa]] = sight.of(progress.ASKED)
    return _Layout(
        persona_id=who.persona_id,
        profile=who.profile,
        number=who.number,
        source=RELATED,
        names=Names(folder=f"persona_{who.number}", seed=f"subtlememory made {who.persona_id}"),
        settings=laid_out(who.settings, who.persons),
        seed=f"{seed}:{who.persona_id}:times",
    ).bundle([_case_of_user(sight, part, qas, f"{seed}:{who.persona_id}:{part}") for part, qas in asked.items()])


def _case_of_user(sight: Sight, part: str, qas: Sequence[Qa], seed: str) -> MadeCase:
    """A case with the questions that are asked: all where the condition decides, else one."""
    case = progress.cases(sight)[part]
    dialogues: list[Dialogue] = []
    for place, brief in enumerate(case.briefs):
        reply = sight.of(progress.SESSIONS[place], part)
        kind = reply["selected_conversation_type"]
        dialogues.append(
            Dialogue(
                conversation_type=kind,
                conversation_flow=dict(brief.candidates)[kind],
                signal=brief.signal,
                history=turns_of(reply["messages"]),
            )
        )
    return MadeCase(
        key=part,
        topic=case.preference.topic,
        relation_type=case.relation_type,
        relation_subtype=case.relation_subtype,
        case=case.description,
        facts=case.facts,
        qas=tuple(qas) if case.relation_type == NUANCED else (Random(f"{seed}:sample").choice(qas),),
        dialogues=tuple(dialogues),
    )


def world_cases(made: Mapping[str, Sight]) -> tuple[MadeCase, ...]:
    """The cases that were made, in the order of their keys."""
    return tuple(made[key].of(CASE) for key in sorted(made))


def world_bundles(cases: Sequence[MadeCase], settings: WorldSettings, seed: int) -> tuple[Bundle, ...]:
    """Invented persons with an even share of the cases of each relation; `merge` gives the cases to others.

    Raises:
        DataError: More persons are needed than the catalogue has.
    """
    count = -(-len(cases) // settings.cases_per_person)
    try:
        personas = draw_personas(count, seed)
    except UsageError as error:
        raise DataError(str(error), NAME, fix="Raise `cases_per_person`.") from None
    ordered = sorted(cases, key=lambda case: (RELATIONS.index(case.relation_type), case.relation_subtype, case.key))
    found: list[Bundle] = []
    for number, persona in enumerate(personas):
        names = Names(folder=f"persona_{number}", seed=f"subtlememory world {seed} {persona.persona_id}")
        layout = _Layout(
            persona_id=persona.persona_id,
            profile=persona.persona_str,
            number=number,
            source=UNRELATED,
            names=names,
            settings=laid_out(settings, count),
            seed=f"{names.seed}:schedule",
        )
        found.append(layout.bundle(ordered[number::count]))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """How the cases of one person are named and laid out."""

    persona_id: str
    profile: str
    number: int
    """Among all persons."""
    source: str
    """`user-related` or `user-unrelated`."""
    names: Names
    settings: GenerationSettings
    seed: str
    """Draws the times."""

    def bundle(self, cases: Sequence[MadeCase]) -> Bundle:
        """The person with these cases."""
        known = {case.key: case for case in cases}
        slots = [
            Slot(case=case.key, place=place, related=self.source == RELATED, topic=case.topic)
            for case in cases
            for place in range(len(case.dialogues))
        ]
        talks: list[Talk] = []
        for order, (slot, moment) in enumerate(self._timed(slots)):
            dialogue = known[slot.case].dialogues[slot.place]
            talk = Talk(
                order=order,
                persona_id=self.persona_id,
                session_id=self.names.session(self.source, slot.case, slot.place + 1),
                timestamp=moment.isoformat(),
                source=self.source,
                case_id=self.names.case(self.source, slot.case),
                conversation_type=dialogue.conversation_type,
                conversation_flow=dialogue.conversation_flow,
                persona_signal_level=dialogue.signal,
                history=dialogue.history,
            )
            talks.append(talk)
        return Bundle(key=self.names.folder, talks=tuple(talks), instances=tuple(map(self._instance, cases)))

    def _timed(self, slots: Sequence[Slot]) -> tuple[tuple[Slot, datetime], ...]:
        """Sessions with their times; gaps shrink until they can be kept, so that nothing paid for is lost."""
        most, days = self.settings.gap_sessions, self.settings.gap_days
        for sessions, apart in [(n, days) for n in range(most, -1, -1)] + [(0, n) for n in range(days - 1, -1, -1)]:
            tried = replace(self.settings, gap_sessions=sessions, gap_days=apart)
            try:
                return schedule(slots, tried, span_of(tried, self.number), Random(self.seed))
            except UsageError:
                continue
        span = f"from {self.settings.start} to {self.settings.end}"
        raise DataError(f"{len(slots)} sessions cannot be laid out {span}", NAME)

    def _instance(self, case: MadeCase) -> Instance:
        places = range(1, len(case.dialogues) + 1)
        return Instance(
            instance_id=self.names.instance(self.source, case.key),
            persona_id=self.persona_id,
            persona_str=self.profile,
            source=self.source,
            case_id=self.names.case(self.source, case.key),
            topic=case.topic,
            relation_type=case.relation_type,
            relation_subtype=case.relation_subtype,
            case=case.case,
            facts=case.facts,
            qas=case.qas,
            session_ids=tuple(self.names.session(self.source, case.key, place) for place in places),
        )

"""A small catalogue of invented kinds, cases made of it, and what a person would object to in a case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import CasePlan
from recollect.benchmarks.subtlememory.generate.catalogue import Kind, read_file
from recollect.benchmarks.subtlememory.generate.catalogue_words import content
from recollect.benchmarks.subtlememory.generate.personas import draw_personas
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.threads import Exchange, Occasions, Tell
from recollect.benchmarks.subtlememory.generate.world_cases import world_cases
from recollect.benchmarks.subtlememory.items import Asked
from recollect.text.dates.absolute import find_absolute
from recollect.text.normal import normalise

from tests.unit.benchmarks.subtlememory.generate.made import moments, topics, word

ROLES = {
    "a_user_vs_user": ["user", "user"],
    "b_user_vs_non_user": ["user", "assistant"],
    "c_non_user_vs_non_user": ["assistant", "assistant"],
}


@cache
def festivals() -> tuple[Kind, ...]:
    """One kind with a property of each sort: a choice with editions, a number that changes, a person, a place."""
    kind = read_file(Path(__file__).parent / "data" / "kite_festival.json", Kind)
    names = [one.name for one in kind.properties]
    threads = [
        replace(thread, tells=tuple(_tell(name, at) for name in names))
        for at, thread in enumerate(topics(1)[0].threads)
    ]
    return (replace(kind, threads=tuple(threads)),)


def _tell(of: str, at: int) -> Tell:
    """A step that tells a property; in every second thread the assistant does."""
    given = occasions(of, 5)
    one = (given.lookups if at % 2 else given.reports)[at]
    return Tell(
        of=of,
        user=one.user,
        assistant=one.assistant,
        told=f"{{entity}} has {{value}}, as the {word(of, 'told', one.user)} says.",
        held_out=f"It's {{value}} for {{entity}}, or so the {word(of, 'held', one.user)} says.",
    )


def occasions(name: str, count: int = 3) -> Occasions:
    """Exchanges in which something is told."""
    lookups = tuple(
        Exchange(user=f"And {{entity}}, {word('look', name, at)}?", assistant=f"The {word('up', name, at)}. {{said}}")
        for at in range(count)
    )
    return Occasions(reports=moments(name, count=count), lookups=lookups)


def planned(
    seed: int,
    persons: int = 1,
    catalogue: tuple[Kind, ...] | None = None,
    settings: GenerationSettings | None = None,
) -> tuple[CasePlan, ...]:
    """Cases about the world of the base size and the small catalogue, if nothing else is given."""
    return tuple(
        replace(case, key=f"{persona.persona_id} {case.key}")
        for persona in draw_personas(persons, seed)
        for case in world_cases(
            persona,
            settings or GenerationSettings(),
            Random(f"{seed} {persona.persona_id}"),
            catalogue or festivals(),
        )
    )


def of(cases: tuple[CasePlan, ...], *subtypes: str) -> list[CasePlan]:
    """Those of the given sub-types."""
    return [case for case in cases if case.relation_subtype in subtypes]


def asked(case: CasePlan) -> list[Asked]:
    """What its questions hold."""
    return [qa.asked for qa in case.qas if qa.asked is not None]


def names(text: str, value: str) -> bool:
    """Whether a text names a value."""
    return f" {normalise(value)} " in f" {normalise(text)} "


def day_of(fact: str) -> str:
    """The date behind `As of`, `YYYY-MM-DD`."""
    return next(str(found.value.exact) for found in find_absolute(fact) if found.value.exact is not None)


def objections(case: CasePlan) -> list[str]:
    """What is wrong with a case, in words."""
    return [*_told(case), *_in_sessions(case), *_claimed(case), *_asked_for(case), *_dated(case)]


def _told(case: CasePlan) -> Iterator[str]:
    told = sorted(one.fact for plan in case.sessions for one in plan.brief.tellings)
    if told != list(range(len(case.facts))):
        yield "a fact is not told once"
    if not all(_tells(one.text, case.facts[one.fact]) for plan in case.sessions for one in plan.brief.tellings):
        yield "a fact is told in other words than it has"


def _tells(text: str, fact: str) -> bool:
    """It is about the same, and its numbers all stand in the fact."""
    return bool(content(text) & content(fact)) and all(each in fact for each in re.findall(r"\d[\d,]*\d|\d", text))


def _in_sessions(case: CasePlan) -> Iterator[str]:
    facts = len(case.facts)
    pairs = {"any_one": facts, "Temporal": 1 + facts // 2}  # of what is dated, one apart and the others two by two
    wanted = pairs.get(case.relation_subtype, 2 if facts <= 4 else 3)
    if len(case.sessions) != wanted:
        yield "another number of sessions"
    if not all(1 <= len(plan.brief.tellings) <= 3 for plan in case.sessions):
        yield "not one to three facts in a session"
    if len({plan.brief.thread.conversation_type for plan in case.sessions}) < len(case.sessions):
        yield "two sessions of one type"
    for plan in case.sessions:
        said = " ".join(one.text for one in plan.brief.tellings)
        fields = list(asked(case)[0].fields.values())
        if len(fields) > 1 and all(any(names(said, value) for value in accepted) for accepted in fields):
            yield "all that is needed is told in one session"


def _claimed(case: CasePlan) -> Iterator[str]:
    roles = ROLES.get(case.relation_subtype)
    if roles and [one.role for plan in case.sessions for one in plan.brief.tellings] != roles:
        yield "a claim is made by somebody else"


def _asked_for(case: CasePlan) -> Iterator[str]:
    for qa in case.qas:
        assert qa.asked is not None
        accepted = [value for values in qa.asked.fields.values() for value in values]
        if [value for value in (*accepted, *qa.asked.others) if names(qa.query, value)]:
            yield "a question names a value"
        if set(accepted) & set(qa.asked.others):
            yield "a value is right and wrong"
        firsts = [values[0] for values in qa.asked.fields.values()]
        if len(set(firsts)) < len(firsts):
            yield "two wanted values are the same"
        for answer in qa.correct_answers:
            if [values for values in qa.asked.fields.values() if not any(names(answer, one) for one in values)]:
                yield "a right answer lacks a value"
            if [value for value in qa.asked.others if names(answer, value)]:
                yield "a right answer names what is wrong"
        for answer in qa.incorrect_answers:
            if all(any(names(answer, one) for one in values) for values in qa.asked.fields.values()):
                yield "a wrong answer is right"


def _dated(case: CasePlan) -> Iterator[str]:
    if case.relation_subtype != "Temporal":
        return
    for plan in case.sessions:
        latest = max(day_of(case.facts[one.fact]) for one in plan.brief.tellings)
        if latest > max("2025-04-01", plan.starts or ""):
            yield "a session may stand before what it tells"
    if [one.difficulty for one in asked(case)] != ["easy", "medium", "hard"]:
        yield "not one question of each difficulty"
    days = {day_of(fact) for fact in case.facts}
    for qa in case.qas[1:]:
        if days & {str(found.value.exact) for found in find_absolute(qa.query)}:
            yield "a question says a date that it must not say"

"""Cases about the world without dates: of each, of all, of one, of editions, of two minds, of steps."""

from __future__ import annotations

from recollect.benchmarks.subtlememory.generate.cases.specs import WorldSpec, chained
from recollect.benchmarks.subtlememory.generate.cases.story import (
    Reply,
    Story,
    World,
    asked,
    conflict,
    led,
    qa,
    several,
    single,
    total,
)
from recollect.benchmarks.subtlememory.generate.catalogue.words import Link, world_words
from recollect.benchmarks.subtlememory.generate.sessions.briefs import ROLES, Groups, grouped
from recollect.benchmarks.subtlememory.generate.sessions.claims import (
    Teller,
    Value,
    counted,
    draw_values,
    named,
    somebody,
)
from recollect.benchmarks.subtlememory.items import Qa
from recollect.worlds.patterns import draw, filled, listed

USER, ASSISTANT = ROLES
CLAIMED = {
    "a_user_vs_user": (USER, USER),
    "b_user_vs_non_user": (USER, ASSISTANT),
    "c_non_user_vs_non_user": (ASSISTANT, ASSISTANT),
}
"""Sub-type of a conflict -> who makes the two claims."""
QUESTIONS = (1, 2, 2)
"""How many questions a case of several editions has."""
RIVALS = 4
"""Facts with which two entities have two steps each; of fewer, one entity has one step less than there are facts."""


def of_each(spec: WorldSpec, world: World) -> Story:
    """One property of several entities, all of which are asked for at once."""
    rng, told = world.rng, spec.told
    names = tuple(world.entity(spec.kind) for _ in range(spec.facts + world.spare()))
    *values, fresh = draw_values(told, len(names) + 1, world.inventor, rng)
    teller = world.teller(told)
    claims = tuple(teller.claim(name, value) for name, value in zip(names, values, strict=True))
    entities, wanted, spare = names[: spec.facts], values[: spec.facts], values[spec.facts :]
    right = [Reply(value=one.value, text=one.text) for one in claims[: spec.facts]]
    stray = (spare or [fresh])[0]
    answers = several(entities, right, Reply(value=stray, text=teller.say(entities[-1], stray)), rng)
    question = draw(told.asked_of_all, rng, {"entities": listed(entities)})
    holds = asked(dict(zip(entities, wanted, strict=True)), spare)
    return Story(
        claims=claims,
        groups=grouped(len(claims), range(spec.facts), rng),
        qas=(qa(led(question, rng), holds, *answers),),
        entities=names,
        wanted=spec.facts,
    )


def of_all(spec: WorldSpec, world: World) -> Story:
    """One number of several entities, of which the sum is asked for."""
    rng, told = world.rng, spec.told
    names = tuple(world.entity(spec.kind) for _ in range(spec.facts + world.spare()))
    values, sums = _addends(spec, len(names), world)
    teller = world.teller(told)
    claims = tuple(teller.claim(name, value) for name, value in zip(names, values, strict=True))
    entities = names[: spec.facts]
    question = draw(told.adds_up, rng, {"entities": listed(entities)})
    spare = values[spec.facts :]
    others = (*spare, sums[1]) if spare else ()
    answers = total(entities, values[: spec.facts], sums, rng)
    return Story(
        claims=claims,
        groups=grouped(len(claims), range(spec.facts), rng),
        qas=(qa(led(question, rng), asked({"total": sums[0]}, others), *answers),),
        entities=names,
        wanted=spec.facts,
    )


def _addends(spec: WorldSpec, count: int, world: World) -> tuple[tuple[Value, ...], tuple[Value, Value]]:
    """Values with their sum and a wrong sum, none of which is another."""
    while True:
        values = draw_values(spec.told, count, world.inventor, world.rng)
        numbers = [int(value.accepted[-1]) for value in values]
        fine = sum(numbers[: spec.facts])
        off = fine + sum(numbers[spec.facts :]) or fine
        if off == fine:
            off = fine - numbers[0] if spec.facts > 2 else fine + world.rng.choice((-1, 1)) * world.rng.randint(2, 9)
        if len({fine, off, *numbers}) == count + 2:
            return values, (counted(fine), counted(off))


def of_one(spec: WorldSpec, world: World) -> Story:
    """One property of one entity, told several times."""
    rng, told, entity = world.rng, spec.told, world.entity(spec.kind)
    value, *fresh = draw_values(told, 3, world.inventor, rng)
    teller = world.teller(told)
    claims = tuple(teller.claim(entity, value) for _ in range(spec.facts))
    right, *wrong = (Reply(value=one, text=teller.say(entity, one)) for one in (value, *fresh))
    question = draw(rng.choice(told.asked), rng, {"entity": entity})
    return Story(
        claims=claims,
        groups=tuple((place,) for place in range(spec.facts)),
        qas=(qa(led(question, rng), asked({told.name: value}), *single(right, wrong, entity, rng)),),
        entities=(entity,),
    )


def of_editions(spec: WorldSpec, world: World) -> Story:
    """One property of one entity that depends on the edition; each question names one."""
    rng, told, entity = world.rng, spec.told, world.entity(spec.kind)
    editions = rng.sample(told.editions, spec.facts)
    *values, fresh = draw_values(told, spec.facts + 1, world.inventor, rng)
    teller = world.teller(told)
    claims = tuple(teller.claim(entity, value, edition.told) for edition, value in zip(editions, values, strict=True))
    questions = rng.sample(told.asked, rng.choice(QUESTIONS))
    qas: list[Qa] = []
    for target, pattern in zip(rng.sample(range(spec.facts), len(questions)), questions, strict=True):
        others = [value for value in values if value is not values[target]]
        lead = editions[target].told
        right, *wrong = (
            Reply(value=one, text=teller.say(entity, one, lead)) for one in (values[target], *others, fresh)
        )
        question = f"{draw(pattern, rng, {'entity': entity})[:-1]} {editions[target].asked}?"
        holds = asked({told.name: values[target]}, others)
        qas.append(qa(led(question, rng), holds, *single(right, wrong, entity, rng)))
    return Story(
        claims=claims,
        groups=grouped(spec.facts, range(spec.facts), rng),
        qas=tuple(qas),
        entities=(entity,),
    )


def of_two_minds(spec: WorldSpec, world: World) -> Story:
    """One property of one entity, told twice with values that exclude each other."""
    rng, told, entity = world.rng, spec.told, world.entity(spec.kind)
    first, second = draw_values(told, 2, world.inventor, rng)
    teller = world.teller(told)
    question = draw(rng.choice(told.asked), rng, {"entity": entity})
    holds = asked({"first": first, "second": second})
    return Story(
        claims=tuple(teller.claim(entity, value) for value in (first, second)),
        groups=((0,), (1,)),
        qas=(qa(led(question, rng), holds, *conflict(first, second, entity, rng)),),
        entities=(entity,),
        roles=CLAIMED[spec.subtype],
    )


def of_steps(spec: WorldSpec, world: World) -> Story:
    """Somebody of an entity, then what is told of them elsewhere, once or twice in turn."""
    rng, told = world.rng, spec.told
    rivals = spec.facts == RIVALS
    links = _links(1 if rivals else spec.facts - 1, world)
    entities, values = [], []
    for _ in range(1 + rivals):
        who = draw_values(told, 1, world.inventor, rng)
        entities.append(world.entity(spec.kind))
        values.append([*who, *(_value_of(link, world) for link in links)])
    tellers = [world.teller(told), *(Teller(link, world.settings, rng, link.moments) for link in links)]
    claims = tuple(
        teller.claim(subject, value)
        for entity, way in zip(entities, values, strict=True)
        for teller, subject, value in zip(tellers, (entity, *(value.said for value in way[:-1])), way, strict=True)
    )
    *before, value = values[0]
    others = [way[-1] for way in values[1:]]
    right, *wrong = (
        Reply(value=one, text=tellers[-1].say(before[-1].said, one))
        for one in (value, *others, _value_of(links[-1], world), _value_of(links[-1], world))
    )
    # two sessions, never with two steps in a row of one way; of two ways, either may begin
    groups: Groups = (tuple(range(0, len(links) + 1, 2)), tuple(range(1, len(links) + 1, 2)))
    if rivals:
        groups = ((0, 3), (1, 2)) if rng.random() < 0.5 else ((0, 2), (1, 3))
    phrase = draw(rng.choice(chained(told)), rng, {"entity": entities[0]})
    for link in links:
        phrase = filled(link.phrase, {"of": phrase})
    question = draw(rng.choice(world_words().missing), rng, {"phrase": phrase})
    holds = asked({links[-1].name: value}, others)
    return Story(
        claims=claims,
        groups=groups,
        qas=(qa(led(question, rng), holds, *single(right, wrong, entities[0], rng)),),
        entities=tuple(entities),
    )


def _links(count: int, world: World) -> list[Link]:
    """Steps, each starting where the one before has led."""
    links: list[Link] = []
    at = "person"
    for left in range(count, 0, -1):
        onward = (link for link in world_words().links if left == 1 or link.gives != "word")
        links.append(world.rng.choice([link for link in onward if link.of == at and link not in links]))
        at = links[-1].gives
    return links


def _value_of(link: Link, world: World) -> Value:
    if link.gives == "person":
        return somebody(world.inventor)
    if link.gives == "place":
        return named(world.inventor.town())
    word = world.inventor.word()
    return named(*dict.fromkeys((filled(link.form, {"word": word}), word)))

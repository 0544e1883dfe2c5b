"""Cases in which one fact leads to the next: from an entity to somebody, and on from there."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.benchmarks.subtlememory.generate.world_answers import Reply, asked, led, qa, single
from recollect.benchmarks.subtlememory.generate.world_plans import Spec, chained
from recollect.benchmarks.subtlememory.generate.world_sessions import Groups
from recollect.benchmarks.subtlememory.generate.world_story import Story, World
from recollect.benchmarks.subtlememory.generate.world_values import Claim, Teller, Value, draw_values, named, somebody
from recollect.benchmarks.subtlememory.generate.world_words import Link, world_words
from recollect.worlds.patterns import draw, filled

RIVALS = 4
"""Facts with which two entities have two steps each; of fewer, one entity has one step less than there are facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """From an entity to what is asked for."""

    entity: str
    values: tuple[Value, ...]
    """What each step leads to."""

    def claims(self, tellers: list[Teller]) -> tuple[Claim, ...]:
        """Each step in a sentence."""
        subjects = (self.entity, *(value.said for value in self.values))
        return tuple(
            teller.claim(subject, value) for subject, value, teller in zip(subjects, self.values, tellers, strict=False)
        )


def of_steps(spec: Spec, world: World) -> Story:
    """Somebody of an entity, then what is told of them elsewhere, once or twice in turn."""
    rng, told = world.rng, spec.told
    rivals = spec.facts == RIVALS
    links = _links(1 if rivals else spec.facts - 1, world)
    ways = [_way(spec, links, world) for _ in range(1 + rivals)]
    tellers = [world.teller(told), *(Teller(link, world.settings, rng, link.moments) for link in links)]
    claims = tuple(claim for way in ways for claim in way.claims(tellers))
    entity, *before, value = ways[0].entity, *ways[0].values
    others = [way.values[-1] for way in ways[1:]]
    right, *wrong = (
        Reply(value=one, text=tellers[-1].say(before[-1].said, one))
        for one in (value, *others, _given(links[-1], world), _given(links[-1], world))
    )
    holds = asked({links[-1].name: value}, others)
    return Story(
        claims=claims,
        groups=_apart(len(links) + 1, world, rivals=rivals),
        qas=(qa(led(_question(spec, entity, links, world), rng), holds, *single(right, wrong, entity, rng)),),
        entities=tuple(way.entity for way in ways),
    )


def _links(count: int, world: World) -> list[Link]:
    """Steps of which each starts where the one before has led to."""
    links: list[Link] = []
    at = "person"
    for left in range(count, 0, -1):
        open_to = [
            link
            for link in world_words().links
            if link.of == at and link not in links and (left == 1 or link.gives != "word")
        ]
        links.append(world.rng.choice(open_to))
        at = links[-1].gives
    return links


def _way(spec: Spec, links: list[Link], world: World) -> _Way:
    somebody_there = draw_values(spec.told, 1, world.inventor, world.rng)
    return _Way(entity=world.entity(spec.kind), values=(*somebody_there, *(_given(link, world) for link in links)))


def _given(link: Link, world: World) -> Value:
    if link.gives == "person":
        return somebody(world.inventor)
    if link.gives == "place":
        return named(world.inventor.town())
    word = world.inventor.word()
    return named(*dict.fromkeys((filled(link.form, {"word": word}), word)))


def _question(spec: Spec, entity: str, links: list[Link], world: World) -> str:
    phrase = draw(world.rng.choice(chained(spec.told)), world.rng, {"entity": entity})
    for link in links:
        phrase = filled(link.phrase, {"of": phrase})
    return draw(world.rng.choice(world_words().missing), world.rng, {"phrase": phrase})


def _apart(steps: int, world: World, *, rivals: bool) -> Groups:
    """Two sessions, with steps of one way that follow each other never in the same; of two ways, either may begin."""
    if not rivals:
        return (tuple(range(0, steps, 2)), tuple(range(1, steps, 2)))
    crossed = world.rng.random() < 0.5
    return ((0, 3), (1, 2)) if crossed else ((0, 2), (1, 3))

"""Shared parts of the cases about the world: what they draw from, questions with answers, and the resulting story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue.texts import Kind, Property
from recollect.benchmarks.subtlememory.generate.catalogue.words import world_words
from recollect.benchmarks.subtlememory.generate.sessions.briefs import Groups
from recollect.benchmarks.subtlememory.generate.sessions.claims import Claim, Teller, Value
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import Asked, Qa
from recollect.worlds.names import Inventor
from recollect.worlds.patterns import capital, draw, listed

TASK = "{task}"
"""Placeholder in a question for the task of a session, until the sessions are planned."""
SPARE = 0.5
"""Share of the cases of several facts with one more fact that is not asked for."""
KNOWLEDGE = "knowledge"
"""Form of all questions about the world."""
REQUESTS = ("Can you", "Do you")
LONGEST = 30
"""Most words of an answer; longer ones may be cut before they are judged."""
Three = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Sources of the cases of one person."""

    settings: GenerationSettings
    rng: Random
    inventor: Inventor

    def entity(self, kind: Kind) -> str:
        """The name of a new entity."""
        return draw(self.rng.choice(kind.names), self.rng, {"word": self.inventor.word()})

    def teller(self, told: Property) -> Teller:
        """Words the statements of a property."""
        return Teller(told, self.settings, self.rng)

    def spare(self) -> int:
        """Number of facts that are told but not asked for; none if the settings fix the count."""
        return int(not self.settings.variants and self.rng.random() < SPARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A case before its sessions are planned."""

    claims: tuple[Claim, ...]
    groups: Groups
    """Places of the claims by session."""
    qas: tuple[Qa, ...]
    entities: tuple[str, ...]
    """All entities invented for it; those that are asked for come first."""
    wanted: int = 1
    """How many of the entities are asked for."""
    roles: tuple[str, ...] = ()
    """Who makes each claim, where that is not left open."""
    starts: Mapping[int, str] = field(default_factory=dict)
    """Place of a claim -> the day from which on it can be told, `YYYY-MM-DD`."""
    anchored: int | None = None
    """Which session the `TASK` of a question is of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer to a question for one value."""

    value: Value
    text: str
    """The value in a whole sentence."""


def qa(query: str, asked: Asked, right: Three, wrong: Three) -> Qa:
    """A question with its answers, each beginning with a capital."""
    return Qa(
        query=capital(query),
        correct_answers=tuple(map(capital, right)),
        incorrect_answers=tuple(map(capital, wrong)),
        asked=asked,
    )


def asked(fields: dict[str, Value], others: Sequence[Value] = (), difficulty: str = "") -> Asked:
    """Key of a question without choices, so without chance."""
    return Asked(
        form=KNOWLEDGE,
        chance=0.0,
        difficulty=difficulty,
        fields={name: value.accepted for name, value in fields.items()},
        others=tuple(value.said for value in others),
    )


def led(question: str, rng: Random) -> str:
    """A question behind a lead-in, in lower case; a request stands alone."""
    if question.startswith(REQUESTS):
        return question
    pattern = rng.choice(world_words().leads)
    return capital(draw(pattern, rng, {"question": f"{question[:1].lower()}{question[1:]}"}))


def single(right: Reply, wrong: Sequence[Reply], entity: str, rng: Random) -> tuple[Three, Three]:
    """Answers that name one value: bare, as a note and in a sentence; two other values, and that nothing is known."""
    first, second = wrong[:2]
    return (
        (f"{right.value.said}.", _noted(right.value.said, rng), right.text),
        (first.text, _noted(second.value.said, rng), unknown(entity, rng)),
    )


def several(entities: Sequence[str], right: Sequence[Reply], stray: Reply, rng: Random) -> tuple[Three, Three]:
    """Answers that name a value of each entity; wrong: each has that of the next, only one is named, one is replaced.

    Each wrong answer lacks one of the values, so it can be recognised by the named values alone.
    """
    values = [reply.value.said for reply in right]
    partly = draw(rng.choice(world_words().partly), rng, {"entity": entities[0], "value": values[0]})
    first, second = rng.sample(world_words().each, 2)
    whole, other = _whole(right, rng), _whole((*right[: len(entities) - 1], stray), rng)
    return (
        (f"{_pairs(entities, values, first, rng)}.", f"{_pairs(entities, values, second, rng)}.", whole),
        (f"{_pairs(entities, [*values[1:], stray.value.said], first, rng)}.", partly, other),
    )


def total(
    entities: Sequence[str], right: Sequence[Value], sums: tuple[Value, Value], rng: Random
) -> tuple[Three, Three]:
    """Answers that name a sum; wrong: another sum, what one of them has, and that nothing is known."""
    words, (fine, off) = world_words(), sums
    parts = _pairs(entities, [one.said for one in right], words.each[0], rng)
    return (
        (
            f"{fine.said}.",
            draw(rng.choice(words.totals), rng, {"total": fine.said}),
            draw(rng.choice(words.reckoned), rng, {"parts": parts, "total": fine.said}),
        ),
        (
            draw(rng.choice(words.totals), rng, {"total": off.said}),
            _noted(right[0].said, rng),
            unknown(entities[0], rng),
        ),
    )


def conflict(first: Value, second: Value, entity: str, rng: Random) -> tuple[Three, Three]:
    """Answers that leave it open between two values; wrong: either for certain, and that nothing is known."""
    words = world_words()
    slots = {"first": first.said, "second": second.said}
    one, two, three = (draw(pattern, rng, slots) for pattern in rng.sample(words.open, 3))
    return (
        (one, two, three),
        (
            draw(rng.choice(words.settled), rng, {"value": first.said}),
            draw(rng.choice(words.resolved), rng, {"value": second.said}),
            unknown(entity, rng),
        ),
    )


def unknown(entity: str, rng: Random) -> str:
    """A claim that nothing is known."""
    return draw(rng.choice(world_words().unknown), rng, {"entity": entity})


def _noted(value: str, rng: Random) -> str:
    return draw(rng.choice(world_words().noted), rng, {"value": value})


def _whole(replies: Sequence[Reply], rng: Random) -> str:
    """Each in its sentence, or only the values in one where that gets long."""
    text = " ".join(one.text for one in replies)
    if len(text.split()) <= LONGEST:
        return text
    return draw(rng.choice(world_words().ordered), rng, {"values": listed([one.value.said for one in replies])})


def _pairs(entities: Sequence[str], values: Sequence[str], pattern: str, rng: Random) -> str:
    """Values with their entities: in a row, or as a list where the names stand first."""
    parts = [
        draw(pattern, rng, {"entity": entity, "value": value}) for entity, value in zip(entities, values, strict=True)
    ]
    return "; ".join(parts) if pattern.startswith("{entity}") else listed(parts)

"""Questions about invented entities with answers that are right, and answers that go wrong as memories do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from recollect.benchmarks.subtlememory.generate.world_values import Value, capital, listed
from recollect.benchmarks.subtlememory.generate.world_words import world_words
from recollect.benchmarks.subtlememory.items import Asked, Qa
from recollect.worlds.patterns import draw

KNOWLEDGE = "knowledge"
"""Form of all questions about the world."""
REQUESTS = ("Can you", "Do you")
LONGEST = 30
"""Words of an answer; what has more may be cut before it is judged."""
Three = tuple[str, str, str]


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
    """What the question holds: nothing to choose from, so nothing to guess."""
    return Asked(
        form=KNOWLEDGE,
        chance=0.0,
        difficulty=difficulty,
        fields={name: value.accepted for name, value in fields.items()},
        others=tuple(value.said for value in others),
    )


def led(question: str, rng: Random) -> str:
    """A question as the user comes to it, in a small letter behind other words; a request stands alone."""
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

    Each wrong answer lacks one of the values: whoever looks only at what is named finds it out.

    Args:
        entities: In the order of the question.
        right: One for each.
        stray: A wrong value for the last of them.
        rng: Of the wording.
    """
    values = [one.value.said for one in right]
    last = len(entities) - 1
    partly = draw(rng.choice(world_words().partly), rng, {"entity": entities[0], "value": values[0]})
    first, second = rng.sample(world_words().each, 2)
    whole, other = _whole(right, rng), _whole((*right[:last], stray), rng)
    return (
        (
            f"{_pairs(entities, values, first, rng)}.",
            f"{_pairs(entities, values, second, rng)}.",
            whole,
        ),
        (
            f"{_pairs(entities, [*values[1:], stray.value.said], first, rng)}.",
            partly,
            other,
        ),
    )


def total(
    entities: Sequence[str], right: Sequence[Value], sums: tuple[Value, Value], rng: Random
) -> tuple[Three, Three]:
    """Answers that name a sum; wrong: another sum, what one of them has, and that nothing is known.

    Args:
        entities: In the order of the question.
        right: What is added up.
        sums: The right and a wrong one.
        rng: Of the wording.
    """
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

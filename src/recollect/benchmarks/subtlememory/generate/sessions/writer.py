"""Writes a session: steps of a thread, and exchanges that tell facts, in an order consistent with both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations, product
from random import Random
from typing import Generic, Protocol, TypeVar

from recollect.benchmarks.subtlememory.generate.catalogue.texts import ASIDE, SAID, STEPS, Exchange, Step
from recollect.benchmarks.subtlememory.generate.catalogue.words import backs
from recollect.benchmarks.subtlememory.generate.plans import Brief, Telling
from recollect.benchmarks.subtlememory.items import Turn
from recollect.text.sentences import split
from recollect.worlds.patterns import draw
from recollect.worlds.sentences import content

USER, ASSISTANT = "user", "assistant"
ASIDES = {None: (0, 0, 1), "low": (0, 0, 1), "medium": (1, 2, 2), "high": (3, 4, 5)}
"""Persona signal -> numbers of steps that show the person, one of which is drawn."""


class Bound(Protocol):
    """Something that some steps must follow, and some precede."""

    @property
    def precedes(self) -> tuple[int, ...]:
        """Steps that may only come after it."""

    @property
    def follows(self) -> tuple[int, ...]:
        """Steps that may only come before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An exchange with all that is said in it."""

    moment: Exchange
    role: str
    text: str
    strays: bool
    """It leads away from the errand."""
    precedes: tuple[int, ...] = ()
    follows: tuple[int, ...] = ()


B = TypeVar("B", bound=Bound)
EXCHANGES = (2, 3, 4, 5)
"""Between opening and closing, of sessions of 8 to 14 messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order(Generic[B]):
    """One way to arrange a session: the steps that are kept, and where among them the others stand."""

    kept: tuple[int, ...]
    inside: tuple[B, ...]
    places: tuple[int, ...]
    """Of those, from left to right, among all exchanges."""

    @property
    def clashes(self) -> int:
        """Steps that stand on the wrong side."""
        return sum(
            sum(step in one.precedes for step in self.kept[: place - at])
            + sum(step in one.follows for step in self.kept[place - at :])
            for at, (one, place) in enumerate(zip(self.inside, self.places, strict=True))
        )

    @property
    def edges(self) -> int:
        """How many stand first or last although steps could stand there."""
        steps, exchanges = len(self.kept), len(self.kept) + len(self.places)
        open_to = range(1 if steps > 1 else 0, exchanges - 1 if steps else exchanges)
        return sum(place not in open_to for place in self.places)

    @property
    def neighbours(self) -> int:
        """How many have another before them."""
        return sum(second - first == 1 for first, second in pairwise(self.places))


def arranged(
    tellings: Sequence[Telling], steps: Sequence[Step], exchanges: int, rng: Random
) -> tuple[Step | Told, ...]:
    """So many exchanges: all that is told, and as many steps as there is room for, in their order.

    No step stands where it would forget what is told, or give it away. Then a step stands last where there is one, so
    that the closing follows its errand, and another first. What strays comes behind it, as people keep for the end
    what has nothing to do with the rest.

    Raises:
        ValueError: There is more to tell than there are exchanges, or too few steps to fill them.
    """
    together: dict[Exchange, list[Telling]] = {}
    for one in tellings:
        if one.moment is None:
            raise ValueError(f"fact {one.fact} has nowhere to be told")
        together.setdefault(one.moment, []).append(one)
    told = [
        Told(
            moment=moment,
            role=same[0].role,
            text=" ".join(one.text for one in same),
            strays=not same[0].of,
            precedes=same[0].precedes,
            follows=same[0].follows,
        )
        for moment, same in together.items()
    ]
    if not len(told) <= exchanges <= len(told) + len(steps):
        raise ValueError(f"{len(told)} moments and up to {len(steps)} steps do not fill {exchanges} exchanges")
    rng.shuffle(told)
    strays = [one for one in told if one.strays]
    inside = [one for one in told if not one.strays]
    orders = list(_orders(inside, len(steps), exchanges - len(strays)))
    rng.shuffle(orders)
    best = min(orders, key=lambda one: (one.clashes, one.edges, one.neighbours))
    order: list[Step | Told] = [steps[number] for number in best.kept]
    for place, inserted in zip(best.places, best.inside, strict=True):
        order.insert(place, inserted)
    return (*order, *strays)


def unplaced(one: Bound) -> Iterator[str]:
    """Why an exchange has no place in its thread: steps that there are not, or sessions that it fits in nowhere."""
    if unknown := sorted({*one.precedes, *one.follows} - set(range(STEPS))):
        yield f"there is no step {', '.join(map(str, unknown))}"
    for exchanges in EXCHANGES:
        if all(order.clashes for order in _orders([one], STEPS, exchanges)):
            before, after = list(one.follows), list(one.precedes)
            yield f"has no place among {exchanges} exchanges, behind {before} and ahead of {after}"


def _orders(inside: Sequence[B], steps: int, exchanges: int) -> Iterator[_Order[B]]:
    return (
        _Order(kept=kept, inside=mixed, places=places)
        for kept, mixed, places in product(
            combinations(range(steps), exchanges - len(inside)),
            permutations(inside),
            combinations(range(exchanges), len(inside)),
        )
    )


def write_session(brief: Brief, rng: Random) -> tuple[Turn, ...]:
    """The messages of a session, as many as the brief says; the user begins and the assistant ends.

    Raises:
        ValueError: There is more to tell than there are messages, or the thread is too short for them.
    """
    thread = brief.thread
    middle = arranged(brief.tellings, thread.steps, brief.messages // 2 - 2, rng)
    steps = [number for number, one in enumerate(middle) if isinstance(one, Step)]
    shown = frozenset(rng.sample(steps, min(rng.choice(ASIDES[brief.signal]), len(steps))))
    exchanges = [thread.opening, *(_spoken(one, shown=at in shown) for at, one in enumerate(middle)), thread.closing]
    words = rng.sample(backs(), len(backs()))
    for at, (before, now) in enumerate(pairwise((*middle, thread.closing)), 2):
        # an exchange behind one that strayed returns to the task first, unless its first sentence names it
        if isinstance(before, Told) and before.strays and not isinstance(now, Told):
            first, *_ = split(now.user)
            if not content(first) & content(thread.task):
                back = draw(words.pop(), rng, {"task": thread.task})
                exchanges[at] = replace(exchanges[at], user=f"{back} {exchanges[at].user}")
    return tuple(
        Turn(role=role, content=" ".join(text.split()))
        for one in exchanges
        for role, text in ((USER, one.user), (ASSISTANT, one.assistant))
    )


def _spoken(one: Step | Told, *, shown: bool) -> Exchange:
    """A step with its aside or without, or an exchange with what is told."""
    if isinstance(one, Step):
        return Exchange(user=one.user.replace(ASIDE, one.aside if shown else ""), assistant=one.assistant)
    moment = one.moment
    if one.role == USER:
        return Exchange(user=moment.user.replace(SAID, one.text), assistant=moment.assistant)
    return Exchange(user=moment.user, assistant=moment.assistant.replace(SAID, one.text))

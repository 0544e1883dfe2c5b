"""The rule-based user: its turns go by what the assistant said, and never tell a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from random import Random
from string import Template

from recollect.benchmarks.amemgym.users.integrity import Checker, checker_of
from recollect.benchmarks.amemgym.users.replies import Heard, heard
from recollect.benchmarks.amemgym.users.turns import (
    Turns,
    digest_of_turns,
    of_any_domain,
    of_the_domain,
    turns_of,
)
from recollect.domain.histories import Script
from recollect.domain.messages import Message
from recollect.text.normal import fold

VERSION = 1
SMALL_TALK = 0.15
"""Share of turns that begin with small talk."""
Parts = tuple[str, ...]
"""A turn in its parts; the last one is what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedUser:
    """A user that follows rules; the same seed, session and talk give the same turn."""

    seed: int
    small_talk: float = SMALL_TALK

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change what it says."""
        return f"scripted-user-{VERSION}:{self.seed}:{self.small_talk}:{digest_of_turns()}"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """A turn that the user has not taken in this talk, and that tells no value of the schema."""
        said = [_plain(message.text) for message in talk if message.role == "user"]
        rng = Random(f"{self.seed}:{script.session_id}:{len(said)}")
        checker, turns = checker_of(script), turns_of(script)
        reply = next((message.text for message in reversed(talk) if message.role != "user"), "")
        options = list(_options(script, heard(reply), checker, rng))
        chosen = _first_clean(options, said, checker)
        if not chosen:  # a schema may have all of our words for values, and a talk may be longer than we have words
            return "…" * len(said)
        if rng.random() >= self.small_talk:
            return chosen
        asides = [(one, chosen) for one in turns.asides if not any(before.startswith(_plain(one)) for before in said)]
        rng.shuffle(asides)
        return next((text for one in asides if not checker.findings(text := " ".join(one))), chosen)


def _first_clean(options: Sequence[Parts], said: Sequence[str], checker: Checker) -> str:
    """The first that tells nothing and is about something new; else the first that was not said in just these words."""
    new = (one for one in options if not _was_said(one[-1], said))
    again = (one for one in options if not _was_said(" ".join(one), said))
    return next((text for one in chain(new, again) if not checker.findings(text := " ".join(one))), "")


def _was_said(text: str, said: Sequence[str]) -> bool:
    """Whether a turn ended like that; small talk or thanks before it make it no other turn."""
    wanted = _plain(text)
    return any(before.endswith(wanted) for before in said)


def _options(script: Script, reply: Heard, checker: Checker, rng: Random) -> Iterator[Parts]:
    """What could be said to a reply, the most fitting first."""
    turns = turns_of(script)
    if reply.says_nothing:
        yield from _any_of(turns.silent, rng)
    elif reply.asks and not (reply.offers and reply.items):
        yield from _any_of(turns.offered if reply.offers else turns.asked, rng)
    elif reply.items:
        yield from _on_the_list(reply.items, turns, checker, rng)
    elif reply.does_not_know:
        yield from _any_of(turns.unknown, rng)
    yield from _going_on(script, turns, rng)


def _going_on(script: Script, turns: Turns, rng: Random) -> Iterator[Parts]:
    """Thanks and a follow-up: of the session's domain as long as there are any."""
    yield from _thanked(of_the_domain(script), turns, rng)
    yield from _thanked((*of_any_domain(script), *turns.follow_ups), turns, rng)
    rest = list(product(turns.thanks, turns.follow_ups))
    yield from rng.sample(rest, len(rest))


def _any_of(turns: Sequence[str], rng: Random) -> Iterator[Parts]:
    return ((one,) for one in rng.sample(turns, len(turns)))


def _thanked(turns: Sequence[str], pool: Turns, rng: Random) -> Iterator[Parts]:
    """Thanks stand before bare questions; a turn of more sentences begins in its own way."""
    bare = set(pool.follow_ups)
    for one in rng.sample(turns, len(turns)):
        yield (rng.choice(pool.thanks), one) if one in bare else (one,)


def _on_the_list(items: Sequence[str], turns: Turns, checker: Checker, rng: Random) -> Iterator[Parts]:
    """An item is named only if no word of it is near any value; else by its place in the list."""
    clean = [item for item in items if item and not checker.touches(item)]
    for item in rng.sample(clean, len(clean)):
        yield (Template(rng.choice(turns.items)).substitute(item=item),)
    places = turns.places[: len(items)]
    for place in rng.sample(places, len(places)):
        yield (Template(rng.choice(turns.points)).substitute(place=place),)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())

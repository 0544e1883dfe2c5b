"""Which facts about the world are told together, by whom, and in what sessions: dealt out evenly over the person."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from recollect.benchmarks.subtlememory.generate.briefs import Brief, Telling
from recollect.benchmarks.subtlememory.generate.catalogue import Kind
from recollect.benchmarks.subtlememory.generate.dealing import ThreadDealer
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.generate.threads import ENTITY, Exchange, Occasions, Tell, Thread
from recollect.benchmarks.subtlememory.generate.world_values import Claim, capital, listed, lowered, stated
from recollect.benchmarks.subtlememory.generate.world_words import world_words
from recollect.worlds.dealing import Dealer
from recollect.worlds.patterns import filled

USER, ASSISTANT = ROLES = ("user", "assistant")
LENGTHS = {1: (8, 10, 12, 14), 2: (10, 12, 14), 3: (12, 14)}
"""Exchanges in which something is told -> how many messages a session may have, so that a step is left."""
MOST = 3
"""Facts of one session."""
FEW = 4
"""Facts of a case that two sessions tell; more need three."""
_begins = re.compile(r"(^|[.!?][\"']? )" + re.escape(ENTITY))
Groups = tuple[tuple[int, ...], ...]


def grouped(count: int, needed: Collection[int], rng: Random) -> Groups:
    """Places of the facts by session; what a question needs is never told in one session alone.

    They are spread as evenly as can be, because nobody recites more than two figures in a row.

    Args:
        count: Of all facts, at least two.
        needed: Places of those that the question needs; at least two.
        rng: Deals them.

    Source:
        SubtleMemory, construction of non-user sessions: session plan.
    """
    sessions = 2 if count <= FEW else 3
    sizes = [one for one in product(range(1, MOST + 1), repeat=sessions) if sum(one) == count]
    sizes = [one for one in sizes if max(one) == min(map(max, sizes))]
    while True:
        places = rng.sample(range(count), count)
        groups = []
        for size in rng.choice(sizes):
            groups.append(tuple(sorted(places[:size])))
            places = places[size:]
        if not any(set(needed) <= set(group) for group in groups):
            return tuple(groups)


class WorldBriefs:
    """Deals out what sessions are like, who tells what and on what occasion, over all cases of one person."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings = settings
        self._threads, self._moments = ThreadDealer(rng), Dealer(rng)
        self._lengths, self._roles, self._dated = Dealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, kind: Kind, claims: Sequence[Claim], groups: Groups, roles: Sequence[str] = ()) -> tuple[Brief, ...]:
        """A session for each group of facts, each of another type as far as the kind has so many.

        Args:
            kind: Of what there is talk.
            claims: The facts.
            groups: Their places, by session.
            roles: Who tells each; as the threads have it where nothing is said.
        """
        used: list[Exchange] = []
        had: list[str] = []
        made: list[Brief] = []
        for group in groups:
            wanted = [(claims[fact].of, roles[fact]) for fact in group] if roles else []
            thread = self._threads.deal(_telling_so(kind.threads, wanted), had)
            had.append(thread.conversation_type)
            made.append(self._brief(thread, self._told(thread, {fact: claims[fact] for fact in group}, used)))
        return tuple(made)

    def _told(self, thread: Thread, claims: Mapping[int, Claim], used: list[Exchange]) -> tuple[Telling, ...]:
        """All that is told in one session: what is of one property in one exchange."""
        alike: dict[str, list[int]] = {}
        for fact, claim in claims.items():
            alike.setdefault(claim.of, []).append(fact)
        told = []
        for fact, claim in claims.items():
            if claim.occasions is not None:
                told.append(self._strays(fact, claim, claim.occasions, used))
                continue
            others = [claims[other] for other in alike[claim.of]]
            told.append(self._told_in(thread.tell(claim.of), fact, others, alike[claim.of].index(fact)))
        return tuple(told)

    def _told_in(self, tell: Tell, fact: int, claims: Sequence[Claim], place: int) -> Telling:
        """One of the claims that are told in one step, in a sentence with the others."""
        subjects = tuple(dict.fromkeys(claim.subject for claim in claims))
        asks = tell.user if tell.reports else _meant(tell.user, claims)
        exchange = replace(tell.exchange, user=_of(asks, listed(subjects)))
        role = USER if tell.reports else ASSISTANT
        text = _in_a_row(claims, place, self._stated(tell, claims[0]))
        return Telling(
            fact=fact,
            role=role,
            text=text,
            of=claims[place].of,
            moment=exchange,
            precedes=tell.precedes,
            follows=tell.follows,
        )

    def _stated(self, tell: Tell, claim: Claim) -> str:
        """As the step has it; as it is stated everywhere, where all are to be alike."""
        if self._settings.overlap == "high":
            return claim.text
        wording = tell.held_out if self._settings.held_out else tell.told
        if not claim.date:
            return stated(wording, claim.subject, claim.value, claim.lead)
        dated = filled(self._dated.deal(world_words().told_as_of), {"date": claim.date})
        if dated[0].isupper():
            return stated(wording, claim.subject, claim.value, dated)
        return f"{stated(wording, claim.subject, claim.value).rstrip('.')}, {dated}."

    def _strays(self, fact: int, claim: Claim, occasions: Occasions, used: list[Exchange]) -> Telling:
        """A fact of a person or a place; no two of a case on one occasion as far as there are so many."""
        role = self._roles.deal(ROLES) if occasions.lookups else USER
        moment = self._moments.deal(occasions.reports if role == USER else occasions.lookups, used)
        used.append(moment)
        asked = replace(moment, user=_of(moment.user, claim.subject))
        return Telling(fact=fact, role=role, text=claim.text, moment=asked)

    def _brief(self, thread: Thread, told: tuple[Telling, ...]) -> Brief:
        moments = len({one.moment for one in told})
        return Brief(tellings=told, thread=thread, messages=self._lengths.deal(LENGTHS[moments]), signal=None)


def _telling_so(threads: Sequence[Thread], wanted: Sequence[tuple[str, str]]) -> Sequence[Thread]:
    """Those in which each property is told by whom it must be."""
    return [one for one in threads if all(one.tell(of).reports == (role == USER) for of, role in wanted)]


def _in_a_row(claims: Sequence[Claim], place: int, first: str) -> str:
    """The first as it is stated, each other as what differs: `for the Vone Line it's a heron`; figures have grown."""
    claim, last = claims[place], place == len(claims) - 1
    if not place:
        return first if last else f"{first.rstrip('.')};"
    joined, end = "and " if last and place > 1 else "", "." if last else ","
    if claim.date:
        return f"{joined}by {claim.date} it was up to {claim.value.said}{end}"
    apart = len({one.subject for one in claims}) > 1
    about = f"for {claim.subject}" if apart or not claim.lead else lowered(claim.lead)
    return f"{joined}{about} it's {_article(first, claims[0].value.said)}{claim.value.said}{end}"


def _meant(question: str, claims: Sequence[Claim]) -> str:
    """A question, and of which edition it is, where there are several; a date is for the answer to say."""
    leads = [lowered(one.lead) for one in claims if one.lead and not one.date]
    asked, mark, rest = question.partition("?")
    return f"{asked}{mark} {capital(' and '.join(leads))}, that is.{rest}" if leads else question


def _article(first: str, value: str) -> str:
    """What stands before the value in the first statement, and so before the others."""
    found = re.search(rf"\b(the|a) {re.escape(value)}(?!\w)", first, re.IGNORECASE)
    return f"{found[1].lower()} " if found else ""


def _of(text: str, name: str) -> str:
    """A question about an entity; a name that begins a sentence gets a capital."""
    return _begins.sub(lambda found: found[1] + capital(name), text).replace(ENTITY, name)

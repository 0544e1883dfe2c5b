"""What sessions are like: threads, lengths, voices and roles dealt out evenly over all cases of one person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from recollect.benchmarks.subtlememory.generate.catalogue.texts import (
    ENTITY,
    SAID,
    Condition,
    Exchange,
    Kind,
    Occasions,
    Showing,
    Tell,
    Thread,
    ValueWords,
)
from recollect.benchmarks.subtlememory.generate.catalogue.words import case_words, user_words, world_words
from recollect.benchmarks.subtlememory.generate.plans import Brief, Telling
from recollect.benchmarks.subtlememory.generate.sessions.claims import Claim, stated
from recollect.benchmarks.subtlememory.generate.settings import GenerationSettings
from recollect.benchmarks.subtlememory.items import LEVELS
from recollect.worlds.dealing import Dealer
from recollect.worlds.patterns import capital, draw, filled, listed, lowered

USER, ASSISTANT = ROLES = ("user", "assistant")
DETAILS = (1, 2)
"""Details that show a value of the user where the settings leave it open: one masks it, two enrich it."""
USER_LENGTHS = (10, 12, 14)
"""Messages of a session about the user."""
LENGTHS = {1: (8, 10, 12, 14), 2: (10, 12, 14), 3: (12, 14)}
"""Exchanges in which something of the world is told -> how many messages a session may have, so that a step is left."""
MOST = 3
"""Facts of one session about the world."""
FEW = 4
"""Facts of a case that two sessions tell; more need three."""
_begins = re.compile(r"(^|[.!?][\"']? )" + re.escape(ENTITY))
_opens = re.compile(r"(?:^|[.?!:][\"']? )" + re.escape(SAID))
_adverb = re.compile(r"\w+ly", re.IGNORECASE)
"""A situation behind which nobody sets a comma: `usually`."""
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A value of the user, and where it holds."""

    trait: str
    value: ValueWords
    condition: Condition | None = None
    """None where it holds without one."""
    lasting: bool = False
    """The condition is a stretch of time."""
    opposed: bool = False
    """Another value is claimed of the same trait, so this one may not be told of some situation only."""

    def showings(self, settings: GenerationSettings) -> Sequence[Showing]:
        """All that may show it."""
        return self.value.held_out if settings.held_out else self.value.showings


class ThreadDealer:
    """Deals out threads to a person: first those had least often, of types had least often."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._threads: Counter[Thread] = Counter()
        self._types: Counter[str] = Counter()

    def deal(self, threads: Sequence[Thread], avoid: Collection[str] = ()) -> Thread:
        """One of *threads*, if possible of none of the types *avoid*."""
        open_to = [one for one in threads if one.conversation_type not in avoid] or list(threads)
        mixed = self._rng.sample(open_to, len(open_to))
        chosen = min(mixed, key=lambda one: (self._threads[one], self._types[one.conversation_type]))
        self._threads[chosen] += 1
        self._types[chosen.conversation_type] += 1
        return chosen


class UserBriefs:
    """Sessions about the user, each of which tells one fact."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings, self._rng = settings, rng
        self._threads, self._lengths, self._levels = ThreadDealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, threads: Sequence[Thread], held: Sequence[Held]) -> tuple[Brief, ...]:
        """A session for each fact of a case; each in another thread, as far as the values show in so many.

        Where the facts are to be alike, different values show in the same thread as far as they can.
        """
        had: list[tuple[Thread, ValueWords]] = []
        made: list[Brief] = []
        for fact, one in enumerate(held):
            thread = self._thread(threads, one, had)
            had.append((thread, one.value))
            showing = next(each for each in one.showings(self._settings) if each.thread == thread.conversation_type)
            made.append(
                Brief(
                    tellings=(telling(fact, one, showing, self._settings, self._rng),),
                    thread=thread,
                    messages=self._lengths.deal(USER_LENGTHS),
                    signal=self._levels.deal(LEVELS),
                )
            )
        return tuple(made)

    def _thread(self, threads: Sequence[Thread], held: Held, had: Sequence[tuple[Thread, ValueWords]]) -> Thread:
        """One in which the value shows and has not shown yet in the case."""
        types = {one.thread for one in held.showings(self._settings)}
        told = [thread for thread, value in had if value == held.value]
        open_to = [one for one in threads if one.conversation_type in types and one not in told]
        before = [thread for thread, _ in had]
        if self._settings.overlap == "high":
            return self._threads.deal([one for one in open_to if one in before] or open_to)
        return self._threads.deal(open_to, [one.conversation_type for one in before])


def telling(fact: int, held: Held, showing: Showing, settings: GenerationSettings, rng: Random) -> Telling:
    """One fact about the user as it is told in a thread: the value shows behind the situation in which it holds."""
    situation = _situation(held, showing, rng)
    said = capital(situation) if _opens.search(showing.shown) else lowered(situation)
    shown = showing.shown.replace(f"{SAID},", said if _adverb.fullmatch(situation) else f"{said},")
    details = settings.clues or rng.choice(DETAILS)
    reason = held.condition.reason if held.condition else ""
    return Telling(
        fact=fact,
        role=USER,
        text=" ".join(part for part in (reason, shown, showing.more if details > 1 else "") if part),
        of=held.trait,
        moment=showing.exchange,
        precedes=showing.precedes,
        follows=showing.follows,
    )


def _situation(held: Held, showing: Showing, rng: Random) -> str:
    if held.opposed:
        return rng.choice(user_words().always)
    if held.condition is None:
        return showing.usual
    return rng.choice(user_words().now) if held.lasting else draw(held.condition.said, rng)


def grouped(count: int, needed: Collection[int], rng: Random) -> Groups:
    """Places of the facts about the world by session; what a question needs is never told in one session alone.

    They are spread as evenly as can be, because nobody recites more than two figures in a row.

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
    """Sessions about the world: who tells what and on what occasion."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings = settings
        self._threads, self._moments = ThreadDealer(rng), Dealer(rng)
        self._lengths, self._roles, self._dated = Dealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, kind: Kind, claims: Sequence[Claim], groups: Groups, roles: Sequence[str] = ()) -> tuple[Brief, ...]:
        """A session for each group of facts, each of another type as far as the kind has so many."""
        used: list[Exchange] = []
        had: list[str] = []
        made: list[Brief] = []
        for group in groups:
            wanted = [(claims[fact].of, roles[fact]) for fact in group] if roles else []
            thread = self._threads.deal(_telling_so(kind.threads, wanted), had)
            had.append(thread.conversation_type)
            told = self._told(thread, {fact: claims[fact] for fact in group}, used)
            length = self._lengths.deal(LENGTHS[len({one.moment for one in told})])
            made.append(Brief(tellings=told, thread=thread, messages=length, signal=None))
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
        return Telling(
            fact=fact,
            role=USER if tell.reports else ASSISTANT,
            text=_in_a_row(claims, place, self._stated(tell, claims[0])),
            of=claims[place].of,
            moment=replace(tell.exchange, user=_of(asks, listed(subjects))),
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
        return f"{joined}{filled(case_words().grown, {'date': claim.date, 'value': claim.value.said})}{end}"
    apart = len({one.subject for one in claims}) > 1
    about = f"for {claim.subject}" if apart or not claim.lead else lowered(claim.lead)
    return f"{joined}{about} it's {_article(first, claims[0].value.said)}{claim.value.said}{end}"


def _meant(question: str, claims: Sequence[Claim]) -> str:
    """A question, and of which edition it is, where there are several; a date is for the answer to say."""
    leads = [lowered(one.lead) for one in claims if one.lead and not one.date]
    asked, mark, rest = question.partition("?")
    if not leads:
        return question
    return f"{asked}{mark} {filled(case_words().meant, {'editions': capital(' and '.join(leads))})}{rest}"


def _article(first: str, value: str) -> str:
    """What stands before the value in the first statement, and so before the others."""
    found = re.search(rf"\b(the|a) {re.escape(value)}(?!\w)", first, re.IGNORECASE)
    return f"{found[1].lower()} " if found else ""


def _of(text: str, name: str) -> str:
    """A question about an entity; a name that begins a sentence gets a capital."""
    return _begins.sub(lambda found: found[1] + capital(name), text).replace(ENTITY, name)

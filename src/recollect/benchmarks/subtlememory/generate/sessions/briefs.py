"""Session briefs: threads, lengths, signal levels and roles balanced over all cases of one person."""

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
"""Details that show a value of the user if the settings do not fix it: one masks it, two enrich it."""
USER_LENGTHS = (10, 12, 14)
"""Messages of a session about the user."""
LENGTHS = {1: (8, 10, 12, 14), 2: (10, 12, 14), 3: (12, 14)}
"""Exchanges that state facts about the world -> permitted session lengths; each leaves room for a step."""
MOST = 3
"""Facts of one session about the world."""
FEW = 4
"""Two sessions tell up to this many facts of a case; more need three."""
_begins = re.compile(r"(^|[.!?][\"']? )" + re.escape(ENTITY))
_opens = re.compile(r"(?:^|[.?!:][\"']? )" + re.escape(SAID))
_adverb = re.compile(r"\w+ly", re.IGNORECASE)
"""A situation that takes no comma: `usually`."""
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A value of the user, with its condition."""

    trait: str
    value: ValueWords
    condition: Condition | None = None
    lasting: bool = False
    """The condition is a stretch of time."""
    opposed: bool = False
    """Another value of the same trait is claimed, so this one must not be limited to a situation."""

    def showings(self, settings: GenerationSettings) -> Sequence[Showing]:
        """All that may show it."""
        return self.value.held_out if settings.held_out else self.value.showings


class _ThreadDealer:
    """Deals threads to a person: least used threads first, of least used types."""

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
        self._threads, self._lengths, self._levels = _ThreadDealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, threads: Sequence[Thread], held: Sequence[Held]) -> tuple[Brief, ...]:
        """A session for each fact of a case; each in another thread, as far as the values show in so many.

        With high overlap, different values show in the same thread as far as they can.
        """
        used: list[Thread] = []
        made: list[Brief] = []
        for fact, one in enumerate(held):
            showings = one.showings(self._settings)
            types = {showing.thread for showing in showings}
            same = [thread for thread, other in zip(used, held, strict=False) if other.value == one.value]
            open_to = [each for each in threads if each.conversation_type in types and each not in same]
            if self._settings.overlap == "high":
                thread = self._threads.deal([each for each in open_to if each in used] or open_to)
            else:
                thread = self._threads.deal(open_to, [each.conversation_type for each in used])
            used.append(thread)
            showing = next(each for each in showings if each.thread == thread.conversation_type)
            made.append(
                Brief(
                    tellings=(telling(fact, one, showing, self._settings, self._rng),),
                    thread=thread,
                    messages=self._lengths.deal(USER_LENGTHS),
                    signal=self._levels.deal(LEVELS),
                )
            )
        return tuple(made)


def telling(fact: int, held: Held, showing: Showing, settings: GenerationSettings, rng: Random) -> Telling:
    """One fact about the user as told in a thread: the value shows behind the situation in which it holds."""
    if held.opposed:
        situation = rng.choice(user_words().always)
    elif held.condition is None:
        situation = showing.usual
    else:
        situation = rng.choice(user_words().now) if held.lasting else draw(held.condition.said, rng)
    cased = capital(situation) if _opens.search(showing.shown) else lowered(situation)
    shown = showing.shown.replace(f"{SAID},", cased if _adverb.fullmatch(situation) else f"{cased},")
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


def grouped(count: int, needed: Collection[int], rng: Random) -> Groups:
    """Facts about the world by session; the facts that a question needs are never all in one session.

    They are spread evenly, because nobody recites more than two figures in a row.

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
    """Sessions about the world: who states which fact, and in which exchange."""

    def __init__(self, settings: GenerationSettings, rng: Random) -> None:
        self._settings = settings
        self._threads, self._moments = _ThreadDealer(rng), Dealer(rng)
        self._lengths, self._roles, self._dated = Dealer(rng), Dealer(rng), Dealer(rng)

    def deal(self, kind: Kind, claims: Sequence[Claim], groups: Groups, roles: Sequence[str] = ()) -> tuple[Brief, ...]:
        """A session for each group of facts, each of another type as far as the kind has so many."""
        used: list[Exchange] = []
        types: list[str] = []
        made: list[Brief] = []
        for group in groups:
            wanted = [(claims[fact].of, roles[fact] == USER) for fact in group] if roles else []
            threads = [one for one in kind.threads if all(one.tell(of).reports == user for of, user in wanted)]
            thread = self._threads.deal(threads, types)
            types.append(thread.conversation_type)
            told = self._tellings(thread, {fact: claims[fact] for fact in group}, used)
            length = self._lengths.deal(LENGTHS[len({one.moment for one in told})])
            made.append(Brief(tellings=told, thread=thread, messages=length, signal=None))
        return tuple(made)

    def _tellings(self, thread: Thread, claims: Mapping[int, Claim], used: list[Exchange]) -> tuple[Telling, ...]:
        """Everything that is told in a session; claims of one property are told in one exchange."""
        alike: dict[str, list[int]] = {}
        for fact, claim in claims.items():
            alike.setdefault(claim.of, []).append(fact)
        told = []
        for fact, claim in claims.items():
            if claim.occasions is not None:
                told.append(self._straying(fact, claim, claim.occasions, used))
                continue
            tell, together = thread.tell(claim.of), [claims[other] for other in alike[claim.of]]
            subjects = listed(tuple(dict.fromkeys(one.subject for one in together)))
            asks = tell.user if tell.reports else _with_editions(tell.user, together)
            told.append(
                Telling(
                    fact=fact,
                    role=USER if tell.reports else ASSISTANT,
                    text=_in_a_row(together, alike[claim.of].index(fact), self._stated(tell, together[0])),
                    of=claim.of,
                    moment=replace(tell.exchange, user=_with_name(asks, subjects)),
                    precedes=tell.precedes,
                    follows=tell.follows,
                )
            )
        return tuple(told)

    def _stated(self, tell: Tell, claim: Claim) -> str:
        """A claim in the words of the step; with high overlap, in the words used everywhere."""
        if self._settings.overlap == "high":
            return claim.text
        wording = tell.held_out if self._settings.held_out else tell.told
        if not claim.date:
            return stated(wording, claim.subject, claim.value, claim.lead)
        dated = filled(self._dated.deal(world_words().told_as_of), {"date": claim.date})
        if dated[0].isupper():
            return stated(wording, claim.subject, claim.value, dated)
        return f"{stated(wording, claim.subject, claim.value).rstrip('.')}, {dated}."

    def _straying(self, fact: int, claim: Claim, occasions: Occasions, used: list[Exchange]) -> Telling:
        """A fact of a person or a place; no two of a case in one exchange if there are enough."""
        role = self._roles.deal(ROLES) if occasions.lookups else USER
        moment = self._moments.deal(occasions.reports if role == USER else occasions.lookups, used)
        used.append(moment)
        asked = replace(moment, user=_with_name(moment.user, claim.subject))
        return Telling(fact=fact, role=role, text=claim.text, moment=asked)


def _in_a_row(claims: Sequence[Claim], place: int, first: str) -> str:
    """The first claim as stated, the others by what differs: `for the Vone Line it's a heron`."""
    claim, last = claims[place], place == len(claims) - 1
    if not place:
        return first if last else f"{first.rstrip('.')};"
    lead, end = "and " if last and place > 1 else "", "." if last else ","
    if claim.date:
        return f"{lead}{filled(case_words().grown, {'date': claim.date, 'value': claim.value.said})}{end}"
    several = len({one.subject for one in claims}) > 1
    about = f"for {claim.subject}" if several or not claim.lead else lowered(claim.lead)
    # an article before the value in the first statement also stands before the others
    found = re.search(rf"\b(the|a) {re.escape(claims[0].value.said)}(?!\w)", first, re.IGNORECASE)
    article = f"{found[1].lower()} " if found else ""
    return f"{lead}{about} it's {article}{claim.value.said}{end}"


def _with_editions(question: str, claims: Sequence[Claim]) -> str:
    """A question with the editions that it means, if any; dates are left to the answer."""
    leads = [lowered(one.lead) for one in claims if one.lead and not one.date]
    asked, mark, rest = question.partition("?")
    if not leads:
        return question
    return f"{asked}{mark} {filled(case_words().meant, {'editions': capital(' and '.join(leads))})}{rest}"


def _with_name(text: str, name: str) -> str:
    """A text with the name of an entity, capitalised at the start of a sentence."""
    return _begins.sub(lambda found: found[1] + capital(name), text).replace(ENTITY, name)

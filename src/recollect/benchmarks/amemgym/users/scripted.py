"""The rule-based user: its turns follow the assistant's replies, and never tell a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from random import Random
from string import Template

from recollect.benchmarks.amemgym.users.integrity import Checker, checker_of
from recollect.benchmarks.amemgym.users.turns import Turns, digest_of_turns, of_any_domain, of_the_domain, turns_of
from recollect.domain.histories import Script
from recollect.domain.messages import Message
from recollect.text.normal import fold
from recollect.text.sentences import split

LOOKED_AT = 6_000
"""Characters read at either end of a reply."""
LAST_SENTENCES = 2
MOST_WORDS, LEAST_LETTERS, MOST_LETTERS = 7, 2, 60
"""Of the name of a list's item."""
_item = re.compile(r"^[ \t>]{0,12}(?:[-*•–+]|\(?\d{1,2}[.)、]|\(?[a-z]\))[ \t]{1,4}(\S.*)$", re.MULTILINE)
_bold = re.compile(r"(\*\*|__)([^*_\n]+)\1")
_label_end = re.compile(r":(?:\s|$)|[：;；,，。！!?？\n]|\.(?:\s|$)|\s[-–—]\s|\s\(")
_plain_label = re.compile(r"[^\W_]+(?:[ '’-][^\W_]+)*")
_person = re.compile(r"\b(?:i|me|my|mine|we|us|our|you|your|yours|user|user's)\b|[你您我]")
_offer = re.compile(
    r"\b(?:would you like|do you want|want me to|shall i|should i|may i|can i|if you(?:'d| would)? like)\b"
    r"|(?:要我|需要我|要不要|是否需要)"
)
_unknowing = re.compile(
    r"\b(?:i|we) (?:really |simply |honestly )?(?:do not|don't|did not|didn't|cannot|can't|could not|couldn't) "
    r"(?:know|say|tell|recall|remember|have (?:any |enough |that )?(?:information|details|record|access))\b"
    r"|\bi(?:'m| am) (?:not sure|unsure|not certain|not able to|unable to)\b"
    r"|\b(?:i|we) have no (?:information|record|idea|memory|details)\b"
    r"|我(?:并)?(?:不知道|不清楚|不确定|不记得)|(?:没有相关|无法)(?:信息|回答|确定|得知)"
)
VERSION = 1
SMALL_TALK = 0.15
"""Share of turns that begin with small talk."""
Parts = tuple[str, ...]
"""A turn in its parts; the last one is its subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply as the user understands it."""

    says_nothing: bool = False
    asks: bool = False
    offers: bool = False
    """It asks whether to continue in some way."""
    does_not_know: bool = False
    items: tuple[str, ...] = ()
    """Names of the items of its list; empty for those without a short and plain name."""


def heard(reply: str) -> Heard:
    """What a reply does; its words give no orders."""
    text = reply if len(reply) <= 2 * LOOKED_AT else f"{reply[:LOOKED_AT]}\n\n{reply[-LOOKED_AT:]}"
    if not any(sign.isalnum() for sign in text):
        return Heard(says_nothing=True)
    last = split(text[-LOOKED_AT:])[-LAST_SENTENCES:]
    questions = [one for one in last if one.rstrip("\"'”’»)]*_ \n").endswith(("?", "？"))]
    items = tuple(map(_label, _item.findall(text)))
    return Heard(
        asks=bool(questions),
        offers=any(_offer.search(fold(one)) for one in questions),
        does_not_know=bool(_unknowing.search(fold(text))),
        items=items if len(items) > 1 else (),
    )


def _label(item: str) -> str:
    """The name of an item: its bold words, or those before its first mark; nothing that refers to a person."""
    bold = _bold.match(item)
    name = (bold[2] if bold else _label_end.split(item[: 4 * MOST_LETTERS], maxsplit=1)[0]).strip(" *_`:：.")
    small = LEAST_LETTERS <= len(name) <= MOST_LETTERS and len(name.split()) <= MOST_WORDS
    return name if small and _plain_label.fullmatch(name) and not _person.search(fold(name)) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedUser:
    """A user that follows rules; the same seed, session and talk give the same turn."""

    seed: int
    small_talk: float = SMALL_TALK

    @property
    def fingerprint(self) -> str:
        """Everything of it that can change its turns."""
        return f"scripted-user-{VERSION}:{self.seed}:{self.small_talk}:{digest_of_turns()}"

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """A turn that the user has not taken in this talk, and that tells no value of the schema."""
        said = [_plain(message.text) for message in talk if message.role == "user"]
        rng = Random(f"{self.seed}:{script.session_id}:{len(said)}")
        checker, turns = checker_of(script), turns_of(script)
        reply = next((message.text for message in reversed(talk) if message.role != "user"), "")
        options = list(_options(script, heard(reply), checker, rng))
        # About something new, else at least in other words; small talk or thanks before it make it no other turn.
        new = (one for one in options if not _was_said(one[-1], said))
        again = (one for one in options if not _was_said(" ".join(one), said))
        chosen = next((text for one in chain(new, again) if not checker.findings(text := " ".join(one))), "")
        if not chosen:  # a schema may have all of our words for values, and a talk may be longer than we have words
            return "…" * len(said)
        if rng.random() >= self.small_talk:
            return chosen
        asides = [(one, chosen) for one in turns.asides if not any(before.startswith(_plain(one)) for before in said)]
        rng.shuffle(asides)
        return next((text for one in asides if not checker.findings(text := " ".join(one))), chosen)


def _was_said(text: str, said: Sequence[str]) -> bool:
    wanted = _plain(text)
    return any(before.endswith(wanted) for before in said)


def _options(script: Script, reply: Heard, checker: Checker, rng: Random) -> Iterator[Parts]:
    turns = turns_of(script)
    answers: Sequence[str] = ()
    if reply.says_nothing:
        answers = turns.silent
    elif reply.asks and not (reply.offers and reply.items):
        answers = turns.offered if reply.offers else turns.asked
    elif reply.items:
        yield from _on_the_list(reply.items, turns, checker, rng)
    elif reply.does_not_know:
        answers = turns.unknown
    yield from ((one,) for one in rng.sample(answers, len(answers)))
    # Thanks and a follow-up: of the session's domain as long as there are any.
    bare = set(turns.follow_ups)
    for follow_ups in (of_the_domain(script), (*of_any_domain(script), *turns.follow_ups)):
        for one in rng.sample(follow_ups, len(follow_ups)):
            yield (rng.choice(turns.thanks), one) if one in bare else (one,)
    rest = list(product(turns.thanks, turns.follow_ups))
    yield from rng.sample(rest, len(rest))


def _on_the_list(items: Sequence[str], turns: Turns, checker: Checker, rng: Random) -> Iterator[Parts]:
    """An item is named only if no word of it is near any value; else by its number in the list."""
    clean = [item for item in items if item and not checker.touches(item)]
    for item in rng.sample(clean, len(clean)):
        yield (Template(rng.choice(turns.items)).substitute(item=item),)
    places = turns.places[: len(items)]
    for place in rng.sample(places, len(places)):
        yield (Template(rng.choice(turns.points)).substitute(place=place),)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())

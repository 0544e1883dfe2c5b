"""What an assistant's reply does, as far as rules can tell: it asks, offers, lists, does not know, or says nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.text.normal import fold
from recollect.text.sentences import split

LOOKED_AT = 6_000
"""Characters at the beginning and at the end of a reply; what lies between is not read."""
LAST_SENTENCES = 2
"""A question further up was not left for the user to answer."""
MOST_WORDS, LEAST_LETTERS, MOST_LETTERS = 7, 2, 60
"""Of what a list's item is called."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply as the user takes it."""

    says_nothing: bool = False
    asks: bool = False
    offers: bool = False
    """What it asks is whether it should go on in some way."""
    does_not_know: bool = False
    items: tuple[str, ...] = ()
    """What the items of its list are called; empty for those that are no short and plain name."""


def heard(reply: str) -> Heard:
    """What a reply does; its words give no orders."""
    text = reply if len(reply) <= 2 * LOOKED_AT else f"{reply[:LOOKED_AT]}\n\n{reply[-LOOKED_AT:]}"
    if not any(sign.isalnum() for sign in text):
        return Heard(says_nothing=True)
    last = [one for one in split(text[-LOOKED_AT:])[-LAST_SENTENCES:] if _asks(one)]
    items = tuple(map(_label, _item.findall(text)))
    return Heard(
        asks=bool(last),
        offers=any(_offer.search(fold(one)) for one in last),
        does_not_know=bool(_unknowing.search(fold(text))),
        items=items if len(items) > 1 else (),
    )


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”’»)]*_ \n").endswith(("?", "？"))


def _label(item: str) -> str:
    """What an item is called: its bold words, or those before its first mark; nothing that speaks of a person."""
    bold = _bold.match(item)
    name = (bold[2] if bold else _label_end.split(item[: 4 * MOST_LETTERS], maxsplit=1)[0]).strip(" *_`:：.")
    small = LEAST_LETTERS <= len(name) <= MOST_LETTERS and len(name.split()) <= MOST_WORDS
    return name if small and _plain_label.fullmatch(name) and not _person.search(fold(name)) else ""

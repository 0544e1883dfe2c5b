"""A kept sentence made to stand alone: who speaks, and which day is meant."""

from __future__ import annotations

import re

from recollect.domain.messages import Message
from recollect.models.offline.lexicon import ADVERBS, AFTER_NAME, AGREEING, FIRST_PERSON, FUTURE
from recollect.text.dates import Lean, Mention, find_dates, format_date, read_iso
from recollect.text.normal import fold

_subject = re.compile(
    rf"\b(?:I|i(?!\.))\s+(?P<adverb>(?:{'|'.join(sorted(ADVERBS))})\s+)?(?P<verb>[A-Za-z]+(?:['’]t)?)\b"
)
_first_person = re.compile(r"\b(?:I['’](?:m|ve|d|ll)|I|i(?!\.)|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b(?!['’-])")
_future = re.compile(rf"\b(?:{'|'.join(sorted(FUTURE))})\b")
_ROLES = {"user": "the user", "assistant": "the assistant"}


def speaker_of(message: Message) -> str:
    """The name under which a message's first person is told; empty for logs and documents without one."""
    return message.speaker or _ROLES.get(message.role, "")


def with_name(text: str, name: str) -> str:
    """The text told of *name* instead of *I*; where it has no first person, the name stands in front."""
    if not name:
        return text
    told = _first_person.sub(lambda match: _name_for(match[0], name), _subject.sub(_agreed, text))
    if name.casefold() not in told.casefold():
        return f"{name}: {told}"
    return told[:1].upper() + told[1:] if told.startswith(name) else told


def dates_in(text: str, said_at: str | None) -> str:
    """What the relative dates of *text* stand for, such as `yesterday: 7 May 2023`; empty where there are none."""
    if said_at is None:
        return ""
    anchor = read_iso(said_at).local.date()
    lean: Lean = "future" if _future.search(fold(text)) else "past"
    found = [one for one in find_dates(text, anchor, lean=lean) if one.relative]
    return "; ".join(dict.fromkeys(f"{_phrase(text, one)}: {_when(one)}" for one in found))


def _agreed(match: re.Match[str]) -> str:
    """The same subject with its verb in the third person."""
    verb = match["verb"].replace("’", "'")
    third = AFTER_NAME.get(verb) or (_third_person(verb) if verb in AGREEING else match["verb"])
    return f"I {match['adverb'] or ''}{third}"


def _third_person(verb: str) -> str:
    if verb.endswith(("ch", "sh", "s", "x", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


def _name_for(word: str, name: str) -> str:
    return FIRST_PERSON[word.replace("’", "'").casefold()].replace("{name}", name)


def _phrase(text: str, mention: Mention) -> str:
    return " ".join(text[mention.start : mention.end].split())


def _when(mention: Mention) -> str:
    """The time that is meant, as exactly as the words say it."""
    day = format_date(mention.value)
    return f"{mention.grain} of {day}" if mention.grain in ("week", "weekend") else day

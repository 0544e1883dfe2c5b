"""The rule extractor: keeps the sentences that state a fact, and rewords them so that they stand alone.

A sentence earns points for what facts are made of; a kept one gets its speaker's name and absolute dates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.offline import lexicon
from recollect.text.dates.calendars import format_date, read_iso
from recollect.text.dates.mentions import find_dates
from recollect.text.dates.phrases import Lean
from recollect.text.normal import fold, search_tokens
from recollect.text.sentences import split

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One memory, taken from one message."""

    text: str
    sources: tuple[MessageId, ...]
    """The message it was taken from, then the one whose question it answers, if that stands in the text."""
    said_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractorSettings:
    """What changes the memories made of a message."""

    least_points: int = 2
    """Sentences with fewer are dropped; 1 keeps nearly all, 3 about as much as a model would."""
    with_question: bool = True
    """Whether the question that a message answers is kept with it."""

    def __post_init__(self) -> None:
        if self.least_points < 0:
            raise ValueError(f"least_points starts at 0, got {self.least_points}")


class RuleExtractor:
    """Makes at most one memory of a message; pure."""

    def __init__(self, settings: ExtractorSettings | None = None) -> None:
        self.settings = settings or ExtractorSettings()

    @property
    def fingerprint(self) -> str:
        """Version and settings."""
        question = "+question" if self.settings.with_question else ""
        return f"rules-extractor-{VERSION}:{self.settings.least_points}{question}"

    def extract(self, messages: Sequence[Message], *, before: Message | None = None) -> list[Extracted]:
        """The memories of *messages*, in order.

        Args:
            messages: In the order in which they were said.
            before: The message said before the first, if it was taken earlier.
        """
        found: list[Extracted] = []
        turns: list[Message | None] = [before, *messages]
        for previous, message in zip(turns, messages, strict=False):
            least = self.settings.least_points
            kept = [one for one in split(message.text) if (points := points_of(one)) is not None and points >= least]
            if not kept:
                continue
            text = " ".join(kept)
            asked = last_question(message, previous) if self.settings.with_question else ""
            notes = [dates_in(text, message.said_at), f"answering: {asked}" if asked else ""]
            worded = " ".join([with_name(text, speaker_of(message)), *(f"({note})" for note in notes if note)])
            sources = (message.message_id, previous.message_id) if asked and previous else (message.message_id,)
            found.append(Extracted(text=worded, sources=sources, said_at=message.said_at))
        return found


def last_question(message: Message, previous: Message | None) -> str:
    """The question that the turn before ended on, if someone else asked it in the same session; else empty."""
    if previous is None or previous.session_id != message.session_id:
        return ""
    if (previous.speaker, previous.role) == (message.speaker, message.role):
        return ""
    return next((sentence for sentence in reversed(split(previous.text)) if is_question(sentence)), "")


LEAST_CONTENT = 5
SHORT_GREETING = 6
"""A sentence of fewer words that opens with a greeting loses two points."""
SHORT = 3
"""A sentence of fewer words loses one."""

_word = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def points_of(sentence: str) -> int | None:
    """Points of one sentence; `None` for a question, which tells nothing.

    One each for a person (pronoun), a signal (number, date, verb of change, possession or preference), a capitalised
    word inside, and five content words; two less for a short greeting, one less for a scrap.
    """
    if is_question(sentence):
        return None
    words = _word.findall(fold(sentence))
    told, inside = set(words), _word.findall(sentence)[1:]
    signals = lexicon.SIGNALS | lexicon.TIMES | lexicon.COUNTS
    found = (
        not told.isdisjoint(lexicon.PRONOUNS),
        any(sign.isdigit() for sign in sentence) or not told.isdisjoint(signals),
        any(word[0].isupper() and not word.startswith(("I'", "I’")) and word != "I" for word in inside),
        len(search_tokens(sentence, stemmed=False)) >= LEAST_CONTENT,
    )
    greeting = words[:1] and words[0] in lexicon.GREETINGS and len(words) < SHORT_GREETING
    return sum(found) - 2 * bool(greeting) - (len(words) < SHORT)


def is_question(sentence: str) -> bool:
    """Whether the sentence asks: it ends in a question mark, or opens like a question and ends in nothing."""
    stripped = sentence.rstrip("\"'”’)]* ")
    if stripped.endswith("?"):
        return True
    opening = _word.match(fold(stripped))
    if opening is None or opening[0] not in lexicon.ASKERS:
        return False
    return not stripped.endswith((".", "!")) and len(stripped.split()) > 2


_subject = re.compile(
    rf"\b(?:I|i(?!\.))\s+(?P<adverb>(?:{'|'.join(sorted(lexicon.ADVERBS))})\s+)?(?P<verb>[A-Za-z]+(?:['’]t)?)\b"
)
_first_person = re.compile(r"\b(?:I['’](?:m|ve|d|ll)|I|i(?!\.)|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b(?!['’-])")
_future = re.compile(rf"\b(?:{'|'.join(sorted(lexicon.FUTURE))})\b")
_ROLES = {"user": "the user", "assistant": "the assistant"}


def speaker_of(message: Message) -> str:
    """The name under which a message's first person is told; empty for logs and documents without one."""
    return message.speaker or _ROLES.get(message.role, "")


def with_name(text: str, name: str) -> str:
    """The text told of *name* instead of *I*; where it has no first person, the name stands in front."""
    if not name:
        return text
    told = _first_person.sub(
        lambda match: lexicon.FIRST_PERSON[match[0].replace("’", "'").casefold()].replace("{name}", name),
        _subject.sub(_agreed, text),
    )
    if name.casefold() not in told.casefold():
        return f"{name}: {told}"
    return told[:1].upper() + told[1:] if told.startswith(name) else told


def dates_in(text: str, said_at: str | None) -> str:
    """What the relative dates of *text* stand for, such as `yesterday: 7 May 2023`; empty where there are none."""
    if said_at is None:
        return ""
    anchor = read_iso(said_at).local.date()
    lean: Lean = "future" if _future.search(fold(text)) else "past"
    notes: dict[str, None] = {}
    for mention in find_dates(text, anchor, lean=lean):
        if mention.relative:
            day = format_date(mention.value)
            time = f"{mention.grain} of {day}" if mention.grain in ("week", "weekend") else day
            notes[f"{' '.join(text[mention.start : mention.end].split())}: {time}"] = None
    return "; ".join(notes)


def _agreed(match: re.Match[str]) -> str:
    """The same subject with its verb in the third person."""
    verb = match["verb"].replace("’", "'")
    third = lexicon.AFTER_NAME.get(verb, match["verb"])
    if verb in lexicon.AGREEING:
        ending = "es" if verb.endswith(("ch", "sh", "s", "x", "o")) else "s"
        third = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}{ending}"
    return f"I {match['adverb'] or ''}{third}"

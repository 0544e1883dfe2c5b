"""The rule extractor: keeps the sentences that tell something, and words them so that they stand alone.

It stands in for a model that writes memories, with one knob, so that loss on writing can be studied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.models.offline.extract_points import is_question, points_of
from recollect.models.offline.extract_wording import dates_in, speaker_of, with_name
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
        turns: list[Message | None] = [before, *messages]
        return [found for previous, message in pairwise(turns) if message for found in self._of(message, previous)]

    def _of(self, message: Message, previous: Message | None) -> Iterator[Extracted]:
        kept = [sentence for sentence in split(message.text) if self._keeps(sentence)]
        if not kept:
            return
        text = " ".join(kept)
        notes = [dates_in(text, message.said_at)]
        asked = last_question(message, previous) if self.settings.with_question else ""
        notes.append(f"answering: {asked}" if asked else "")
        worded = " ".join([with_name(text, speaker_of(message)), *(f"({note})" for note in notes if note)])
        sources = (message.message_id, previous.message_id) if asked and previous else (message.message_id,)
        yield Extracted(text=worded, sources=sources, said_at=message.said_at)

    def _keeps(self, sentence: str) -> bool:
        points = points_of(sentence)
        return points is not None and points >= self.settings.least_points


def last_question(message: Message, previous: Message | None) -> str:
    """The question that the turn before ended on, if someone else asked it in the same session; else empty."""
    if previous is None or previous.session_id != message.session_id:
        return ""
    if (previous.speaker, previous.role) == (message.speaker, message.role):
        return ""
    return next((sentence for sentence in reversed(split(previous.text)) if is_question(sentence)), "")

"""Groups messages into what one write takes, and puts time, speaker and channel where the system's traits say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.contracts.traits import Traits, WriteUnit
from recollect.domain.exchange import Batch
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message, Session
from recollect.engine.feeding.wording import SEPARATOR, word_message
from recollect.records.digests import opaque
from recollect.text.tokens import count, spans


class BatchWithOrigins(NamedTuple):
    """One write, and which shown message each piece in it was cut from."""

    batch: Batch
    pieces: Mapping[MessageId, MessageId]


def feed(session: Session, traits: Traits) -> Iterator[BatchWithOrigins]:
    """The writes of one session, in order; no write crosses its border."""
    if traits.takes is WriteUnit.TOKENS:
        yield from _by_tokens(session.messages, traits)
        return
    for group in _groups(session.messages, _size(traits, len(session.messages))):
        yield BatchWithOrigins(_batch(group, traits), {})


def feed_whole(sessions: Iterable[Session], traits: Traits) -> Iterator[BatchWithOrigins]:
    """One write of all that came before an Ask, for systems that take a whole history."""
    messages = [message for session in sessions for message in session.messages]
    if messages:
        yield BatchWithOrigins(_batch(messages, traits), {})


def _size(traits: Traits, whole: int) -> int:
    if traits.takes is WriteUnit.MESSAGES and traits.unit_size is not None:
        return traits.unit_size
    return {WriteUnit.MESSAGE: 1, WriteUnit.PAIR: 2}.get(traits.takes, whole)


def _groups(messages: Sequence[Message], size: int) -> Iterator[Sequence[Message]]:
    for start in range(0, len(messages), size):
        yield messages[start : start + size]


def _batch(messages: Sequence[Message], traits: Traits) -> Batch:
    worded = [_as_wanted(message, traits) for message in messages]
    return Batch(messages=tuple(worded), text=SEPARATOR.join(_line(message) for message in worded))


def _as_wanted(message: Message, traits: Traits) -> Message:
    in_text = word_message(
        message, time=traits.time == "text", speaker=traits.speaker == "text", channel=traits.channel == "text"
    )
    return replace(
        message,
        text=in_text,
        said_at=message.said_at if traits.time == "field" else None,
        speaker=message.speaker if traits.speaker == "field" else "",
        channel=message.channel if traits.channel == "field" else "",
    )


def _line(message: Message) -> str:
    """A message as a line of a batch's text; its time is a field, so it is not said twice."""
    return word_message(message, time=False)


def _by_tokens(messages: Sequence[Message], traits: Traits) -> Iterator[BatchWithOrigins]:
    limit = traits.unit_size or 1
    group: list[Message] = []
    pieces: dict[MessageId, MessageId] = {}
    used = 0
    for piece, origin, tokens in _cut_long(messages, limit):
        if group and used + tokens > limit:
            yield BatchWithOrigins(_batch(group, traits), pieces)
            group, pieces, used = [], {}, 0
        group.append(piece)
        used += tokens
        if piece.message_id != origin:
            pieces[piece.message_id] = origin
    if group:
        yield BatchWithOrigins(_batch(group, traits), pieces)


def _cut_long(messages: Sequence[Message], limit: int) -> Iterator[tuple[Message, MessageId, int]]:
    for message in messages:
        tokens = count(message.text)
        if tokens <= limit:
            yield message, message.message_id, tokens
            continue
        borders = spans(message.text)
        for number, start in enumerate(range(0, len(borders), limit)):
            part = borders[start : start + limit]
            name = MessageId(opaque("p", message.message_id, number))
            text = message.text[part[0][0] : part[-1][1]]
            yield replace(message, message_id=name, text=text), message.message_id, len(part)

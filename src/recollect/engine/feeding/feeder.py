"""Groups messages into writes, with time, speaker and channel where the system's traits ask for them."""

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
    messages, size = session.messages, len(session.messages)
    if traits.takes is WriteUnit.MESSAGES and traits.unit_size is not None:
        size = traits.unit_size
    size = {WriteUnit.MESSAGE: 1, WriteUnit.PAIR: 2}.get(traits.takes, size)
    for start in range(0, len(messages), size):
        yield BatchWithOrigins(_batch(messages[start : start + size], traits), {})


def feed_whole(sessions: Iterable[Session], traits: Traits) -> Iterator[BatchWithOrigins]:
    """One write of all that came before an Ask, for systems that take a whole history."""
    messages = [message for session in sessions for message in session.messages]
    if messages:
        yield BatchWithOrigins(_batch(messages, traits), {})


def _batch(messages: Sequence[Message], traits: Traits) -> Batch:
    worded = [
        replace(
            message,
            text=word_message(
                message, time=traits.time == "text", speaker=traits.speaker == "text", channel=traits.channel == "text"
            ),
            said_at=message.said_at if traits.time == "field" else None,
            speaker=message.speaker if traits.speaker == "field" else "",
            channel=message.channel if traits.channel == "field" else "",
        )
        for message in messages
    ]
    # the time of a message is a field, so it is not repeated in the text
    return Batch(messages=tuple(worded), text=SEPARATOR.join(word_message(message, time=False) for message in worded))


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

"""Words messages and makes contexts, in the same way for the oracle and for every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from recollect.domain.exchange import Context, ContextItem, Recall, RecallItem
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.text.tokens import count, cut_end, cut_front

SEPARATOR = "\n"
Cut = Callable[[str, int], str]


def word_message(message: Message, *, time: bool = True, speaker: bool = True, channel: bool = True) -> str:
    """A message as one text: time, channel and speaker in front, each only where there is one."""
    stamp = f"[{message.said_at}] " if time and message.said_at else ""
    group = f"#{message.channel} " if channel and message.channel else ""
    name = f"{message.speaker}: " if speaker and message.speaker else ""
    return f"{stamp}{group}{name}{message.text}"


class _Piece(NamedTuple):
    item: ContextItem
    worded: str
    tokens: int


class ContextMaker:
    """Words recalls and cuts them to a limit; thread-safe, since its cache only ever gets equal values."""

    def __init__(self, messages: Mapping[MessageId, Message]) -> None:
        self._messages = messages
        self._pieces: dict[MessageId, _Piece] = {}

    def make(self, recall: Recall, *, limit: int) -> Context:
        """The context a reader gets: at most *limit* tokens; ranked recalls are cut at the end, others in front."""
        if recall.rendered is not None:
            sources = dict.fromkeys(source for item in recall.items for source in item.sources)
            recall = replace(recall, items=(RecallItem(text=recall.rendered, sources=tuple(sources)),), order="ranked")
        pieces = [self._worded(item) for item in recall.items]
        in_time = recall.order == "time"
        if in_time:
            pieces.reverse()
        kept, truncated = _fit(pieces, limit, cut_front if in_time else cut_end)
        if in_time:
            kept.reverse()
        return Context(
            items=tuple(piece.item for piece in kept),
            text=SEPARATOR.join(piece.worded for piece in kept),
            tokens=sum(piece.tokens for piece in kept),
            truncated=truncated,
        )

    def _worded(self, item: RecallItem) -> _Piece:
        if item.message is None:
            stamp = f"[{item.said_at}] " if item.said_at else ""
            shown = ContextItem(text=item.text, sources=item.sources, said_at=item.said_at)
            return _piece(shown, f"{stamp}{item.text}")
        name = item.message.message_id
        if name not in self._pieces:
            message = self._messages.get(name, item.message)
            shown = ContextItem(text=message.text, sources=(name,), said_at=message.said_at, speaker=message.speaker)
            self._pieces[name] = _piece(shown, word_message(message))
        return self._pieces[name]


def _piece(item: ContextItem, worded: str) -> _Piece:
    return _Piece(item, worded, count(worded) + count(SEPARATOR))


def _fit(pieces: Iterable[_Piece], limit: int, cut: Cut) -> tuple[list[_Piece], bool]:
    """The first pieces that fit; the one that crosses the limit is cut, the rest is left out."""
    kept: list[_Piece] = []
    left = limit
    for piece in pieces:
        if piece.tokens > left:
            space = left - count(SEPARATOR)
            worded = cut(piece.worded, space) if space > 0 else ""
            if worded:
                text = piece.item.text
                text = worded if piece.worded == text else cut(text, min(space, count(text)))
                kept.append(_piece(replace(piece.item, text=text), worded))
            return kept, True
        kept.append(piece)
        left -= piece.tokens
    return kept, False

"""Values as they travel to a worker and back; what comes back is checked, since anybody may have written it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import isfinite
from typing import Any, Literal, NoReturn

from recollect.domain.errors import (
    CallError,
    MalformedError,
    NotAvailableError,
    RecollectError,
    RefusedError,
    RetryableError,
)
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message

PROTOCOL = 1
Json = Mapping[str, Any]
_MESSAGE = tuple(field.name for field in fields(Message))
_STATUS = ("stored", "queued", "nothing_to_store")
_ORDERS: Mapping[str, Literal["ranked", "time"]] = {"None": "ranked", "ranked": "ranked", "time": "time"}
_SAID = 2000
_ERRORS: Mapping[str, type[CallError]] = {
    "retryable": RetryableError,
    "refused": RefusedError,
    "malformed": MalformedError,
    "raised": CallError,
}


def line_of(request: Json) -> bytes:
    """A request as one line."""
    return json.dumps(request, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def read_line(line: bytes) -> dict[str, Any] | None:
    """The answer that a line is, or `None` where it is noise."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        said = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and "id" in said else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def ok_of(answer: Json, number: int, who: str) -> dict[str, Any]:
    """The `ok` of an answer to request *number*.

    Raises:
        MalformedError: It is the answer to another request, or no answer (`worker_protocol`).
        RecollectError: The error that the answer tells.
    """
    if answer.get("id") != number:
        told = f"{who} answered request {answer.get('id')!r:.40} when {number} was asked"
        raise MalformedError(told, cause="worker_protocol")
    if isinstance(answer.get("ok"), dict):
        return dict(answer["ok"])
    raise error_of(answer.get("error"), who)


def error_of(error: Any, who: str) -> RecollectError:
    """The error that an answer tells."""
    if not isinstance(error, Mapping) or not isinstance(error.get("message"), str):
        return MalformedError(f"{who} answered with neither `ok` nor `error`", cause="worker_protocol")
    said = f"{who}: {error['message'][:_SAID]}"
    if error.get("kind") == "not_available":
        return NotAvailableError(said)
    cause = error.get("cause")
    named = cause if isinstance(cause, str) and cause.isidentifier() and len(cause) <= 40 else ""
    return _ERRORS.get(str(error.get("kind")), CallError)(said, cause=named)


def batch_data(batch: Batch) -> dict[str, Any]:
    """A batch as it travels."""
    return {"text": batch.text, "messages": [message_data(message) for message in batch.messages]}


def message_data(message: Message) -> dict[str, Any]:
    """A message as it travels: every field of it."""
    return {name: getattr(message, name) for name in _MESSAGE}


def cue_data(cue: Cue) -> dict[str, Any]:
    """A cue as it travels."""
    return {"text": cue.text, "limit": cue.limit, "asked_at": cue.asked_at}


def receipt_of(said: Json) -> Receipt:
    """The receipt that *said* is."""
    status = said.get("status", "stored")
    if status not in _STATUS:
        raise MalformedError(f"the status of a receipt is {status!r:.40}; it may be {', '.join(_STATUS)}")
    return Receipt(status=status, unit_ids=tuple(UnitId(name) for name in _texts(said, "unit_ids", "a receipt")))


def recall_of(said: Json) -> Recall:
    """The recall that *said* is."""
    order, rendered = _ORDERS.get(str(said.get("order"))), said.get("rendered")
    if order is None:
        raise MalformedError(f"the order of a recall is {said['order']!r:.40}; it may be ranked or time")
    if rendered is not None and not isinstance(rendered, str):
        raise MalformedError(f"`rendered` of a recall is a {type(rendered).__name__}, not text")
    items = _objects(said, "items", "a recall")
    return Recall(items=tuple(_item(item) for item in items), order=order, rendered=rendered)


def units_of(said: Json) -> list[Unit]:
    """The units that *said* lists."""
    return [
        Unit(
            unit_id=UnitId(_text(unit, "unit_id", "a unit")),
            text=_text(unit, "text", "a unit"),
            sources=_sources(unit, "a unit"),
            said_at=_text_or_none(unit, "said_at", "a unit"),
        )
        for unit in _objects(said, "units", "a listing")
    ]


def _item(said: Json) -> RecallItem:
    message = said.get("message")
    if message is not None:
        return _message_item(_message(message), said)
    return RecallItem(
        text=_text(said, "text", "an item"),
        sources=_sources(said, "an item"),
        unit_id=_unit_id(said),
        said_at=_text_or_none(said, "said_at", "an item"),
        score=_score(said),
    )


def _message_item(message: Message, said: Json) -> RecallItem:
    return RecallItem(
        text=message.text,
        sources=(message.message_id,),
        unit_id=_unit_id(said) or UnitId(message.message_id),
        said_at=message.said_at,
        score=_score(said),
        message=message,
    )


def _message(said: Any) -> Message:
    if not isinstance(said, Mapping) or not all(isinstance(said.get(name, ""), str | None) for name in _MESSAGE):
        raise MalformedError(f"the message of an item is {said!r:.80}, not a message as it was shown")
    try:
        return Message(**said)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"the message of an item is none: {error}") from None


def _unit_id(said: Json) -> UnitId | None:
    name = _text_or_none(said, "unit_id", "an item")
    return None if name is None else UnitId(name)


def _score(said: Json) -> float | None:
    score = said.get("score")
    if score is not None and (not isinstance(score, int | float) or not isfinite(score)):
        raise MalformedError(f"the score of an item is {score!r:.40}, not a finite number")
    return score


def _sources(said: Json, what: str) -> tuple[MessageId, ...]:
    return tuple(MessageId(name) for name in _texts(said, "sources", what))


def _texts(said: Json, name: str, what: str) -> Sequence[str]:
    listed = said.get(name)
    listed = [] if listed is None else listed
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise MalformedError(f"`{name}` of {what} is {listed!r:.80}, not a list of texts")
    return listed


def _objects(said: Json, name: str, what: str) -> list[Json]:
    listed = said.get(name, [])
    if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
        raise MalformedError(f"`{name}` of {what} is {listed!r:.80}, not a list of objects")
    return listed


def _text(said: Json, name: str, what: str) -> str:
    text = said.get(name)
    if not isinstance(text, str):
        raise MalformedError(f"`{name}` of {what} is {text!r:.40}, not text")
    return text


def _text_or_none(said: Json, name: str, what: str) -> str | None:
    return None if said.get(name) is None else _text(said, name, what)

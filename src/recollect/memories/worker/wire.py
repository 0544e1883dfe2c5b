"""Requests to a worker and its answers as JSON; answers are checked, since anyone may have written the worker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, Literal, NoReturn

from recollect.domain import errors
from recollect.domain.errors import CallError, MalformedError, NotAvailableError, RecollectError
from recollect.domain.exchange import Batch, Cue, Recall, RecallItem, Receipt, Unit
from recollect.domain.ids import MessageId, UnitId
from recollect.domain.messages import Message

PROTOCOL = 1
Json = Mapping[str, Any]
_MESSAGE = tuple(field.name for field in fields(Message))
_STATUS = ("stored", "queued", "nothing_to_store")
_ORDERS: Mapping[str, Literal["ranked", "time"]] = {"None": "ranked", "ranked": "ranked", "time": "time"}
_LONGEST = 2000
"""Characters of an error's message."""
_ERRORS: Mapping[str, type[CallError]] = {
    "retryable": errors.RetryableError,
    "refused": errors.RefusedError,
    "malformed": MalformedError,
    "raised": CallError,
}


def line_of(request: Json) -> bytes:
    """A request as one line."""
    return json.dumps(request, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def read_line(line: bytes) -> dict[str, Any] | None:
    """The answer in a line, or `None` where it is noise."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        answer = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and "id" in answer else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def ok_of(answer: Json, number: int, who: str) -> dict[str, Any]:
    """The `ok` of an answer to request *number*.

    Raises:
        MalformedError: It is the answer to another request, or no answer (`worker_protocol`).
        RecollectError: The worker's error.
    """
    if answer.get("id") != number:
        problem = f"{who} answered request {answer.get('id')!r:.40} when {number} was asked"
        raise MalformedError(problem, cause="worker_protocol")
    if isinstance(answer.get("ok"), dict):
        return dict(answer["ok"])
    raise error_of(answer.get("error"), who)


def error_of(error: Any, who: str) -> RecollectError:
    """A worker's error as an exception."""
    if not isinstance(error, Mapping) or not isinstance(error.get("message"), str):
        return MalformedError(f"{who} answered with neither `ok` nor `error`", cause="worker_protocol")
    message = f"{who}: {error['message'][:_LONGEST]}"
    if error.get("kind") == "not_available":
        return NotAvailableError(message)
    cause = error.get("cause")
    named = cause if isinstance(cause, str) and cause.isidentifier() and len(cause) <= 40 else ""
    return _ERRORS.get(str(error.get("kind")), CallError)(message, cause=named)


def batch_data(batch: Batch) -> dict[str, Any]:
    """A batch as JSON, with every field of its messages."""
    return {"text": batch.text, "messages": [message_data(message) for message in batch.messages]}


def message_data(message: Message) -> dict[str, Any]:
    """A message as JSON."""
    return {name: getattr(message, name) for name in _MESSAGE}


def cue_data(cue: Cue) -> dict[str, Any]:
    """A cue as JSON."""
    return {"text": cue.text, "limit": cue.limit, "asked_at": cue.asked_at}


def receipt_of(data: Json) -> Receipt:
    """A receipt from JSON."""
    status = data.get("status", "stored")
    if status not in _STATUS:
        raise MalformedError(f"the status of a receipt is {status!r:.40}; it may be {', '.join(_STATUS)}")
    return Receipt(status=status, unit_ids=tuple(map(UnitId, _list(data, "unit_ids", "a receipt", str))))


def recall_of(data: Json) -> Recall:
    """A recall from JSON."""
    order, rendered = _ORDERS.get(str(data.get("order"))), data.get("rendered")
    if order is None:
        raise MalformedError(f"the order of a recall is {data['order']!r:.40}; it may be ranked or time")
    if rendered is not None and not isinstance(rendered, str):
        raise MalformedError(f"`rendered` of a recall is a {type(rendered).__name__}, not text")
    items = tuple(_item(item) for item in _list(data, "items", "a recall", Mapping))
    return Recall(items=items, order=order, rendered=rendered)


def units_of(data: Json) -> list[Unit]:
    """Units from JSON."""
    return [
        Unit(
            unit_id=UnitId(_text(unit, "unit_id", "a unit")),
            text=_text(unit, "text", "a unit"),
            sources=tuple(map(MessageId, _list(unit, "sources", "a unit", str))),
            said_at=_text_or_none(unit, "said_at", "a unit"),
        )
        for unit in _list(data, "units", "a listing", Mapping)
    ]


def _item(data: Json) -> RecallItem:
    name, score = _text_or_none(data, "unit_id", "an item"), data.get("score")
    if score is not None and (not isinstance(score, int | float) or not isfinite(score)):
        raise MalformedError(f"the score of an item is {score!r:.40}, not a finite number")
    if data.get("message") is not None:
        message = _message(data["message"])
        return RecallItem(
            text=message.text,
            sources=(message.message_id,),
            unit_id=UnitId(name or message.message_id),
            said_at=message.said_at,
            score=score,
            message=message,
        )
    return RecallItem(
        text=_text(data, "text", "an item"),
        sources=tuple(map(MessageId, _list(data, "sources", "an item", str))),
        unit_id=None if name is None else UnitId(name),
        said_at=_text_or_none(data, "said_at", "an item"),
        score=score,
    )


def _message(data: Any) -> Message:
    if not isinstance(data, Mapping) or not all(isinstance(data.get(name, ""), str | None) for name in _MESSAGE):
        raise MalformedError(f"the message of an item is {data!r:.80}, not a message as it was shown")
    try:
        return Message(**data)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"the message of an item is none: {error}") from None


def _list(data: Json, name: str, what: str, of: type[Any]) -> list[Any]:
    """A list of texts or of objects; a list of texts may be missing or null, one of objects missing."""
    listed = data.get(name, [])
    if listed is None and of is str:
        return []
    if not isinstance(listed, list) or not all(isinstance(entry, of) for entry in listed):
        kind = "texts" if of is str else "objects"
        raise MalformedError(f"`{name}` of {what} is {listed!r:.80}, not a list of {kind}")
    return listed


def _text(data: Json, name: str, what: str) -> str:
    text = data.get(name)
    if not isinstance(text, str):
        raise MalformedError(f"`{name}` of {what} is {text!r:.40}, not text")
    return text


def _text_or_none(data: Json, name: str, what: str) -> str | None:
    return None if data.get(name) is None else _text(data, name, what)

"""A whole response as the server-sent events that it could have come in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recollect.gateway.backing import Body
from recollect.gateway.chat_stream import event, pieces

Told = tuple[str, dict[str, Any]]
"""Name of an event, and its data."""


def streamed_response(response: Body) -> Iterator[str]:
    """The events in order, numbered."""
    for number, (name, data) in enumerate(_told(response)):
        yield event({"type": name, "sequence_number": number, **data}, name)


def _told(response: Body) -> Iterator[Told]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response["output"]):
        place = {"item_id": item["id"], "output_index": index}
        yield "response.output_item.added", {"output_index": index, "item": _opened(item)}
        yield from _call(item, place) if item["type"] == "function_call" else _message(item, place)
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield f"response.{response['status']}", {"response": response}


def _opened(item: Body) -> dict[str, Any]:
    empty: dict[str, Any] = {"arguments": ""} if item["type"] == "function_call" else {"content": []}
    return {**item, "status": "in_progress", **empty}


def _call(item: Body, place: Body) -> Iterator[Told]:
    name = "response.function_call_arguments"
    for part in pieces(item["arguments"]):
        yield f"{name}.delta", {**place, "delta": part}
    yield f"{name}.done", {**place, "name": item["name"], "arguments": item["arguments"]}


def _message(item: Body, place: Body) -> Iterator[Told]:
    for index, part in enumerate(item["content"]):
        at = {**place, "content_index": index}
        field = "text" if part["type"] == "output_text" else "refusal"
        logged: dict[str, Any] = {"logprobs": []} if field == "text" else {}
        yield "response.content_part.added", {**at, "part": {**part, field: ""}}
        name = f"response.{part['type']}"
        for piece in pieces(part[field]):
            yield f"{name}.delta", {**at, "delta": piece, **logged}
        yield f"{name}.done", {**at, field: part[field], **logged}
        yield "response.content_part.done", {**at, "part": part}

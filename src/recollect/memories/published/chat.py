"""Calls of a chat model that a memory makes for itself: bounded, checked, several at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from recollect.contracts.memory import Room
from recollect.contracts.models import ChatModel, Turn
from recollect.domain.errors import MalformedError, NotAvailableError
from recollect.memories.published.prompts import filled

T = TypeVar("T")
Schema = Mapping[str, Any]
Check = Callable[[Mapping[str, Any]], T]
"""Takes the value out of a reply's object. Raises `ValueError` with what is wrong."""
_FENCE = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)


class _NoJsonError(ValueError):
    """Prose instead of JSON."""


@dataclass(frozen=True, slots=True)
class ModelCaller:
    """A chat model as these memories call it."""

    model: ChatModel
    at_once: int

    @classmethod
    def of(cls, room: Room, memory: str, at_once: int) -> ModelCaller:
        if room.model is None:
            raise NotAvailableError(f"`{memory}` calls a chat model of its own, and there is none: `--memory-model`")
        return cls(room.model, at_once)

    def text(self, role: str, values: Mapping[str, str], max_tokens: int | None = None) -> str:
        turn = Turn(role="user", text=filled(role, values))
        reply = self.model.complete([turn], max_tokens=max_tokens).strip()
        if not reply:
            raise MalformedError(f"prompt `{role}`: the model's reply is empty", cause="empty_choice")
        return reply

    def value(self, role: str, values: Mapping[str, str], schema: Schema, check: Check[T]) -> T:
        """What *check* takes out of a JSON reply; a reply that cannot be used is asked for once more."""
        turns, problem = [Turn(role="user", text=filled(role, values))], ValueError()
        for _ in range(2):
            reply = self.model.complete(turns, schema=schema)
            try:
                return check(_object(reply))
            except ValueError as error:
                problem = error
            again = Turn(role="user", text=filled("again", {"problem": str(problem)}))
            turns = [*turns, Turn(role="assistant", text=reply), again]
        cause = "not_json" if isinstance(problem, _NoJsonError) else "wrong_schema"
        raise MalformedError(f"prompt `{role}`: the model's reply cannot be used: {problem}, twice", cause=cause)

    def together(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """The results of all *calls*, in their order, with at most `at_once` of them running.

        If several fail, the error of the first in that order is raised.
        """
        if self.at_once == 1 or len(calls) < 2:
            return [call() for call in calls]
        with ThreadPoolExecutor(min(self.at_once, len(calls)), "ask") as pool:
            futures = [pool.submit(copy_context().run, call) for call in calls]
            try:
                return [future.result() for future in futures]
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def object_schema(**fields: Any) -> Schema:
    """A JSON Schema of an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": sorted(fields), "additionalProperties": False}


def flag(name: str) -> Check[bool]:
    """A check that takes out a truth value."""

    def check(reply: Mapping[str, Any]) -> bool:
        value = reply.get(name)
        if not isinstance(value, bool):
            raise ValueError(f"`{name}` is neither true nor false")
        return value

    return check


def texts(name: str, most: int) -> Check[tuple[str, ...]]:
    """A check that takes out a list of at most *most* texts, without blank ones."""

    def check(reply: Mapping[str, Any]) -> tuple[str, ...]:
        value = reply.get(name)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise ValueError(f"`{name}` is no list of texts")
        return tuple(text.strip() for text in value if text.strip())[:most]

    return check


def _object(reply: str) -> Mapping[str, Any]:
    fenced = _FENCE.match(reply.strip())
    try:
        value = json.loads(fenced[1] if fenced else reply)
    except ValueError:
        raise _NoJsonError("it is no JSON") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value

"""Calls of a chat model that a memory makes for itself: bounded, checked, several at once, never silently wrong."""

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
_TRIES = 2


class _NoJsonError(ValueError):
    """Prose instead of JSON."""


@dataclass(frozen=True, slots=True)
class ModelCaller:
    """A chat model as these memories ask it."""

    model: ChatModel
    at_once: int

    @classmethod
    def of(cls, room: Room, memory: str, at_once: int) -> ModelCaller:
        """One for the room's model.

        Raises:
            NotAvailableError: The room has none.
        """
        if room.model is None:
            raise NotAvailableError(f"`{memory}` calls a chat model of its own, and there is none: `--memory-model`")
        return cls(room.model, at_once)

    def text(self, role: str, values: Mapping[str, str], max_tokens: int | None = None) -> str:
        """A reply in prose.

        Raises:
            CallError: The model failed.
            MalformedError: The reply is empty.
        """
        turn = Turn(role="user", text=filled(role, values))
        reply = self.model.complete([turn], max_tokens=max_tokens).strip()
        if not reply:
            raise MalformedError(f"prompt `{role}`: the model's reply is empty", cause="empty_choice")
        return reply

    def value(self, role: str, values: Mapping[str, str], schema: Schema, check: Check[T]) -> T:
        """What *check* takes out of a JSON reply; a reply that cannot be used is asked for once more.

        Raises:
            CallError: The model failed.
            MalformedError: Neither reply can be used.
        """
        turns, problem = [Turn(role="user", text=filled(role, values))], ValueError()
        for _ in range(_TRIES):
            said = self.model.complete(turns, schema=schema)
            try:
                return check(_object(said))
            except ValueError as error:
                problem = error
            again = Turn(role="user", text=filled("again", {"problem": str(problem)}))
            turns = [*turns, Turn(role="assistant", text=said), again]
        cause = "not_json" if isinstance(problem, _NoJsonError) else "wrong_schema"
        raise MalformedError(f"prompt `{role}`: the model's reply cannot be used: {problem}, twice", cause=cause)

    def together(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """What all *calls* give, in their order, with at most `at_once` of them under way.

        If several fail, the error of the first is raised, whichever failed first in time.
        """
        if self.at_once == 1 or len(calls) < 2:
            return [call() for call in calls]
        with ThreadPoolExecutor(min(self.at_once, len(calls)), "ask") as pool:
            under_way = [pool.submit(copy_context().run, call) for call in calls]
            try:
                return [one.result() for one in under_way]
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def object_schema(**fields: Any) -> Schema:
    """A JSON Schema of an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": sorted(fields), "additionalProperties": False}


def flag(name: str) -> Check[bool]:
    """Takes out a truth value."""

    def check(said: Mapping[str, Any]) -> bool:
        value = said.get(name)
        if not isinstance(value, bool):
            raise ValueError(f"`{name}` is neither true nor false")
        return value

    return check


def texts(name: str, most: int) -> Check[tuple[str, ...]]:
    """Takes out a list of texts, without the blank ones; what is over *most* is left out."""

    def check(said: Mapping[str, Any]) -> tuple[str, ...]:
        value = said.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ValueError(f"`{name}` is no list of texts")
        return tuple(one.strip() for one in value if one.strip())[:most]

    return check


def _object(said: str) -> Mapping[str, Any]:
    """The object that a reply is.

    Raises:
        ValueError: It is none.
    """
    fenced = _FENCE.match(said.strip())
    try:
        value = json.loads(fenced[1] if fenced else said)
    except ValueError:
        raise _NoJsonError("it is no JSON") from None
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value

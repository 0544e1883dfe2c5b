"""An agent's own calls of its chat model: as a talk with turns, or for one JSON object, asked for twice at most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from recollect.contracts.memory import Room
from recollect.contracts.models import ChatModel, Turn
from recollect.domain.errors import MalformedError, NotAvailableError
from recollect.judging.parsing import Unusable, one_object
from recollect.memories.agents.prompts import filled

T = TypeVar("T")
Schema = Mapping[str, Any]
Check = Callable[[Mapping[str, Any]], T]
"""Takes the value out of a reply's object. Raises `ValueError` with what is wrong."""
_TRIES = 2


class UnusableReplyError(MalformedError):
    """A model replied, twice, and neither reply is what was asked for."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat model as these agents ask it."""

    model: ChatModel

    @classmethod
    def of(cls, room: Room, agent: str) -> Chat:
        """One for the room's model.

        Raises:
            NotAvailableError: The room has none.
        """
        if room.model is None:
            raise NotAvailableError(f"`{agent}` calls a chat model of its own, and there is none: `--memory-model`")
        return cls(room.model)

    def text(self, turns: Sequence[Turn], max_tokens: int | None = None) -> str:
        """The next turn of a talk.

        Raises:
            CallError: The model failed.
            MalformedError: The reply is empty.
        """
        said = self.model.complete(turns, max_tokens=max_tokens).strip()
        if not said:
            raise MalformedError("the model's reply is empty", cause="empty_choice")
        return said

    def value(self, role: str, values: Mapping[str, str], schema: Schema, check: Check[T]) -> T:
        """What *check* takes out of a JSON reply; a reply that cannot be used is asked for once more.

        Raises:
            CallError: The model failed.
            UnusableReplyError: Neither reply can be used.
        """
        return self.value_of(role, filled(role, values), schema, check)

    def value_of(self, role: str, text: str, schema: Schema, check: Check[T]) -> T:
        """The same of a prompt that is filled in already; *role* is what an error calls it.

        Raises:
            CallError: The model failed.
            UnusableReplyError: Neither reply can be used.
        """
        turns, problem = [Turn(role="user", text=text)], ""
        for _ in range(_TRIES):
            said = self.model.complete(turns, schema=schema)
            try:
                return check(_object(said))
            except ValueError as error:
                problem = str(error)
            again = Turn(role="user", text=filled("again", {"problem": problem}))
            turns = [*turns, Turn(role="assistant", text=said), again]
        raise UnusableReplyError(f"prompt `{role}`: the model's reply cannot be used: {problem}, twice")


def _object(said: str) -> Mapping[str, Any]:
    found = one_object(said)
    if isinstance(found, Unusable):
        raise ValueError(found.problem)
    return found

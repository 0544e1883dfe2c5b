"""An agent's own calls of its chat model: as a dialogue with turns, or for one JSON object, asked for twice at most."""

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


class UnusableReplyError(MalformedError):
    """A model replied, twice, and neither reply is what was asked for."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat model as these agents call it."""

    model: ChatModel

    @classmethod
    def of(cls, room: Room, agent: str) -> Chat:
        if room.model is None:
            raise NotAvailableError(f"`{agent}` calls a chat model of its own, and there is none: `--memory-model`")
        return cls(room.model)

    def text(self, turns: Sequence[Turn], max_tokens: int | None = None) -> str:
        reply = self.model.complete(turns, max_tokens=max_tokens).strip()
        if not reply:
            raise MalformedError("the model's reply is empty", cause="empty_choice")
        return reply

    def value_of(self, role: str, text: str, schema: Schema, check: Check[T]) -> T:
        """What *check* takes out of a JSON reply; an unusable one is asked for once more, as prompt *role*."""
        turns, problem = [Turn(role="user", text=text)], ""
        for _ in range(2):
            reply = self.model.complete(turns, schema=schema)
            try:
                value = one_object(reply)
                if isinstance(value, Unusable):
                    raise ValueError(value.problem)
                return check(value)
            except ValueError as error:
                problem = str(error)
            again = Turn(role="user", text=filled("again", {"problem": problem}))
            turns = [*turns, Turn(role="assistant", text=reply), again]
        raise UnusableReplyError(f"prompt `{role}`: the model's reply cannot be used: {problem}, twice")

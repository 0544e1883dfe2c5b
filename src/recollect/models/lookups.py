"""Replies that are looked for in one turn of an event loop are one query.

A query lets go of the interpreter, and where many threads wait for it, getting it back takes longer than the query.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.domain.errors import RecollectError
from recollect.models.stored import Stored

_Turn = asyncio.Future[Stored | None]


@dataclass(slots=True)
class Lookups:
    """Looks for replies; belongs to the event loop that uses it."""

    look: Callable[[Sequence[str]], Mapping[str, Stored]]
    """What is there of several keys; raises RecollectError."""
    _waiting: list[tuple[str, _Turn]] = field(default_factory=list)

    async def find(self, key: str) -> Stored | None:
        """The reply to a call; `None` if it was never made.

        Raises:
            RecollectError: As `look` does.
        """
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._find)
        turn: _Turn = loop.create_future()
        self._waiting.append((key, turn))
        return await turn

    def _find(self) -> None:
        waiting, self._waiting = self._waiting, []
        open_to = [(key, turn) for key, turn in waiting if not turn.done()]
        try:
            found = self.look([key for key, _ in open_to])
        except RecollectError as error:
            for _, turn in open_to:
                turn.set_exception(error)
            return
        for key, turn in open_to:
            turn.set_result(found.get(key))

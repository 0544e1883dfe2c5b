"""A dialogue that stops at each turn of the user and waits for somebody's reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from recollect.contracts.agent import User
from recollect.domain.exchange import Reply
from recollect.domain.histories import Script
from recollect.domain.ids import MessageId
from recollect.domain.messages import Message
from recollect.engine.execution.dialogue import converse
from recollect.engine.systems.driver import Driver


class Dialogue:
    """One dialogue, held by the engine's own function: it begins anew with all replies so far, and stops at the next.

    So there is one place that says how a dialogue goes, and no turn of it can differ from a run's. The user is asked
    once for each of its turns.
    """

    def __init__(self, script: Script, user: User) -> None:
        self._script, self._user = script, _Asked(user)
        self._replies: list[Reply] = []
        self.talk: tuple[Message, ...] = ()
        """All that was said; empty until the last reply is there."""
        self.waiting = self._go_on()
        """The user's turn that waits for a reply, with the id of that reply; `None` after the last one."""

    def reply(self, said: Reply) -> None:
        """Take the reply to the turn that waits."""
        self._replies.append(said)
        self.waiting = self._go_on()

    def _go_on(self) -> tuple[Message, MessageId] | None:
        try:
            self.talk = converse(cast("Driver", _Seat(self._replies)), self._script, self._user, ())
        except _WaitsError as waits:
            return waits.message, waits.reply_id
        return None


class _WaitsError(Exception):
    """Nobody has replied to this turn yet."""

    def __init__(self, message: Message, reply_id: MessageId) -> None:
        super().__init__(message, reply_id)
        self.message, self.reply_id = message, reply_id


class _Seat:
    """Sits where a run's agent would: it says what was replied, in order."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self._left = iter(replies)

    @property
    def the_agent(self) -> _Seat:
        """Itself."""
        return self

    def reply(self, message: Message, reply_id: MessageId) -> Reply:
        """The next one that is known."""
        for known in self._left:
            return known
        raise _WaitsError(message, reply_id)


class _Asked:
    """A user that is asked once for each turn."""

    def __init__(self, user: User) -> None:
        self._user = user
        self._said: dict[int, str] = {}

    @property
    def fingerprint(self) -> str:
        """The user's."""
        return self._user.fingerprint

    def next(self, script: Script, talk: Sequence[Message]) -> str:
        """What it says, or said, after so much talk."""
        if len(talk) not in self._said:
            self._said[len(talk)] = self._user.next(script, talk)
        return self._said[len(talk)]

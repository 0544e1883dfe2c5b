"""Dead endpoints: warns when one stops answering, and ends a run that would only collect faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from recollect.domain.errors import CallError, DeadModelError

DEAD = frozenset({"connection_refused", "connection_closed", "dns", "tls", "timeout", "not_allowed", "no_credit"})
"""Causes that the next call will usually meet, too."""
IN_A_ROW = 3
"""Calls given up in a row for such a cause after which an endpoint counts as dead."""
QUIET_S = 30.0
"""Seconds between two warnings about one endpoint."""


@dataclass(slots=True)
class Health:
    """The state of all endpoints of a process."""

    say: Callable[[str], None] = lambda _text: None
    clock: Callable[[], float] = monotonic
    _given_up: dict[str, int] = field(default_factory=dict)
    _warned: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def answered(self, endpoint: str) -> None:
        """A call was answered."""
        with self._lock:
            self._given_up.pop(endpoint, None)

    def again(self, endpoint: str, error: CallError) -> None:
        """A call failed and is tried again."""
        if error.cause not in DEAD:
            return
        now = self.clock()
        with self._lock:
            if now - self._warned.get(endpoint, -QUIET_S) < QUIET_S:
                return
            self._warned[endpoint] = now
        self.say(f"{error} Trying again.")

    def given_up(self, endpoint: str, error: CallError) -> None:
        """A call was given up.

        Raises:
            DeadModelError: It was the third in a row, for a cause that the next one would meet, too.
        """
        if error.cause not in DEAD:
            return
        with self._lock:
            self._given_up[endpoint] = count = self._given_up.get(endpoint, 0) + 1
        if count >= IN_A_ROW:
            raise DeadModelError(
                f"{endpoint}: {count} calls in a row were given up ({error.cause}). The last one: {error} "
                "What was recorded is kept; `recollect resume` goes on once it answers."
            )

"""Showings: exchanges in which a value of the user shows, each written for one value and one thread.

The user's message is what ties in with the errand, then what shows the value, then perhaps a detail more, then the
question; the answer works with what was shown. Slot of `shown`: `{said}`, where the situation stands in which it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.benchmarks.subtlememory.generate.threads import SAID, Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How one value of a trait shows in one thread of its topic."""

    thread: str
    """Conversation type of the thread."""
    usual: str
    """Stands for the situation where there is none: `Most evenings`."""
    before: str
    """Ties in with the errand; may be empty."""
    shown: str
    """From this a reader can tell the value, which nobody names; with `{said}` before a comma."""
    more: str
    """One more detail; left out where the value is to show less."""
    after: str
    """What the user wants to know, now that this was said."""
    assistant: str
    precedes: tuple[int, ...] = ()
    """Steps that may only come after it; see `threads.Tell`."""
    follows: tuple[int, ...] = ()
    """Steps that may only come before it."""

    @property
    def exchange(self) -> Exchange:
        """Its frame, with `{said}` for what is shown."""
        said = " ".join(part for part in (self.before, SAID, self.after) if part)
        return Exchange(user=said, assistant=self.assistant)


def fits(showings: Sequence[Showing], thread: str) -> Showing:
    """The one for a thread of that type.

    Raises:
        KeyError: There is none.
    """
    for one in showings:
        if one.thread == thread:
            return one
    raise KeyError(thread)

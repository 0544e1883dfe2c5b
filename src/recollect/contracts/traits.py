"""The traits of a configured system."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args, get_origin, get_type_hints

Place = Literal["field", "text", "nowhere"]
"""Where the harness puts a message's time, speaker or channel for this system."""


class Capability(StrEnum):
    """The small protocols beside the four methods that all must have."""

    LISTING = "listing"
    READBACK = "readback"
    SNAPSHOT = "snapshot"
    FORGET = "forget"
    POLICY = "policy"


class WriteUnit(StrEnum):
    """What one write takes."""

    MESSAGE = "message"
    PAIR = "pair"
    """Two messages, the odd one alone."""
    MESSAGES = "messages"
    """`unit_size` messages."""
    SESSION = "session"
    TOKENS = "tokens"
    """As many messages as fit `unit_size` tokens; a longer message is split."""
    DOCUMENT = "document"
    """One session as one text."""
    WHOLE_HISTORY = "whole_history"
    """All up to the next Ask, into a fresh instance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Known without opening the system."""

    can: frozenset[Capability] = frozenset()
    takes: WriteUnit = WriteUnit.MESSAGE
    unit_size: int | None = None
    """For `messages` and `tokens`."""
    time: Place = "field"
    speaker: Place = "field"
    channel: Place = "field"
    limit: Literal["items", "tokens", "fixed"] = "items"
    """The unit of `Cue.limit`."""
    bound: Literal["budget", "window"] = "budget"
    """Systems that search are cut to the card's budget, those that show everything to the reader's window."""
    score: Literal["similarity", "distance", "none"] = "none"
    provenance: Literal["native", "mapped", "difference", "none"] = "native"
    keeps: Literal["all", "some"] = "some"
    """`all`: every message leaves a unit whose sources name it; a message without one was lost."""
    models_on_write: bool = False
    models_on_search: bool = False
    writes_when_asked: bool = False
    """Searching or answering changes its content."""
    snapshot_deterministic: bool = False
    """The same state always saves the same bytes."""
    holds_nothing: bool = False
    """For the floor: an empty store after a history is no fault."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(Traits).items():
            value, allowed = getattr(self, name), get_args(kind)
            if get_origin(kind) is Literal and value not in allowed:  # or a check that seems to be on would be off
                raise ValueError(f"trait `{name}` is {value!r}, not one of {', '.join(map(repr, allowed))}")
        object.__setattr__(self, "takes", WriteUnit(self.takes))  # plain strings are welcome; wrong ones are refused
        object.__setattr__(self, "can", frozenset(Capability(name) for name in self.can))
        sized = self.takes in (WriteUnit.MESSAGES, WriteUnit.TOKENS)
        if sized != (self.unit_size is not None):
            raise ValueError(f"unit_size belongs to `messages` and `tokens`, got {self.takes} with {self.unit_size}")
        if self.unit_size is not None and self.unit_size < 1:
            raise ValueError(f"unit_size starts at 1, got {self.unit_size}")

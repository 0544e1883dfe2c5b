"""What a process of its own is sent for, and what it brings back: plain values, since they travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Open the system in a process of its own, tell it the story, look at it, close it."""

    folder: str
    """Home, working folder, folder for temporary files and the room are below it."""
    ahead_s: float = 0.0
    """How far the process's clock is ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What came of an errand."""

    picture: str = ""
    """Digest of the listing and of what searches found."""
    asked: str = ""
    """Digest of all prompts that its models got."""
    is_ahead: bool = True
    """Whether its clock could be set."""
    error: str = ""
    """Why it did not come to its end; empty if it did."""
    reached: tuple[str, ...] = ()
    """Addresses beyond this machine that were tried."""
    servers: tuple[str, ...] = ()
    """Servers on this machine that were talked to."""
    programs: tuple[str, ...] = ()
    """Programs that it started."""
    left: tuple[str, ...] = ()
    """What was written outside its room and is still there."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Packages that were loaded, and their versions."""

"""How a system is registered: a name, a config, its traits, and how to open it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from recollect.contracts.agent import Agent, PolicyMaker
from recollect.contracts.memory import Memory, Room
from recollect.contracts.traits import Traits


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryKind:
    """A registered memory. Its config is a frozen dataclass; the JSON of it is part of every key."""

    name: str
    version: int
    """Bump when the same config may hold, find or word something else."""
    summary: str
    """One line for `list`."""
    config: type[Any]
    traits: Callable[[Any], Traits]
    open: Callable[[Any, Room], Memory]
    needs: tuple[str, ...] = ()
    """`embedder`, `model` and `gateway` (an access to models over HTTP), where the room must hold one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """A registered agent."""

    name: str
    version: int
    summary: str
    config: type[Any]
    traits: Callable[[Any], Traits]
    open: Callable[[Any, Room], Agent]
    policy_maker: Callable[[Any, Room], PolicyMaker] | None = None
    """For agents that can `policy`."""
    needs: tuple[str, ...] = ()
